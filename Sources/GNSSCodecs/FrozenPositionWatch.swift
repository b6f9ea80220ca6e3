import TrackerModel

/// Notices a receiver that reports movement from a position that stays the same to the last bit (F-20).
struct FrozenPositionWatch {
    /// A walk: what static-hold firmware reports at rest is slower.
    private static let slowestMps = 1.0
    private static let patienceMillis: Int64 = 30_000

    private var frozen: (at: Coordinate, since: Instant, isReported: Bool)?

    /// - Returns: true once for each episode, when the position has been frozen for 30 s.
    mutating func observe(_ fix: TrackFix) -> Bool {
        guard let speed = fix.speedMps, speed >= Self.slowestMps else {
            frozen = nil
            return false
        }
        guard let (at, since, isReported) = frozen, at == fix.coordinate else {
            frozen = (fix.coordinate, fix.instant, false)
            return false
        }
        guard !isReported, fix.instant.millis(since: since) >= Self.patienceMillis else { return false }
        frozen?.isReported = true
        return true
    }
}
