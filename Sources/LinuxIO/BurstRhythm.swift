import TrackerModel

/// When a receiver's burst of bytes will have ended, so that one wake-up reads all of it: a receiver says the same every
/// second, and at 9 600 bit/s a reader who follows it byte by byte wakes a hundred times for one epoch (spec power §4).
struct BurstRhythm {
    /// Silence that separates bursts. Receivers pause for less between the sentences of an epoch.
    private static let pauseMillis: Int64 = 60
    /// Bursts that are followed closely before one is slept through, and whose lengths are remembered: receivers say
    /// some things every fifth time only.
    private static let followed = 3
    private static let remembered = 8
    /// Lengths that differ by no more are one: numbers have more or fewer digits.
    private static let raggedBytes = 32
    /// From when the last byte should be here, for a host and a line that are a little slow.
    private static let slackMillis: Int64 = 30
    /// What is longer than anything before is read in steps of this: a line that is never silent.
    private static let stepMillis: Int64 = 300
    /// An epoch is over by then, also where the next follows it without a pause.
    private static let longestMillis: Int64 = 950
    /// A line's buffer holds 4 096 bytes.
    private static let mostBytes = 3_000

    let bitsPerSecond: Int
    private var lengths: [Int] = []
    private var startedAt = Instant.zero
    private var heardAt = Instant.zero
    /// Of the burst under way.
    private var bytes = 0

    init(bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }

    /// Bytes were read.
    /// - Returns: how long nothing needs to be read, in milliseconds; 0: as soon as something comes.
    mutating func heard(_ count: Int, at now: Instant) -> Int64 {
        if bytes == 0 || now.millis(since: heardAt) > Self.pauseMillis {
            if bytes > 0 { lengths = lengths.suffix(Self.remembered - 1) + [bytes] }
            (startedAt, bytes) = (now, 0)
        }
        heardAt = now
        bytes += count
        guard lengths.count >= Self.followed else { return 0 }
        // It may have ended here, as others did.
        if lengths.contains(where: { abs($0 - bytes) <= Self.raggedBytes }) { return 0 }
        let length = lengths.filter { $0 > bytes }.min() ?? 0
        let whole = millis(min(length, Self.mostBytes)) + Self.slackMillis
        let rest = startedAt.advanced(byMillis: min(whole, Self.longestMillis)).millis(since: now)
        return rest > 0 ? rest : min(Self.stepMillis, millis(Self.mostBytes))
    }

    /// A rest is over: what is read now came while it lasted.
    mutating func rested(at now: Instant) { heardAt = now }

    /// A byte takes ten bits.
    private func millis(_ count: Int) -> Int64 { Int64(count * 10_000 / max(1, bitsPerSecond)) }
}
