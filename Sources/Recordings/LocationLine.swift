public import TrackerModel

/// A line of a location recording: one fix as the receiver gave it, or one stored point.
///
/// `{"acc":4.500,"lat":46.803253300,"lon":7.144876300,"speed":1.250,"t":1777878012.000}`; units are metres, m/s,
/// degrees and seconds. See docs/modules/recordings.md for every key.
public struct LocationLine: Equatable, Sendable {
    /// `nil` while the date was not known; then there is a reading of the boot clock.
    public var time: UTCTime?
    /// Nanoseconds of the boot clock when the fix was determined.
    public var monotonicNanos: Int64?
    /// Which boot the clock belongs to.
    public var bootID: String?
    /// As recorded, not validated.
    public var coordinate: Coordinate
    /// NaN when unknown.
    public var accuracyM: Double
    public var altitudeM: Double?
    public var verticalAccuracyM: Double?
    public var speedMps: Double?
    public var courseDeg: Double?
    public var speedAccuracyMps: Double?
    public var courseAccuracyDeg: Double?
    public var provider: FixProvider
    public var isMock: Bool
    public var satellitesUsed: Int?
    public var hdop: Double?

    /// A fix, as `tracker record` keeps it.
    public init(_ fix: TrackFix, bootID: String?) {
        time = fix.time
        monotonicNanos = fix.instant.nanos
        self.bootID = bootID
        coordinate = fix.coordinate
        accuracyM = fix.accuracyM
        altitudeM = fix.altitudeM
        verticalAccuracyM = fix.verticalAccuracyM
        speedMps = fix.speedMps
        courseDeg = fix.courseDeg
        speedAccuracyMps = fix.speedAccuracyMps
        courseAccuracyDeg = fix.courseAccuracyDeg
        provider = fix.provider
        isMock = fix.isMock
        satellitesUsed = fix.satellitesUsed
        hdop = fix.hdop
    }

    /// A fix as it was stored before any gate. A position that is no number is written as 0, 0, which is none either.
    public init(_ raw: RawFix) {
        time = raw.time
        monotonicNanos = raw.instant.nanos
        bootID = raw.bootID
        coordinate = Coordinate(latitudeE7: raw.latitudeE7 ?? 0, longitudeE7: raw.longitudeE7 ?? 0)
        accuracyM = raw.accuracyMM.map { Double($0) / 1_000 } ?? .nan
        altitudeM = raw.altitudeMM.map { Double($0) / 1_000 }
        verticalAccuracyM = raw.verticalAccuracyMM.map { Double($0) / 1_000 }
        speedMps = raw.speedMMps.map { Double($0) / 1_000 }
        courseDeg = raw.courseCentideg.map { Double($0) / 100 }
        speedAccuracyMps = raw.speedAccuracyMMps.map { Double($0) / 1_000 }
        courseAccuracyDeg = raw.courseAccuracyCentideg.map { Double($0) / 100 }
        provider = raw.provider
        isMock = raw.isMock
        satellitesUsed = raw.satellitesUsed
        hdop = raw.hdopCenti.map { Double($0) / 100 }
    }

    /// A stored point; without speed or course where the receiver measured none.
    public init(_ point: TrackPoint) {
        time = point.time
        monotonicNanos = point.instant.nanos
        bootID = point.bootID
        coordinate = point.coordinate
        accuracyM = Double(point.accuracyMM) / 1_000
        altitudeM = point.altitudeMM.map { Double($0) / 1_000 }
        speedMps = point.hasSpeed ? Double(point.speedMMps) / 1_000 : nil
        courseDeg = point.hasBearing ? Double(point.bearingCentideg) / 100 : nil
        provider = point.provider
        isMock = point.isMock
    }

    /// The fix, determined at an instant of the clock it is played on.
    public func fix(at instant: Instant) -> TrackFix {
        TrackFix(
            time: time, instant: instant, receivedAt: instant, coordinate: coordinate, accuracyM: accuracyM,
            altitudeM: altitudeM, verticalAccuracyM: verticalAccuracyM, speedMps: speedMps, courseDeg: courseDeg,
            speedAccuracyMps: speedAccuracyMps, courseAccuracyDeg: courseAccuracyDeg, provider: provider,
            isMock: isMock, satellitesUsed: satellitesUsed, hdop: hdop)
    }
}
