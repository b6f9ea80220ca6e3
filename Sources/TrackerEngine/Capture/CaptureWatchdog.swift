import TrackerModel

/// Notices a receiver that gives no fixes for too long (spec capture §12.5).
struct CaptureWatchdog {
    enum Answer: Equatable {
        case alive
        /// Restart the receiver and report it; `isRepeated`: a restart within the last day did not help.
        case dead(silenceMillis: Int64, isRepeated: Bool)
    }

    private static let repeatMillis: Int64 = 86_400_000

    let movingMillis: Int64
    let stationaryMillis: Int64
    let throttleMillis: Int64
    private var heardAt: Instant?
    private var actedAt: Instant?

    init(_ config: CaptureConfig) {
        movingMillis = config.deadMovingMillis
        stationaryMillis = config.deadStationaryMillis
        throttleMillis = config.watchdogThrottleMillis
    }

    /// Any fix counts, whatever becomes of it: a parked tracker stores nothing and is alive.
    mutating func heard(at now: Instant) { heardAt = now }

    /// - Parameter isSaving: in power save the limits are twice as long.
    mutating func check(_ now: Instant, isMoving: Bool, isSaving: Bool) -> Answer {
        let since = heardAt ?? now
        heardAt = since
        let limit = (isMoving ? movingMillis : stationaryMillis) * (isSaving ? 2 : 1)
        let silence = now.millis(since: since)
        guard silence > limit else { return .alive }
        if let actedAt, now.millis(since: actedAt) < throttleMillis { return .alive }
        let isRepeated = actedAt.map { now.millis(since: $0) < Self.repeatMillis } ?? false
        actedAt = now
        return .dead(silenceMillis: silence, isRepeated: isRepeated)
    }
}
