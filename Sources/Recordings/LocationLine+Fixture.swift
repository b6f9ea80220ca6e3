import TrackerModel
import WireText

/// A fix of a fixture: `timeMs`, `elapsedNs`, `lat`, `lng`, `acc`, `spd`, `brg` and so on (spec capture §15).
extension LocationLine {
    private static let latestMillis = 4_102_444_800_000.0
    private static let longestNanos = 4e18

    init(fixture line: RecordedObject) throws(RecordingFailure) {
        time = try line.number("timeMs", in: 0...Self.latestMillis).map { UTCTime(millis: Int64($0.rounded())) }
        // Read whole: nanoseconds of a long uptime are beyond the exact integers of a Double.
        monotonicNanos =
            try line.number("elapsedNs", in: 0...Self.longestNanos) == nil
            ? nil : line.object["elapsedNs"]?.intValue
        guard time != nil || monotonicNanos != nil else { throw line.failure("there is neither timeMs nor elapsedNs") }
        bootID = try line.string("boot")
        coordinate = Coordinate(latitude: try line.required("lat"), longitude: try line.required("lng"))
        accuracyM = try line.quantity("acc", upTo: 1e9) ?? .nan
        altitudeM = try line.number("alt", in: -1e9...1e9)
        verticalAccuracyM = try line.quantity("vAcc", upTo: 1e9)
        // Where the flags are missing the numbers speak for themselves.
        let hasSpeed = try line.bool("hasSpeed") ?? true
        let hasBearing = try line.bool("hasBearing") ?? true
        let speed = try line.quantity("spd", upTo: 12_000)
        let course = try line.quantity("brg", upTo: 360).map { $0 == 360 ? 0 : $0 }
        speedMps = hasSpeed ? speed : nil
        courseDeg = hasBearing ? course : nil
        speedAccuracyMps = try line.quantity("spdAcc", upTo: 12_000)
        courseAccuracyDeg = try line.quantity("brgAcc", upTo: 360)
        provider = try line.string("provider").map { FixProvider(rawValue: $0) ?? .unknown } ?? .replay
        isMock = try line.bool("mock") ?? false
    }

    var fixtureJSON: JSONValue {
        var object = JSONObject()
        object["timeMs"] = time.map { .int($0.millis) }
        object["elapsedNs"] = monotonicNanos.map { .int($0) }
        object["lat"] = .decimal(coordinate.latitude, places: 7)
        object["lng"] = .decimal(coordinate.longitude, places: 7)
        object["acc"] = .decimal(accuracyM, places: 3)
        object["spd"] = .decimal(speedMps ?? 0, places: 3)
        object["brg"] = .decimal(courseDeg ?? 0, places: 2)
        object["hasSpeed"] = .bool(speedMps != nil)
        object["hasBearing"] = .bool(courseDeg != nil)
        object["provider"] = .string(provider.rawValue)
        object["mock"] = .bool(isMock)
        object["spdAcc"] = speedAccuracyMps.flatMap { .decimal($0, places: 3) }
        object["brgAcc"] = courseAccuracyDeg.flatMap { .decimal($0, places: 2) }
        object["boot"] = bootID.map { .string($0) }
        object["alt"] = altitudeM.flatMap { .decimal($0, places: 3) }
        object["vAcc"] = verticalAccuracyM.flatMap { .decimal($0, places: 3) }
        return .object(object)
    }
}
