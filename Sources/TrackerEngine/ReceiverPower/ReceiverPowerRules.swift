import TrackerModel

/// What a receiver does while the device moves (`gnss.whileMoving`).
public enum ReceiverWhileMoving: String, Sendable, CaseIterable {
    /// It tracks; in the tiers `saver` and `critical` cyclically, if it can.
    case auto
    /// It tracks without a break.
    case track
    /// It tracks cyclically, if it can: its own way to save power between two fixes (u-blox, 1 Hz as before).
    case cyclic
    /// It rests between two judged fixes.
    case rest

    func isCyclic(_ tier: PowerTier) -> Bool {
        switch self {
        case .auto: tier >= .saver
        case .track: false
        case .cyclic, .rest: true
        }
    }
}

/// How a receiver rests, and how often it is looked at then (spec power §2, api §6).
public struct ReceiverPowerRules: Equatable, Sendable {
    /// What its own command for sleep comes to; `nil`: it has none, and only its supply can be taken away.
    public var sleep: ReceiverRest?
    /// Between two looks while still and in tier `normal`; lower tiers stretch it.
    public var backstopMillis: Int64
    public var whileMoving: ReceiverWhileMoving

    public init(
        sleep: ReceiverRest? = .backup, backstopMillis: Int64 = 900_000, whileMoving: ReceiverWhileMoving = .auto
    ) {
        self.sleep = sleep
        self.backstopMillis = backstopMillis
        self.whileMoving = whileMoving
    }

    /// By command, as deep as it can be called back from; from tier `survival` on, where it rests for hours, by the supply
    /// if that is wired (spec power §2, column "receiver while still").
    func rest(_ demand: ReceiverDemand) -> ReceiverRest {
        guard let sleep else { return .off }
        return demand.tier >= .survival && demand.hasSupplyLine ? .off : sleep
    }

    /// A start, its fix and being told everything again take some seconds: for less a rest is not worth it.
    public static let leastRestMillis: Int64 = 30_000
    /// Who wants fixes closer together than this wants them good.
    static let leastCyclicMillis: Int64 = 10_000
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
