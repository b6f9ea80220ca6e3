public import TrackerModel
public import WireText

/// One epoch as a line of JSON, as `tracker decode` prints it.
public enum FixLine {
    /// What is known besides the epoch.
    public struct Surroundings {
        /// The last complete sky.
        public var sky: SkyView?
        public var antenna: AntennaState?
        /// List the satellites, not only their number.
        public var listsSatellites = false

        public init() {}
    }

    /// `{"time":"2010-04-03T12:22:27.000Z","timeMs":1270297347000,"lat":46.8031550,…,"source":"nmea"}` without a line
    /// end. Degrees with 7 decimals, metres and seconds with 3, mode 1 none, 2 2-D, 3 3-D; what is unknown is left out.
    /// `nil` for what is no epoch.
    public static func json(
        _ output: GNSSOutput, source: String = "nmea", with surroundings: Surroundings = Surroundings()
    ) -> String? {
        var line = JSONObject()
        switch output {
        case .sky, .health, .identity, .reply, .notice, .diagnostic: return nil
        case .noFix(let time, _):
            add(time, to: &line)
            line["mode"] = .int(Int64(FixMode.none.rawValue))
        case .fix(let fix):
            line = object(fix)
        }
        if let sky = surroundings.sky {
            line["satellitesInView"] = .int(Int64(sky.satellites.count))
            if surroundings.listsSatellites { line["sky"] = .array(sky.satellites.map { .object(json($0)) }) }
        }
        line["antenna"] = surroundings.antenna.map { .string($0.rawValue) }
        line["source"] = .string(source)
        return JSONValue.object(line).text
    }

    /// A fix with every value that is known, in the order of `json`.
    public static func object(_ fix: TrackFix) -> JSONObject {
        var line = JSONObject()
        add(fix.time, to: &line)
        line["lat"] = .decimal(fix.coordinate.latitude, places: 7)
        line["lon"] = .decimal(fix.coordinate.longitude, places: 7)
        line["accuracyM"] = .decimal(fix.accuracyM, places: 2)
        line["altM"] = fix.altitudeM.flatMap { .decimal($0, places: 3) }
        line["speedMps"] = fix.speedMps.flatMap { .decimal($0, places: 3) }
        line["courseDeg"] = fix.courseDeg.flatMap { .decimal($0, places: 2) }
        line["mode"] = fix.mode.map { .int(Int64($0.rawValue)) }
        line["satellitesUsed"] = fix.satellitesUsed.map { .int(Int64($0)) }
        line["hdop"] = fix.hdop.flatMap { .decimal($0, places: 2) }
        line["pdop"] = fix.pdop.flatMap { .decimal($0, places: 2) }
        line["vdop"] = fix.vdop.flatMap { .decimal($0, places: 2) }
        return line
    }

    /// `{"system":"gps","number":2,"elevationDeg":46,"azimuthDeg":305,"cn0DBHz":41,"used":true}`.
    private static func json(_ satellite: SatelliteInView) -> JSONObject {
        var object: JSONObject = [
            "system": .string(satellite.constellation.rawValue), "number": .int(Int64(satellite.number)),
        ]
        object["elevationDeg"] = satellite.elevationDeg.map { .int(Int64($0)) }
        object["azimuthDeg"] = satellite.azimuthDeg.map { .int(Int64($0)) }
        object["cn0DBHz"] = satellite.cn0DBHz.map { .int(Int64($0)) }
        object["used"] = .bool(satellite.isUsed)
        return object
    }

    /// One frame as `tracker decode --raw` prints it:
    /// `{"offset":0,"length":72,"format":"nmea","kind":"GPRMC","checksum":"ok"}`.
    public static func json(_ frame: RawFrame) -> String {
        var line: JSONObject = [
            "offset": .int(frame.offset), "length": .int(Int64(frame.length)), "format": .string(frame.format.rawValue),
            "kind": .string(frame.kind), "checksum": .string(frame.checksum.rawValue),
        ]
        if frame.isMalformed { line["malformed"] = true }
        return JSONValue.object(line).text
    }

    private static func add(_ time: UTCTime?, to line: inout JSONObject) {
        guard let time else { return }
        line["time"] = .string(TimeText.iso(time))
        line["timeMs"] = .int(time.millis)
    }
}
