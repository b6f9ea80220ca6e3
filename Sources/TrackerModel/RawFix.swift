/// A fix that was due or refused, as it came, in stored form: integers in stated units (spec capture §16, layer 1). Of one
/// that was judged, a velocity that cannot be (negative, not finite) is left out.
public struct RawFix: Equatable, Sendable {
    /// `nil` while the date was not known.
    public var time: UTCTime?
    public var instant: Instant
    /// Which boot `instant` belongs to.
    public var bootID: String
    /// 1e-7 degree; `nil` where the receiver gave no number. Not validated.
    public var latitudeE7: Int32?
    public var longitudeE7: Int32?
    /// Millimetres; `nil` when unknown.
    public var accuracyMM: Int64?
    public var altitudeMM: Int64?
    public var verticalAccuracyMM: Int64?
    public var speedMMps: Int64?
    /// 1e-2 degree, [0, 36 000).
    public var courseCentideg: Int64?
    public var speedAccuracyMMps: Int64?
    public var courseAccuracyCentideg: Int64?
    public var provider: FixProvider
    public var isMock: Bool
    public var satellitesUsed: Int?
    /// Hundredths.
    public var hdopCenti: Int64?

    public init(time: UTCTime?, instant: Instant, bootID: String, provider: FixProvider, isMock: Bool) {
        self.time = time
        self.instant = instant
        self.bootID = bootID
        self.provider = provider
        self.isMock = isMock
    }

    public init(_ fix: TrackFix, bootID: String) {
        self.init(
            time: fix.time, instant: fix.instant, bootID: bootID, provider: fix.provider, isMock: fix.isMock)
        latitudeE7 = Self.stored(fix.coordinate.latitude, 1e7).flatMap(Int32.init(exactly:))
        longitudeE7 = Self.stored(fix.coordinate.longitude, 1e7).flatMap(Int32.init(exactly:))
        accuracyMM = Self.stored(fix.receivedAccuracyM ?? fix.accuracyM, 1_000)
        altitudeMM = Self.stored(fix.altitudeM, 1_000)
        verticalAccuracyMM = Self.stored(fix.verticalAccuracyM, 1_000)
        speedMMps = Self.stored(fix.speedMps, 1_000)
        courseCentideg = Self.stored(fix.courseDeg, 100).map { $0 % 36_000 }
        speedAccuracyMMps = Self.stored(fix.speedAccuracyMps, 1_000)
        courseAccuracyCentideg = Self.stored(fix.courseAccuracyDeg, 100)
        satellitesUsed = fix.satellitesUsed
        hdopCenti = Self.stored(fix.hdop, 100)
    }

    private static func stored(_ value: Double?, _ scale: Double) -> Int64? {
        guard let value else { return nil }
        let scaled = (value * scale).rounded()
        // Above that a Double has no exact integers any more.
        return scaled.isFinite && abs(scaled) < 9e15 ? Int64(scaled) : nil
    }
}
