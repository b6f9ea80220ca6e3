import TrackerModel

/// Notices a stop that matters: ten minutes within 60 m of the last stored point, slower than 15 km/h (spec
/// capture §10.4).
struct SignificantStop {
    private static let millis: Int64 = 600_000
    private static let radiusM = 60.0
    private static let slowMps = 4.17

    private var since: Instant?
    private var isMarked = false

    /// A point was stored. One that only continues the stop (a heartbeat) does not begin it anew.
    mutating func stored(at instant: Instant, distanceM: Double?, isMoving: Bool) {
        let continues = !isMoving && since != nil && (distanceM ?? .infinity) <= Self.radiusM
        if continues { return }
        since = instant
        isMarked = false
    }

    /// A judged fix that stored nothing; true when the last stored point is a significant stop from now on.
    mutating func passed(at instant: Instant, distanceM: Double, speedMps: Double, isMoving: Bool) -> Bool {
        guard !isMoving, distanceM <= Self.radiusM, speedMps < Self.slowMps else {
            since = instant
            return false
        }
        guard let since else {
            self.since = instant
            return false
        }
        guard !isMarked, instant.millis(since: since) >= Self.millis else { return false }
        isMarked = true
        return true
    }

    /// The clock restarted: the time of the stop counts from the next fix.
    mutating func rebooted() { since = nil }
}
