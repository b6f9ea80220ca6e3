import TrackerModel

/// When a receiver's burst of bytes will have ended, so that one wake-up reads all of it: a receiver says the same every
/// second, and at 9 600 bit/s a reader who follows it byte by byte wakes a hundred times for one epoch (spec power §4).
struct BurstRhythm {
    /// Silence that separates bursts. Receivers pause for less between the sentences of an epoch.
    private static let pauseMillis: Int64 = 100
    /// Bursts that are followed closely, before the first that is slept through.
    private static let followed = 3
    /// From the last byte on, for a receiver that stops between its sentences: grows with what came late.
    private static let slackMillis: ClosedRange<Int64> = 30...150
    /// What came late is read in steps of this.
    private static let stepMillis: Int64 = 50
    /// A line's buffer holds 4 096 bytes.
    private static let mostBytes = 3_000

    let bitsPerSecond: Int
    private var bursts = 0
    private var startedAt = Instant.zero
    private var heardAt = Instant.zero
    private var bytes = 0
    /// Of the burst under way.
    private var reads = 0
    private var lastBytes = 0
    private var slackMillis = Self.slackMillis.lowerBound

    init(bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }

    /// Bytes were read.
    /// - Returns: how long nothing needs to be read, in milliseconds; 0: as soon as something comes.
    mutating func heard(_ count: Int, at now: Instant) -> Int64 {
        let isNew = bytes == 0 || now.millis(since: heardAt) > Self.pauseMillis
        if isNew { begin(at: now) }
        heardAt = now
        bytes += count
        reads += 1
        guard bursts >= Self.followed else { return 0 }
        if isNew { return max(0, lineMillis(min(lastBytes, Self.mostBytes)) - lineMillis(count)) + slackMillis }
        // All of it, as far as one can tell.
        if reads == 2 { return 0 }
        let late = now.millis(since: startedAt) - lineMillis(bytes) + Self.slackMillis.lowerBound
        slackMillis = min(max(slackMillis, late), Self.slackMillis.upperBound)
        return Self.stepMillis
    }

    private mutating func begin(at now: Instant) {
        if bytes > 0 { bursts += 1 }
        (lastBytes, bytes, reads, startedAt) = (bytes, 0, 0, now)
        slackMillis -= (slackMillis - Self.slackMillis.lowerBound) / 8
    }

    /// A byte takes ten bits.
    private func lineMillis(_ count: Int) -> Int64 { Int64(count * 10_000 / max(1, bitsPerSecond)) }
}
