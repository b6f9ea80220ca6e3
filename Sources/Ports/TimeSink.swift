public import TrackerModel

/// Takes the time that the receiver tells, for whoever disciplines the host's clock. Best effort: it never waits and
/// never fails its caller.
public protocol TimeSink: AnyObject {
    /// As configured, for status.
    var name: String { get }
    /// How many readings have been handed over.
    var samples: Int64 { get }
    /// Why nothing is handed over, and what to do; `nil` while all is well.
    var problem: String? { get }

    /// Tells that it was `utc` at `instant`, an instant of this boot on a clock that runs at its real speed.
    func offer(_ utc: UTCTime, at instant: Instant)
    func close()
}
