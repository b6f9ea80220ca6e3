public import TrackerModel

/// What the decoder must be told about the receiver.
public struct GNSSDecoderConfig: Equatable, Sendable {
    /// User equivalent range error, metres: what HDOP is multiplied with where the receiver reports no error estimate
    /// (spec capture §3).
    public var uereM: Double
    /// From the solution to the first byte of its epoch, 0…500 ms (spec capture §2.3).
    public var outputLatencyMillis: Int64
    /// What the accuracy that a UBX receiver reports is multiplied with to hold 68 % of the errors, above 0; measured
    /// with `device-cli gnss calibrate` (spec capture §3).
    public var hAccScale: Double
    /// No date of a receiver is believed that is more than a day earlier (spec capture §1.1).
    public var buildDate: UTCTime
    /// A time that was trusted before the start, such as the newest stored point's; `nil` without one.
    public var lastTrusted: UTCTime?
    /// Between two NMEA skies at least; 0 gives out every cycle.
    public var skyIntervalMillis: Int64 = 0
    /// Dates the first epoch of a recording whose sentences have no date; `nil` leaves it without time.
    public var firstDay: UTCTime?

    public init(
        uereM: Double = 5.0, outputLatencyMillis: Int64 = 0, hAccScale: Double = 1.0,
        buildDate: UTCTime = .buildDate, lastTrusted: UTCTime? = nil, firstDay: UTCTime? = nil
    ) {
        self.uereM = uereM
        self.outputLatencyMillis = outputLatencyMillis
        self.hAccScale = hAccScale
        self.buildDate = buildDate
        self.lastTrusted = lastTrusted
        self.firstDay = firstDay
    }
}
