/// What the battery and the supply say. `nil` is *unknown*, never 0 and never false (spec power §1).
public struct BatteryReading: Equatable, Sendable {
    /// 0…100.
    public var percent: Int?
    public var isCharging: Bool?
    /// An external supply is connected.
    public var externalSupply: Bool?
    /// Millivolts.
    public var voltageMV: Int64?

    public init(percent: Int? = nil, isCharging: Bool? = nil, externalSupply: Bool? = nil, voltageMV: Int64? = nil) {
        self.percent = percent
        self.isCharging = isCharging
        self.externalSupply = externalSupply
        self.voltageMV = voltageMV
    }

    public static let unknown = BatteryReading()
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
