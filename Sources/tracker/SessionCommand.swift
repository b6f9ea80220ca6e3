import TrackerRuntime
import WireText

/// `sessions` and `session`: what was captured when, and deleting it.
enum SessionCommand {
    private static let usage = """
        usage: tracker sessions [--from T] [--to T] [--limit N] [--offset N] [--json]
                                                      by when they began, newest first, 100 when not said
               tracker session show [ID] [--json]     all that is known of one, or of the open one
               tracker session delete ID [--force]    with its points; --force: also those that were not sent
        ID may be short. T, inclusive: 2026-05-04, 2026-05-04T07:00:00Z or milliseconds since 1970.
        All ask the daemon: [--config FILE] [--socket PATH]

        """
    /// A long session takes its time to delete on a small board.
    private static let timeoutMillis: Int64 = 120_000

    static func run(_ name: String, _ words: [String]) -> Int32 {
        let isList = name == "sessions"
        return DaemonCommand.run(
            name, words, usage: usage, options: isList ? ["--from", "--to", "--limit", "--offset"] : [],
            switches: isList ? ["--json"] : ["--json", "--force"],
            read: { (arguments) throws(Arguments.Failure) in try arguments.query() }
        ) { (arguments, query) throws(DaemonConnection.Failure) in
            let daemon = DaemonConnection(arguments)
            let operands = arguments.operands
            switch (name, operands.first, operands.count) {
            case ("sessions", nil, _): try list(daemon, query, asJSON: arguments.has("--json"))
            case ("session", "show", 1...2) where !arguments.has("--force"):
                try show(daemon, operands.dropFirst().first, asJSON: arguments.has("--json"))
            case ("session", "delete", 2): try delete(daemon, operands[1], arguments)
            default: return nil
            }
            return ExitStatus.ok
        }
    }

    private static func list(
        _ daemon: DaemonConnection, _ query: JSONObject, asJSON: Bool
    ) throws(DaemonConnection.Failure) {
        let result = try daemon.ask("getSessions", query, timeoutMillis: timeoutMillis)
        guard let sessions = result["sessions"]?.arrayValue else { throw .missing("sessions") }
        for session in sessions { Terminal.print((asJSON ? session.text : TrackPage.session(session)) + "\n") }
        if let next = result["next"]?.intValue { Terminal.complain("there are more; --offset \(next) goes on\n") }
    }

    private static func show(
        _ daemon: DaemonConnection, _ id: String?, asJSON: Bool
    ) throws(DaemonConnection.Failure) {
        let session =
            if let id { try daemon.ask("getSession", ["id": .string(id)]) } else { try daemon.ask("currentSession") }
        if asJSON { return Terminal.print(session.text + "\n") }
        if session == .null { throw .refused("no session is open; see device-cli sessions") }
        Terminal.print(TrackPage.sessionInFull(session))
    }

    private static func delete(
        _ daemon: DaemonConnection, _ id: String, _ arguments: Arguments
    ) throws(DaemonConnection.Failure) {
        let request: JSONObject = ["id": .string(id), "force": .bool(arguments.has("--force"))]
        let result = try daemon.ask("deleteSession", request, timeoutMillis: timeoutMillis)
        if arguments.has("--json") { return Terminal.print(result.text + "\n") }
        guard let points = result["points"]?.intValue else { throw .missing("points") }
        let others = ["decisions", "rawFixes", "judgedPoints"].compactMap { result[$0]?.intValue }.reduce(0, +)
        Terminal.print("\(points) points and \(others) diagnostic rows deleted\n")
    }
}
