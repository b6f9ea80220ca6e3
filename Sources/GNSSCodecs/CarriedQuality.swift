import TrackerModel

/// Dimension, HDOP and satellite count of the last epochs that had them, for those that have none: some receivers send
/// RMC every second and GGA and GSA every few seconds.
struct CarriedQuality {
    /// Longer than that the sky may be another; receivers were seen to send GSA every 5 s.
    private static let lifeMillis: Int64 = 5_000

    private(set) var mode: FixMode?
    private(set) var hdop: Double?
    private(set) var satellites: Int?
    private var modeAt = Instant.zero
    private var hdopAt = Instant.zero
    private var satellitesAt = Instant.zero

    /// Takes what an epoch with a fix has of its own, and forgets what is too old. After a loss of fix begin anew.
    mutating func take(mode: FixMode?, hdop: Double?, satellites: Int?, at instant: Instant) {
        (self.mode, modeAt) = newer(mode, self.mode, modeAt, instant)
        (self.hdop, hdopAt) = newer(hdop, self.hdop, hdopAt, instant)
        (self.satellites, satellitesAt) = newer(satellites, self.satellites, satellitesAt, instant)
    }

    private func newer<Value>(
        _ own: Value?, _ kept: Value?, _ keptAt: Instant, _ instant: Instant
    ) -> (Value?, Instant) {
        if let own { return (own, instant) }
        return (instant.millis(since: keptAt) <= Self.lifeMillis ? kept : nil, keptAt)
    }
}
