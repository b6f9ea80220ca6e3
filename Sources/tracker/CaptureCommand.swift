import LinuxIO
import TrackerRuntime
import WireText

/// `start`, `stop`, `pace`, `fix`, `odometer`: capture in the operator's hand.
enum CaptureCommand {
    private static let usage = """
        usage: tracker start [--tag TEXT]             open a session, if none is open
               tracker stop                           close the session; capture waits for start, over restarts too
               tracker pace moving|still              say that it moves, or stands, without waiting for the proof
               tracker fix [--accuracy M] [--timeout SECONDS] [--no-feed] [--json]
                                                      one position now; --no-feed keeps it out of the track
               tracker odometer [reset]               metres of all sessions; count from zero again
        All ask the daemon: [--config FILE] [--socket PATH]

        """
    /// Beside the time that the daemon takes for a fix.
    private static let marginMillis: Int64 = 5_000

    static func run(_ name: String, _ words: [String]) -> Int32 {
        DaemonCommand.run(
            name, words, usage: usage, options: ["--accuracy", "--timeout", "--tag"],
            switches: ["--json", "--no-feed"], read: request
        ) { (arguments, wish) throws(DaemonConnection.Failure) in
            switch (name, arguments.operands) {
            case ("start", []): try start(arguments)
            case ("stop", []):
                show(try DaemonConnection(arguments).ask("stop"), arguments, none: "no session was open")
            case ("pace", ["moving"]): try pace(arguments, isMoving: true)
            case ("pace", ["still"]): try pace(arguments, isMoving: false)
            case ("fix", []): try fix(arguments, wish)
            case ("odometer", []): try odometer(arguments)
            case ("odometer", ["reset"]): try resetOdometer(arguments)
            default: return nil
            }
            return ExitStatus.ok
        }
    }

    private static func start(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        var request = JSONObject()
        request["tag"] = arguments.value("--tag").map { .string($0) }
        let result = try DaemonConnection(arguments).ask("start", request)
        show(result, arguments, none: "no session could be opened")
        if let tag = request["tag"], result["tag"] != tag {
            Terminal.complain("a session was open already; it keeps its tag\n")
        }
    }

    private static func show(_ result: JSONValue, _ arguments: Arguments, none: String) {
        if arguments.has("--json") { return Terminal.print(result.text + "\n") }
        guard let id = result["id"]?.stringValue else { return Terminal.print(none + "\n") }
        let times = [("since", result["startedAt"]), ("until", result["endedAt"])].compactMap { word, value in
            value?.stringValue.map { ", \(word) \($0)" }
        }
        let tag = result["tag"]?.stringValue.map { " '\($0)'" } ?? ""
        Terminal.print("session \(id)\(tag)\(times.joined())\n")
    }

    private static func pace(_ arguments: Arguments, isMoving: Bool) throws(DaemonConnection.Failure) {
        let result = try DaemonConnection(arguments).ask("changePace", ["moving": .bool(isMoving)])
        guard let motion = result["motion"]?.stringValue else { throw .otherAnswer }
        Terminal.print(motion + "\n")
    }

    private static func request(_ arguments: Arguments) throws(Arguments.Failure) -> JSONObject {
        var request: JSONObject = ["feed": .bool(!arguments.has("--no-feed"))]
        if let text = arguments.value("--accuracy") {
            guard let accuracy = Double(text), accuracy.isFinite else {
                throw .init(message: "--accuracy '\(text)' is no number of metres")
            }
            request["accuracyM"] = .decimal(accuracy, places: 3)
        }
        if let text = arguments.value("--timeout") {
            guard let seconds = Int64(text), (1...300).contains(seconds) else {
                throw .init(message: "--timeout '\(text)' is not 1…300 seconds")
            }
            request["timeoutMs"] = .int(seconds * 1_000)
        }
        return request
    }

    private static func fix(_ arguments: Arguments, _ request: JSONObject) throws(DaemonConnection.Failure) {
        let wait = request["timeoutMs"]?.intValue ?? 300_000
        let fix = try DaemonConnection(arguments).ask(
            "getCurrentLocation", request, timeoutMillis: wait + marginMillis)
        if arguments.has("--json") { return Terminal.print(fix.text + "\n") }
        let parts = [
            fix["lat"]?.text, fix["lon"]?.text, fix["accuracyM"].map { "± \($0.text) m" }, fix["time"]?.stringValue,
            fix["satellitesUsed"].map { "\($0.text) satellites" },
        ]
        Terminal.print(parts.compactMap { $0 }.joined(separator: ", ") + "\n")
    }

    private static func odometer(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let result = try DaemonConnection(arguments).ask("getOdometerMeters")
        if arguments.has("--json") { return Terminal.print(result.text + "\n") }
        guard let meters = result["meters"]?.text else { throw .missing("meters") }
        Terminal.print(meters + " m\n")
    }

    private static func resetOdometer(_ arguments: Arguments) throws(DaemonConnection.Failure) {
        let result = try DaemonConnection(arguments).ask("resetOdometer")
        if arguments.has("--json") { return Terminal.print(result.text + "\n") }
        guard let before = result["beforeMeters"]?.text else { throw .missing("beforeMeters") }
        Terminal.print("0 m; it had counted \(before) m\n")
    }
}
