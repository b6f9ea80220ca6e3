/// Whether a point was stored while under way (spec capture §10.1).
public enum MovementStatus: String, Sendable {
    case steady
    case moving
}

/// A kept position in its stored form: integers in stated units, so that the database, the wire and a golden
/// file agree to the bit on every processor.
public struct TrackPoint: Equatable, Sendable {
    /// Insertion id; 0 until stored.
    public var id: Int64
    /// 40 lower-case hex digits, the identity a receiver de-duplicates on (spec capture §1.2).
    public var uuid: String
    public var sessionID: String
    public var time: UTCTime
    public var instant: Instant
    public var bootID: String
    /// `yyyy-MM-dd` of `time` in `timeZone`.
    public var localDate: String
    /// IANA zone id.
    public var timeZone: String
    /// 1e-7 degree.
    public var latitudeE7: Int32
    public var longitudeE7: Int32
    /// Millimetres, 68 % radius, ≥ 1 000.
    public var accuracyMM: Int64
    public var altitudeMM: Int64?
    /// Effective speed, mm/s.
    public var speedMMps: Int64
    /// 1e-2 degree, [0, 36 000).
    public var bearingCentideg: Int64
    /// Measured by the receiver, or not.
    public var hasSpeed: Bool
    public var hasBearing: Bool
    public var provider: FixProvider
    public var isMock: Bool
    public var movement: MovementStatus
    public var acceptReason: DecisionReason
    /// Cumulative distance within the session, millimetres.
    public var odometerMM: Int64
    public var batteryPercent: Int?
    public var isCharging: Bool?
    /// The longest silence of the receiver since the previous stored point, milliseconds (spec capture §10.3).
    public var silenceMillis: Int64 = 0
    /// Why, when the silence was a gap.
    public var gapCause: GapCause?
    /// What the carrier was doing, and since when.
    public var activity: Activity?
    public var activitySince: UTCTime?
    /// Ten minutes were spent within 60 m of it (spec capture §10.4).
    public var isSignificantStop = false

    public init(
        id: Int64 = 0, uuid: String, sessionID: String, time: UTCTime, instant: Instant, bootID: String,
        localDate: String, timeZone: String, latitudeE7: Int32, longitudeE7: Int32, accuracyMM: Int64,
        altitudeMM: Int64?, speedMMps: Int64, bearingCentideg: Int64, hasSpeed: Bool, hasBearing: Bool,
        provider: FixProvider, isMock: Bool, movement: MovementStatus, acceptReason: DecisionReason,
        odometerMM: Int64, batteryPercent: Int?, isCharging: Bool?
    ) {
        self.id = id
        self.uuid = uuid
        self.sessionID = sessionID
        self.time = time
        self.instant = instant
        self.bootID = bootID
        self.localDate = localDate
        self.timeZone = timeZone
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7
        self.accuracyMM = accuracyMM
        self.altitudeMM = altitudeMM
        self.speedMMps = speedMMps
        self.bearingCentideg = bearingCentideg
        self.hasSpeed = hasSpeed
        self.hasBearing = hasBearing
        self.provider = provider
        self.isMock = isMock
        self.movement = movement
        self.acceptReason = acceptReason
        self.odometerMM = odometerMM
        self.batteryPercent = batteryPercent
        self.isCharging = isCharging
    }

    public var coordinate: Coordinate { Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) }
}
