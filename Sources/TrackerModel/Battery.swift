/// What the battery and the supplies say. `nil` is *unknown*, never 0 and never false (spec power §1).
public struct BatteryReading: Equatable, Sendable {
    /// 1…100: a board that runs is not at 0 (spec api §8).
    public var percent: Int?
    /// True while it charges or is full.
    public var isCharging: Bool?
    public var supply: PowerSource
    /// Millivolts.
    public var voltageMV: Int64?
    /// Milliamperes into the battery; negative while it discharges.
    public var currentMA: Int64?
    /// The board's supply sagged within the last minute.
    public var isUnderVoltage: Bool

    public init(
        percent: Int? = nil, isCharging: Bool? = nil, supply: PowerSource = .unknown, voltageMV: Int64? = nil,
        currentMA: Int64? = nil, isUnderVoltage: Bool = false
    ) {
        self.percent = percent
        self.isCharging = isCharging
        self.supply = supply
        self.voltageMV = voltageMV
        self.currentMA = currentMA
        self.isUnderVoltage = isUnderVoltage
    }

    public static let unknown = BatteryReading()

    /// The battery does not get emptier: it charges, or nobody says that it does not and the board is fed from elsewhere.
    public var isFed: Bool { isCharging ?? (supply == .ac || supply == .usb) }
}

/// What the board is fed from beside its battery (spec api §8).
public enum PowerSource: String, Sendable {
    /// The battery alone.
    case none
    case ac
    case usb
    case unknown
}

/// The battery as listeners see it; an event tells only of a change of the whole value (spec api §8).
public struct BatteryInfo: Equatable, Sendable {
    public var percent: Int?
    public var isCharging: Bool?
    public var powerSource: PowerSource
    /// The percentage is known and at most `power.lowPercent`.
    public var isLow: Bool

    public init(_ reading: BatteryReading, lowPercent: Int) {
        percent = reading.percent
        isCharging = reading.isCharging
        powerSource = reading.supply
        isLow = reading.percent.map { $0 <= lowPercent } ?? false
    }
}

/// How much the battery allows, best first (spec power §2).
public enum PowerTier: String, Sendable, CaseIterable, Comparable {
    case normal
    case saver
    case critical
    case survival
    case shutdown

    private var rank: Int {
        switch self {
        case .normal: 0
        case .saver: 1
        case .critical: 2
        case .survival: 3
        case .shutdown: 4
        }
    }

    /// A smaller tier leaves more energy to spend.
    public static func < (a: PowerTier, b: PowerTier) -> Bool { a.rank < b.rank }
}
