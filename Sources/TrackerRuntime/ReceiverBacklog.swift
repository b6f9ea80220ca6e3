import TrackerModel

/// Notices epochs that arrive late because more is sent than the line carries (spec edge-cases E-008): their receipt
/// moves away from their UTC.
struct ReceiverBacklog {
    /// Lag at which an epoch is late (E-008).
    private static let lateMillis: Int64 = 1_000
    /// More than this is a step of the receiver's clock or another log, not a full buffer.
    private static let stepMillis: Int64 = 60_000
    /// How fast two good clocks may drift apart: 500 ppm of slewing (adjtimex(2)), doubled.
    private static let driftPerMille: Int64 = 1

    /// How many times faster than the line's clock ours runs: the host's own hiccups are stretched with it.
    private let scale: Int64
    /// Receipt minus UTC when it was least, ms, and when that was noted.
    private var least: (millis: Int64, at: Instant)?
    private var lastTime: UTCTime?
    private var lateSince: Instant?
    private(set) var isBehind = false

    init(timeScale: Double = 1) { scale = max(1, Int64(min(timeScale, 10_000))) }

    /// - Returns: true when the fix is one of a backlog and must not count as fresh. A single burst, as after a pause of
    ///   this process, is none (E-048): its last epochs are on time again.
    mutating func isLate(_ fix: TrackFix) -> Bool {
        guard let time = fix.time else { return false }
        defer { lastTime = time }
        let offset = fix.receivedAt.millis - time.millis
        guard let known = least, let lastTime, time > lastTime else { return restart(offset, fix.receivedAt) }
        let drifted = known.millis + fix.receivedAt.millis(since: known.at) * Self.driftPerMille / 1_000
        let lag = offset - drifted
        if lag <= 0 || lag > Self.stepMillis * scale { return restart(offset, fix.receivedAt) }
        guard lag > Self.lateMillis * scale else {
            lateSince = nil
            isBehind = false
            return false
        }
        let since = lateSince ?? fix.receivedAt
        lateSince = since
        isBehind = fix.receivedAt.millis(since: since) >= Self.lateMillis
        return isBehind
    }

    /// The line was opened anew, or changed its speed.
    mutating func reset() {
        (least, lastTime, lateSince, isBehind) = (nil, nil, nil, false)
    }

    private mutating func restart(_ offset: Int64, _ at: Instant) -> Bool {
        least = (offset, at)
        lateSince = nil
        isBehind = false
        return false
    }
}
