public import TrackerModel

/// What the decoder must be told about the receiver.
public struct GNSSDecoderConfig: Equatable, Sendable {
    /// User equivalent range error, metres: what HDOP is multiplied with where the receiver reports no error estimate
    /// (spec capture §3).
    public var uereM: Double
    /// From the solution to the first byte of its epoch, 0…500 ms (spec capture §2.3).
    public var outputLatencyMillis: Int64
    /// Vouched dates of more than a day before it are taken for a rollover of the receiver's week count
    /// (spec capture §1.1).
    public var buildDate: UTCTime
    /// The last trusted UTC of an earlier run; a date of more than 512 weeks before it is a rollover too.
    public var lastTrusted: UTCTime?
    /// Dates the first epoch of a recording whose sentences have no date; `nil` leaves it without time.
    public var firstDay: UTCTime?

    public init(
        uereM: Double = 5.0, outputLatencyMillis: Int64 = 0, buildDate: UTCTime = BuildDate.time,
        lastTrusted: UTCTime? = nil, firstDay: UTCTime? = nil
    ) {
        self.uereM = uereM
        self.outputLatencyMillis = outputLatencyMillis
        self.buildDate = buildDate
        self.lastTrusted = lastTrusted
        self.firstDay = firstDay
    }
}
