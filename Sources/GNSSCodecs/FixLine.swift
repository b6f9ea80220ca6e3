import TrackerModel
import WireText

/// One epoch as a line of JSON, as `tracker decode` prints it.
public enum FixLine {
    /// `{"time":"2010-04-03T12:22:27.000Z","timeMs":1270297347000,"lat":46.8031550,…,"source":"nmea"}` without a line
    /// end. Degrees with 7 decimals, metres and seconds with 3, mode 1 none, 2 2-D, 3 3-D; what is unknown is left out.
    /// `nil` for what is no epoch.
    public static func json(_ output: GNSSOutput, source: String = "nmea") -> String? {
        var line = JSONObject()
        switch output {
        case .sky, .health, .identity, .reply, .notice, .diagnostic: return nil
        case .noFix(let time, _):
            add(time, to: &line)
            line["mode"] = .int(Int64(FixMode.none.rawValue))
        case .fix(let fix):
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
        }
        line["source"] = .string(source)
        return JSONValue.object(line).text
    }

    private static func add(_ time: UTCTime?, to line: inout JSONObject) {
        guard let time else { return }
        line["time"] = .string(TimeText.iso(time))
        line["timeMs"] = .int(time.millis)
    }
}
