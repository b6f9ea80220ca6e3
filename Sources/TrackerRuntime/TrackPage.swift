import TrackerModel
public import WireText

/// Points, sessions, events and settings as lines for a person at a terminal. Absent members are left out.
public enum TrackPage {
    /// `17  2026-05-04T07:00:12.000Z  47.0480300, 8.3205380  ± 5.0 m  11.2 m/s  moving  Vehicular  1018.1 m`.
    public static func point(_ point: JSONValue) -> String {
        let place = [point["latitude"]?.rounded(7), point["longitude"]?.rounded(7)].compactMap { $0 }
        return line([
            point["id"]?.text, time(point["timeMs"]), place.joined(separator: ", "),
            point["accuracyM"]?.rounded(1).map { "± \($0) m" }, point["speedMps"]?.rounded(1).map { "\($0) m/s" },
            point["movementStatus"]?.stringValue, point["acceptReason"]?.stringValue,
            point["odometerM"]?.rounded(1).map { "\($0) m" },
            point["isSignificantStop"]?.boolValue == true ? "stop" : nil,
        ])
    }

    /// `82db77da  2026-05-04T07:00:00.102Z  7 min 19 s  24 points  2597.6 m  open  'to work'  1 interruption`.
    public static func session(_ session: JSONValue) -> String {
        let interruptions = session["interruptions"]?.arrayValue?.count ?? 0
        return line([
            session["id"]?.stringValue.map { String($0.prefix(8)) }, time(session["startedAtMs"]),
            session["durationSec"]?.doubleValue.map { StatusPage.duration($0) },
            session["points"].map { counted($0.text, "point") }, session["distanceM"]?.rounded(1).map { "\($0) m" },
            session["isOpen"]?.boolValue == true ? "open" : nil, session["tag"]?.stringValue.map { "'\($0)'" },
            interruptions == 0 ? nil : counted("\(interruptions)", "interruption"),
        ])
    }

    /// All that is known of one session, a line each; its configuration as it would stand in a file.
    public static func sessionInFull(_ session: JSONValue) -> String {
        var lines = [Self.session(session), "id            \(session["id"]?.stringValue ?? "")"]
        if let end = time(session["endedAtMs"]) { lines.append("ended         \(end)") }
        for boot in session["bootIDs"]?.arrayValue ?? [] { lines.append("boot          \(boot.stringValue ?? "")") }
        for one in session["interruptions"]?.arrayValue ?? [] {
            lines.append("interruption  \(time(one["atMs"]) ?? ""), \(one["cause"]?.stringValue ?? "")")
        }
        let settings = session["configSnapshot"]?.objectValue ?? [:]
        for (key, value) in zip(settings.names, settings.values) {
            lines.append("config        \(key): \(value.plain)")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// `2026-05-04T07:00:12.000Z  motionChange  state moving`.
    public static func event(_ event: JSONValue) -> String {
        let name = event["event"]?.stringValue ?? ""
        let data = event["data"] ?? .null
        let words: String =
            switch name {
            case "location": point(data)
            case "locationRejected":
                line([
                    data["verdict"]?.stringValue, data["reason"]?.stringValue,
                    data["distanceMovedM"]?.rounded(1).map { "\($0) m" },
                ])
            default: members(data)
            }
        return line([time(event["atMs"]), name, words])
    }

    /// `geolocation.intervalMs: 60000 ms  (default)`.
    public static func setting(_ row: JSONValue) -> String {
        let unit = row["unit"]?.stringValue.map { " " + $0 } ?? ""
        let value = row["value"]?.stringValue ?? ""
        let shown = value.isEmpty ? "none" : value + unit
        return "\(row["key"]?.stringValue ?? ""): \(shown)  (\(row["source"]?.stringValue ?? ""))"
    }

    private static func members(_ data: JSONValue) -> String {
        let object = data.objectValue ?? [:]
        return zip(object.names, object.values).map { name, value in
            "\(name) \(value.plain)"
        }.joined(separator: ", ")
    }

    private static func counted(_ number: String, _ noun: String) -> String {
        "\(number) \(noun)\(number == "1" ? "" : "s")"
    }

    private static func line(_ parts: [String?]) -> String { parts.compactMap { $0 }.joined(separator: "  ") }

    private static func time(_ millis: JSONValue?) -> String? {
        millis?.intValue.map { TimeText.iso(UTCTime(millis: $0)) }
    }
}
