import TrackerModel

/// Notices a receiver that reports movement from a position that stays the same to the last bit (F-20).
struct FrozenPositionWatch {
    /// A walk: what static-hold firmware reports at rest is slower.
    private static let slowestMps = 1.0
    private static let patienceMillis: Int64 = 30_000

    private var frozen: (at: Coordinate, since: Instant, isReported: Bool)?

    /// - Parameters:
    ///   - position: of a fix.
    ///   - speedMps: as the receiver gives it; `nil` where it gives none.
    ///   - instant: of the fix.
    /// - Returns: true once for each episode, when the position has been frozen for 30 s.
    mutating func observe(_ position: Coordinate, speedMps: Double?, at instant: Instant) -> Bool {
        guard let speedMps, speedMps >= Self.slowestMps else {
            frozen = nil
            return false
        }
        guard let (at, since, isReported) = frozen, at == position else {
            frozen = (position, instant, false)
            return false
        }
        guard !isReported, instant.millis(since: since) >= Self.patienceMillis else { return false }
        frozen?.isReported = true
        return true
    }
}
