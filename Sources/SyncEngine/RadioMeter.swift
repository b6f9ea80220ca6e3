public import TrackerModel

/// How long a radio was on for exchanges, estimated: a modem stays in its connected state for a while after the last byte.
public struct RadioMeter: Sendable {
    /// The tail that the energy ledger reckons with (spec power §7).
    public static let tailMillis: Int64 = 10_000

    private var onUntil: Instant?

    public init() {}

    /// One exchange; of two that are close together the tail between them is counted once.
    /// - Returns: whether the radio was off before, and the milliseconds that the exchange adds, tail included.
    public mutating func used(from began: Instant, to ended: Instant) -> (isNewSession: Bool, millis: Int64) {
        let until = ended.advanced(byMillis: Self.tailMillis)
        let wasOn = onUntil.map { began <= $0 } ?? false
        let millis = until.millis(since: wasOn ? onUntil ?? began : began)
        onUntil = until
        return (!wasOn, max(0, millis))
    }
}
