/// Limits of bringing a modem up and of mending it (spec power §5).
public struct ModemConfig: Equatable, Sendable {
    /// Its power can be switched: it is off while nobody wants it, and a power cycle is the last remedy.
    public var hasPowerControl: Bool
    /// Another program has its command port, and tells of it (`ModemEvent.told`).
    public var isOwned: Bool
    public var powerLimitMillis: Int64 = 10_000
    public var simLimitMillis: Int64 = 10_000
    public var registrationLimitMillis: Int64 = 120_000
    public var routeLimitMillis: Int64 = 60_000
    /// Waits before reconnecting, before a reset, and before each power cycle.
    public var rungMillis: [Int64] = [60_000, 300_000, 1_800_000]
    public var powerCyclesPerDay = 6
    /// Exchanges without an answer in a row that count as a lost route.
    public var unansweredLimit = 3
    /// It stays on for so long after the last exchange.
    public var tailMillis: Int64 = 10_000

    public init(hasPowerControl: Bool, isOwned: Bool = false) {
        self.hasPowerControl = hasPowerControl
        self.isOwned = isOwned
    }
}
