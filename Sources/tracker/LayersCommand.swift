import LinuxIO
import TrackerModel
import TrackerRuntime
import WireText

/// `decisions`, `raw`, `judged`, `fixture`: the diagnostic layers, from the daemon.
enum LayersCommand {
    private static let usage = """
        usage: tracker decisions [--session ID] [--limit N] [--offset N] [--json]   newest first, why fixes were kept or dropped
               tracker decisions --explain ID         in plain words, one of them by the number of its row
               tracker raw [--session ID] [--limit N] [--offset N]      fixes as they came, as a recording
               tracker judged [--session ID] [--limit N] [--offset N]   judged fixes in the shape of points
               tracker fixture [SESSION] [--name NAME]                  fixes to judge again with tracker replay
        N is 200 when not said, 5000 at most. All ask the daemon: [--config FILE] [--socket PATH]

        """
    /// A long answer takes its time on a small board.
    private static let timeoutMillis: Int64 = 30_000

    static func run(_ name: String, _ words: [String]) -> Int32 {
        DaemonCommand.run(
            name, words, usage: usage, options: ["--session", "--limit", "--offset", "--explain", "--name"],
            read: { (arguments) throws(Arguments.Failure) in
                if arguments.operands.count > (name == "fixture" ? 1 : 0) {
                    throw .init(message: "'\(arguments.operands[arguments.operands.count - 1])' is not expected")
                }
                return try request(arguments)
            }
        ) { (arguments, wish) throws(DaemonConnection.Failure) in
            switch name {
            case "decisions": try decisions(arguments, wish)
            case "raw": try lines(arguments, "getRawFixes", wish, key: "persistRawFixes")
            case "judged": try lines(arguments, "getRawPoints", wish, key: "persistRawPoints")
            default: try fixture(arguments)
            }
            return ExitStatus.ok
        }
    }

    private static func request(_ arguments: Arguments) throws(Arguments.Failure) -> JSONObject {
        var request = JSONObject()
        request["sessionID"] = arguments.value("--session").map { .string($0) }
        for (option, name) in [("--limit", "limit"), ("--offset", "offset"), ("--explain", "id")] {
            guard let text = arguments.value(option) else { continue }
            guard let number = Int64(text), number >= 0 else {
                throw .init(message: "\(option) '\(text)' is no whole number")
            }
            request[name] = .int(number)
        }
        return request
    }

    private static func ask(
        _ arguments: Arguments, _ op: String, _ wish: JSONObject
    ) throws(DaemonConnection.Failure) -> JSONValue {
        try DaemonConnection(arguments).ask(op, wish, timeoutMillis: timeoutMillis)
    }

    /// Asks for page after page until there are no more, or as many as were wanted: a reply holds 1 MiB.
    private static func pages(
        _ arguments: Arguments, _ op: String, _ wish: JSONObject, key: String, _ take: ([JSONValue]) -> Void
    ) throws(DaemonConnection.Failure) {
        var wish = wish
        var left = wish["limit"]?.intValue ?? 200
        var earlier: Set<String> = []
        while true {
            let result = try ask(arguments, op, wish)
            guard let page = result["rows"]?.arrayValue else { throw .missing("rows") }
            if earlier.isEmpty { warn(result, key: key) }
            // Rows that came in meanwhile have pushed the last of one page into the next.
            let rows = page.filter { !earlier.contains($0.text) }
            earlier = Set(page.map(\.text))
            take(rows)
            left -= Int64(rows.count)
            guard let next = result["next"], left > 0, !page.isEmpty else { return }
            wish["offset"] = next
            wish["limit"] = .int(left)
        }
    }

    private static func decisions(_ arguments: Arguments, _ wish: JSONObject) throws(DaemonConnection.Failure) {
        if wish["id"] != nil {
            let words = try ask(arguments, "getDecisions", wish)["explanation"]?.stringValue
            return Terminal.print((words ?? "") + "\n")
        }
        try pages(arguments, "getDecisions", wish, key: "persistDecisions") { rows in
            for row in rows { Terminal.print((arguments.has("--json") ? row.text : line(row)) + "\n") }
        }
    }

    /// Number, time, outcome and the numbers that people look at first.
    private static func line(_ row: JSONValue) -> String {
        let time = row["t"]?.doubleValue.map { TimeText.iso(.init(millis: Int64($0 * 1_000))) } ?? "no date"
        let parts = [
            row["n"]?.text, time, row["verdict"]?.stringValue, row["reason"]?.stringValue,
            row["distanceM"].map { "\($0.text) m" }, row["acc"].map { "± \($0.text) m" },
            row["speedMps"].map { "\($0.text) m/s" }, row["motion"]?.stringValue,
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }

    /// As a recording: oldest first.
    private static func lines(
        _ arguments: Arguments, _ op: String, _ wish: JSONObject, key: String
    ) throws(DaemonConnection.Failure) {
        // The newest page comes first, each oldest first.
        var newer: [[JSONValue]] = []
        try pages(arguments, op, wish, key: key) { newer.append($0) }
        for row in newer.reversed().joined() { Terminal.print(row.text + "\n") }
    }

    private static func warn(_ result: JSONValue, key: String) {
        guard result["enabled"]?.boolValue == false else { return }
        Terminal.complain("persistence.\(key) is off: nothing new is kept; set it to true and restart the daemon\n")
    }

    private static func fixture(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        var wish = JSONObject()
        wish["sessionID"] = arguments.operands.first.map { .string($0) }
        wish["name"] = arguments.value("--name").map { .string($0) }
        let fixture = try ask(arguments, "exportFixture", wish)
        Terminal.print(fixture.text + "\n")
        if fixture["fixes"]?.arrayValue?.isEmpty ?? true {
            Terminal.complain("no raw fixes are stored of this session; persistence.persistRawFixes keeps them\n")
        }
        if fixture["truncated"]?.boolValue == true {
            let count = fixture["fixes"]?.arrayValue?.count ?? 0
            Terminal.complain("only the newest \(count) fixes of the session; device-cli raw --offset has older ones\n")
        }
    }
}
