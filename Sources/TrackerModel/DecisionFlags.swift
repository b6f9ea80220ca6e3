/// Evidence that went into a decision, so that a `Heuristic Gate` can be explained (spec capture §9.2).
public struct DecisionFlags: OptionSet, Hashable, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let stepVeto = DecisionFlags(rawValue: 1 << 0)
    public static let accelVeto = DecisionFlags(rawValue: 1 << 1)
    public static let liftSuppressed = DecisionFlags(rawValue: 1 << 2)
    public static let nlpBypass = DecisionFlags(rawValue: 1 << 3)
    public static let gap = DecisionFlags(rawValue: 1 << 4)
    public static let turning = DecisionFlags(rawValue: 1 << 5)
    public static let hwVehicular = DecisionFlags(rawValue: 1 << 6)
    public static let hwStill = DecisionFlags(rawValue: 1 << 7)
    public static let latched = DecisionFlags(rawValue: 1 << 8)
    /// Still throughout the interval since the last stored point.
    public static let stillVeto = DecisionFlags(rawValue: 1 << 9)
    /// The receiver measured a speed.
    public static let hasSpeed = DecisionFlags(rawValue: 1 << 10)
    /// The fix counted as movement, after the vetoes; as a vehicle's.
    public static let moving = DecisionFlags(rawValue: 1 << 11)
    public static let vehicular = DecisionFlags(rawValue: 1 << 12)
}
