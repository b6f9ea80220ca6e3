/// The bars of the battery's tiers, percent (spec power §2); ranges and order are checked by the configuration table.
public struct PowerConfig: Equatable, Sendable {
    public var saveBelowPercent = 30
    public var criticalBelowPercent = 15
    public var survivalBelowPercent = 5
    /// 0 = never.
    public var shutdownPercent = 3
    /// At most this is `isLow` for listeners (spec api §8).
    public var lowPercent = 15

    public init() {}

    /// The battery is worth a look when it falls below one of these: the tiers' bars, and what is told as low.
    public var alertPercents: [Int] {
        [saveBelowPercent, criticalBelowPercent, survivalBelowPercent, shutdownPercent, lowPercent + 1]
    }
}
