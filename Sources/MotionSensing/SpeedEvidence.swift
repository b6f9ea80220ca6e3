import TrackerModel

/// The Doppler speed while it is fresh, and for how long it has been that of a vehicle.
struct SpeedEvidence: Sendable {
    /// An older speed is none, and a less accurate one too (spec capture §13.5).
    private static let freshNanos: Int64 = 5_000_000_000
    private static let worstAccuracyMps = 1.0
    /// From here on a vehicle is likely, and from there on certain (spec capture §13.5).
    private static let likelyMps = 3.0
    private static let certainMps = 5.0

    private var latest: (mps: Double, at: Instant)?
    private(set) var likelySince: Instant?
    private(set) var certainSince: Instant?

    /// Takes a speed with its standard deviation; one without (NMEA) says nothing.
    mutating func take(_ mps: Double, accuracyMps: Double?, at instant: Instant) {
        guard let accuracyMps, accuracyMps >= 0, accuracyMps <= Self.worstAccuracyMps, mps >= 0, mps.isFinite else {
            return
        }
        if self.mps(at: instant) == nil {
            likelySince = nil
            certainSince = nil
        }
        latest = (mps, instant)
        likelySince = mps >= Self.likelyMps ? likelySince ?? instant : nil
        certainSince = mps >= Self.certainMps ? certainSince ?? instant : nil
    }

    /// The speed in m/s; `nil` when it is unknown or older than 5 s.
    func mps(at now: Instant) -> Double? {
        guard let latest, now.nanos(since: latest.at) <= Self.freshNanos else { return nil }
        return latest.mps
    }

    /// Somebody pedals: what was known of a vehicle counts from now.
    mutating func contradictVehicle(at now: Instant) {
        if likelySince != nil { likelySince = now }
        if certainSince != nil { certainSince = now }
    }
}
