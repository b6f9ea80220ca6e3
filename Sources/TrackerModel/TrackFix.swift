/// Where a fix came from (spec capture §2.1). Open set: readers fold what they do not know into `unknown`.
public enum FixProvider: String, Sendable {
    case gnss
    case gnssDeadReckoning = "gnss+dr"
    case deadReckoning = "dr"
    case cell
    case replay
    case external
    case unknown
}

/// The dimension of a solution as GSA (or UBX) reports it.
public enum FixMode: Int, Sendable {
    case none = 1
    case twoD = 2
    case threeD = 3
}

/// One position solution of the receiver, at the boundary between decoding and judging (spec capture §2.1).
///
/// Absent means `nil`, never a sentinel: a speed of 0 is a measurement.
public struct TrackFix: Equatable, Sendable {
    /// UTC of the solution; `nil` while the date is not known.
    public var time: UTCTime?
    /// When the solution was determined, on the boot clock.
    public var instant: Instant
    /// When its last byte was read.
    public var receivedAt: Instant
    public var coordinate: Coordinate
    /// 68 % horizontal radius in metres; NaN when the receiver gave no basis for one (spec capture §3).
    public var accuracyM: Double
    /// The radius as the receiver gave it, where `accuracyM` has been put into range since.
    public var receivedAccuracyM: Double?
    /// Height above mean sea level, metres.
    public var altitudeM: Double?
    /// 1 σ, metres.
    public var verticalAccuracyM: Double?
    /// Speed over ground, m/s, ≥ 0.
    public var speedMps: Double?
    /// Course over ground, degrees clockwise from true north, [0, 360).
    public var courseDeg: Double?
    /// 1 σ of speed (m/s) and course (degrees), when the receiver reports them.
    public var speedAccuracyMps: Double?
    public var courseAccuracyDeg: Double?
    public var provider: FixProvider
    /// Simulated, manual-input or spoofed.
    public var isMock: Bool
    public var mode: FixMode?
    public var satellitesUsed: Int?
    public var hdop: Double?
    /// Dilutions of position and height, where the receiver reports them with the fix.
    public var pdop: Double?
    public var vdop: Double?

    public init(
        time: UTCTime?, instant: Instant, receivedAt: Instant, coordinate: Coordinate, accuracyM: Double,
        altitudeM: Double? = nil, verticalAccuracyM: Double? = nil, speedMps: Double? = nil, courseDeg: Double? = nil,
        speedAccuracyMps: Double? = nil, courseAccuracyDeg: Double? = nil, provider: FixProvider = .gnss,
        isMock: Bool = false, mode: FixMode? = nil, satellitesUsed: Int? = nil, hdop: Double? = nil
    ) {
        self.time = time
        self.instant = instant
        self.receivedAt = receivedAt
        self.coordinate = coordinate
        self.accuracyM = accuracyM
        self.altitudeM = altitudeM
        self.verticalAccuracyM = verticalAccuracyM
        self.speedMps = speedMps
        self.courseDeg = courseDeg
        self.speedAccuracyMps = speedAccuracyMps
        self.courseAccuracyDeg = courseAccuracyDeg
        self.provider = provider
        self.isMock = isMock
        self.mode = mode
        self.satellitesUsed = satellitesUsed
        self.hdop = hdop
    }
}
