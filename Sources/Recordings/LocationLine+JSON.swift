import TrackerModel
public import WireText

extension LocationLine {
    /// What no fix exceeds: a larger number is a damaged line. Metres, m/s.
    private static let farthestM = 1e9
    /// Above the speed of any orbit.
    private static let fastestMps = 12_000.0

    init(_ line: RecordedObject) throws(RecordingFailure) {
        time = try line.utc()
        monotonicNanos = try line.monotonicNanos()
        guard time != nil || monotonicNanos != nil else {
            throw line.failure("there is neither t (seconds since 1970) nor u (seconds of the boot clock)")
        }
        bootID = try line.string("boot")
        coordinate = Coordinate(latitude: try line.required("lat"), longitude: try line.required("lon"))
        accuracyM = try line.quantity("acc", upTo: Self.farthestM) ?? .nan
        altitudeM = try line.number("alt", in: -Self.farthestM...Self.farthestM)
        verticalAccuracyM = try line.quantity("vacc", upTo: Self.farthestM)
        speedMps = try line.quantity("speed", upTo: Self.fastestMps)
        courseDeg = try line.quantity("course", upTo: 360).map { $0 == 360 ? 0 : $0 }
        speedAccuracyMps = try line.quantity("sacc", upTo: Self.fastestMps)
        courseAccuracyDeg = try line.quantity("cacc", upTo: 360)
        provider = try line.string("prov").map { FixProvider(rawValue: $0) ?? .unknown } ?? .replay
        isMock = try line.bool("mock") ?? false
        satellitesUsed = try line.quantity("sats", upTo: 1_000).map { Int($0) }
        hdop = try line.quantity("hdop", upTo: 1_000)
    }

    /// Keys in alphabetical order, unknown values left out.
    public var json: JSONValue {
        var object = JSONObject()
        object["acc"] = .decimal(accuracyM, places: 3)
        object["alt"] = altitudeM.flatMap { .decimal($0, places: 3) }
        object["boot"] = bootID.map { .string($0) }
        object["cacc"] = courseAccuracyDeg.flatMap { .decimal($0, places: 3) }
        object["course"] = courseDeg.flatMap { .decimal($0, places: 3) }
        object["hdop"] = hdop.flatMap { .decimal($0, places: 2) }
        // A tenth of a millimetre: the sixtieths of a degree that NMEA counts in have no end in decimals.
        object["lat"] = .decimal(coordinate.latitude, places: 9)
        object["lon"] = .decimal(coordinate.longitude, places: 9)
        object["mock"] = isMock ? true : nil
        object["prov"] = .string(provider.rawValue)
        object["sacc"] = speedAccuracyMps.flatMap { .decimal($0, places: 3) }
        object["sats"] = satellitesUsed.map { .int(Int64($0)) }
        object["speed"] = speedMps.flatMap { .decimal($0, places: 3) }
        object["t"] = time.map { .fixed($0.millis, places: 3) }
        object["u"] = monotonicNanos.map { .fixed($0, places: 9) }
        object["vacc"] = verticalAccuracyM.flatMap { .decimal($0, places: 3) }
        return .object(object)
    }
}
