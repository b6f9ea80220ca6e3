import TrackerModel

/// How often a resting receiver is looked at (spec power §2, api §6).
public struct ReceiverPowerRules: Equatable, Sendable {
    /// Between two looks while still and in tier `normal`; lower tiers stretch it.
    public var backstopMillis: Int64

    public init(backstopMillis: Int64 = 900_000) { self.backstopMillis = backstopMillis }

    /// Fence duty without a session: moving or unknown, and still (spec api §6).
    static let fenceMillis: Int64 = 60_000
    static let fenceStillMillis: Int64 = 300_000
    /// Tier `survival`: one fix an hour, only if woken (spec power §2).
    static let survivalMillis: Int64 = 3_600_000

    /// 15, 30, 60 min and 6 h, and in that proportion for another first value (spec power §2).
    func backstopMillis(_ tier: PowerTier) -> Int64 {
        switch tier {
        case .normal: backstopMillis
        case .saver: backstopMillis * 2
        case .critical: backstopMillis * 4
        case .survival, .shutdown: backstopMillis * 24
        }
    }
}

/// Whether the accelerometer says that nothing moves. A knock is not unrest: that takes some seconds without stillness.
struct ReceiverStillness {
    enum Answer {
        case still
        case restless
        /// There is no accelerometer, or it is faulty: nobody will notice a start.
        case unknown
    }

    private static let restlessMillis: Int64 = 10_000

    private var isKnown = false
    private var restlessSince: Instant?

    mutating func take(_ reading: StillnessReading) {
        // Before the first stillness there was none.
        let before = isKnown ? restlessSince : Instant.zero
        isKnown = true
        restlessSince = reading.stillSince == nil ? before ?? reading.instant : nil
    }

    mutating func lost() { self = Self() }

    func answer(at now: Instant) -> Answer {
        guard isKnown else { return .unknown }
        return now >= turnsRestlessAt ? .restless : .still
    }

    /// When it becomes unrest, if nothing is heard until then.
    var turnsRestlessAt: Instant { restlessSince?.advanced(byMillis: Self.restlessMillis) ?? .never }
}
