import LinuxIO
import TrackerModel
import TrackerRuntime
import WireText

/// `fence`: circles on the ground that are watched, and what happened at them.
enum FenceCommand {
    private static let usage = """
        usage: tracker fence add ID LAT LON RADIUS [--dwell SECONDS] [--no-entry] [--no-exit]
                                                      watch a circle (degrees, metres); the same ID replaces it
               tracker fence list [--json]            the circles that are watched
               tracker fence remove ID | --all        stop watching; the history stays
               tracker fence history [ID] [--limit N] [--json]
                                                      entries, exits and stays, newest first (200 when not said)
               tracker fence history --delete ID | --all
                                                      delete the history of one, or all of it
        All ask the daemon: [--config FILE] [--socket PATH]

        """

    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run(
            "fence", Array(words.dropFirst()), usage: usage, options: ["--dwell", "--limit"],
            switches: ["--json", "--no-entry", "--no-exit", "--all", "--delete"], read: { _ in }
        ) { (arguments, _) throws(DaemonConnection.Failure) in
            switch (words.first, arguments.operands.count, arguments.has("--all")) {
            case ("add", 4, false): try add(arguments)
            case ("list", 0, false): try list(arguments)
            case ("remove", 1, false): try remove(arguments.operands[0], arguments)
            case ("remove", 0, true): try removeAll(arguments)
            case ("history", 0...1, false) where !arguments.has("--delete"): try history(arguments)
            case ("history", 1, false): try delete(arguments)
            case ("history", 0, true) where arguments.has("--delete"): try delete(arguments)
            default: return nil
            }
            return ExitStatus.ok
        }
    }

    private static func add(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let words = arguments.operands
        var request: JSONObject = [
            "id": .string(words[0]), "latitude": number(words[1], places: 7), "longitude": number(words[2], places: 7),
            "radiusM": number(words[3], places: 3),
        ]
        if arguments.has("--no-entry") { request["notifyOnEntry"] = false }
        if arguments.has("--no-exit") { request["notifyOnExit"] = false }
        request["dwellAfterMs"] = arguments.value("--dwell").map(milliseconds)
        let armed = try DaemonConnection(arguments).ask("addGeofence", request)
        if arguments.has("--json") { return Terminal.print(armed.text + "\n") }
        Terminal.print(row(armed) + "\n")
        if let warning = armed["warning"]?.stringValue { Terminal.complain("tracker fence: \(warning)\n") }
    }

    /// What is no number goes as it is: the daemon names it among all the other problems.
    private static func number(_ word: String, places: Int) -> JSONValue {
        Double(word).flatMap { JSONValue.decimal($0, places: places) } ?? .string(word)
    }

    private static func milliseconds(_ seconds: String) -> JSONValue {
        guard let number = Double(seconds), abs(number) < 1e12 else { return .string(seconds) }
        return .int(Int64((number * 1_000).rounded()))
    }

    private static func list(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let fences = try DaemonConnection(arguments).ask("getGeofences")
        if arguments.has("--json") { return Terminal.print(fences.text + "\n") }
        Terminal.print((fences.arrayValue ?? []).map { row($0) + "\n" }.joined())
    }

    private static func remove(_ id: String, _ arguments: Arguments) throws(DaemonConnection.Failure) {
        let result = try DaemonConnection(arguments).ask("removeGeofence", ["id": .string(id)])
        guard result["removed"]?.boolValue == true else {
            throw .refused("\(ErrorCode.notFound.rawValue): there is no fence '\(id)'; see tracker fence list")
        }
        Terminal.print(arguments.has("--json") ? result.text + "\n" : "removed\n")
    }

    private static func removeAll(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let result = try DaemonConnection(arguments).ask("removeAllGeofences")
        guard let count = result["removed"]?.intValue else { throw .otherAnswer }
        Terminal.print(arguments.has("--json") ? result.text + "\n" : "\(count) removed\n")
    }

    private static func history(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        var request = identity(arguments)
        request["limit"] = arguments.value("--limit").map { word in Int64(word).map { .int($0) } ?? .string(word) }
        let crossings = try DaemonConnection(arguments).ask("getGeofenceEvents", request)
        if arguments.has("--json") { return Terminal.print(crossings.text + "\n") }
        let lines = (crossings.arrayValue ?? []).map { crossing in
            let time = TimeText.iso(UTCTime(millis: crossing["timeMs"]?.intValue ?? 0))
            let kind = crossing["kind"]?.stringValue ?? ""
            let flags = ["late", "unverified"].filter { crossing[$0]?.boolValue == true }.map { ", \($0)" }.joined()
            return "\(time)  \(padded(kind, 5))  \(crossing["fenceID"]?.stringValue ?? "")\(flags)\n"
        }
        Terminal.print(lines.joined())
    }

    private static func delete(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let result = try DaemonConnection(arguments).ask("deleteGeofenceEvents", identity(arguments))
        guard let count = result["deleted"]?.intValue else { throw .otherAnswer }
        Terminal.print(arguments.has("--json") ? result.text + "\n" : "\(count) deleted\n")
    }

    private static func identity(_ arguments: Arguments) -> JSONObject {
        var object = JSONObject()
        object["id"] = arguments.operands.first.map { .string($0) }
        return object
    }

    /// One fence as a line.
    private static func row(_ fence: JSONValue) -> String {
        func decimal(_ path: String, places: Int) -> String { fence[path]?.rounded(places) ?? "" }
        let flags = [("notifyOnEntry", "entry"), ("notifyOnExit", "exit")]
        var told = flags.filter { fence[$0.0]?.boolValue == true }.map(\.1)
        if let dwell = fence["dwellAfterMs"]?.intValue {
            told.append("a stay of " + StatusPage.duration(Double(dwell) / 1_000))
        }
        let inside = fence["inside"]?.boolValue == true ? ", inside" : ""
        return padded(fence["id"]?.stringValue ?? "", 14) + " " + decimal("latitude", places: 7) + ", "
            + decimal("longitude", places: 7) + ", " + decimal("radiusM", places: 1) + " m, reports "
            + told.joined(separator: " and ") + inside
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
