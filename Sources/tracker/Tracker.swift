import Glibc

/// The one binary: `tracker run` is the daemon; under the name `device-cli` it is the operator's tool.
@main
enum Tracker {
    static let version = "0.1.0"

    private static let usage = """
        usage: tracker run --config FILE [--state-dir DIR] [--time-scale N]
               tracker status [--json] [--config FILE] [--socket PATH] [--state-dir DIR]
               tracker doctor [--json]
               tracker start | stop | pace moving|still | fix | odometer
               tracker points | count | sessions | session show | session delete
               tracker events [--json] | offer LAT LON ACCURACY
               tracker decisions | raw | judged | fixture
               tracker record --out FILE [--motion FILE] [--raw FILE] [--seconds N] [--force]
               tracker battery
               tracker power [set TIER [--for 2h] | set auto]
               tracker link [--json]
               tracker gnss status | sky | reset | raw | calibrate
               tracker sensors [--self-test] [--json]
               tracker fence add | list | remove | history
               tracker config check FILE | explain | show
               tracker sync status | now | request | test | configure | resume | wipe | quarantine | events
               tracker decode FILE|- [--date YYYY-MM-DD] [--sky] [--raw]
               tracker replay FILE… [--json] [--explain N] [--decisions FILE|-] [--csv FILE|-] [--points FILE|-]
               tracker judge TRACK --truth TRUTH [--json] [--date YYYY-MM-DD]
               tracker version
        The same commands work as device-cli. See the README for each.

        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(status(of: arguments))
    }

    private static func status(of arguments: [String]) -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "run": return RunCommand.run(rest)
        case "start", "stop", "pace", "fix", "odometer": return CaptureCommand.run(arguments[0], rest)
        case "decisions", "raw", "judged", "fixture": return LayersCommand.run(arguments[0], rest)
        case "points", "count": return PointsCommand.run(arguments[0], rest)
        case "sessions", "session": return SessionCommand.run(arguments[0], rest)
        case "events": return EventsCommand.run(rest)
        case "offer": return OfferCommand.run(rest)
        case "record": return RecordCommand.run(rest)
        case "battery", "power": return PowerCommand.run(arguments[0], rest)
        case "link": return LinkCommand.run(rest)
        case "gnss": return GNSSCommand.run(rest)
        case "doctor": return DoctorCommand.run(rest)
        case "sensors": return SensorsCommand.run(rest)
        case "fence": return FenceCommand.run(rest)
        case "sync": return SyncCommand.run(rest)
        case "status": return StatusCommand.run(rest)
        case "config": return ConfigCommand.run(rest)
        case "decode": return DecodeCommand.run(rest)
        case "replay": return ReplayCommand.run(rest)
        case "judge": return JudgeCommand.run(rest)
        case "version", "--version":
            Terminal.print("tracker \(version)\n")
            return ExitStatus.ok
        case "help", "--help", "-h":
            Terminal.print(usage)
            return ExitStatus.ok
        case let word?:
            Terminal.complain("tracker: there is no command '\(word)'\n" + usage)
            return ExitStatus.usage
        case nil:
            Terminal.complain(usage)
            return ExitStatus.usage
        }
    }
}

/// Exit statuses: spec api §1 for the tool, sysexits(3) for the daemon.
enum ExitStatus {
    static let ok: Int32 = 0
    static let refused: Int32 = 1
    static let usage: Int32 = 2
    /// No daemon answers; as daemon: another one does.
    static let notReachable: Int32 = 3
    // 4 and 5 are `DoctorReport.exitStatus`.
    /// EX_CANTCREAT: the state directory or database cannot be used.
    static let cannotCreate: Int32 = 73
    /// EX_CONFIG: the configuration cannot be used and there is no last good one.
    static let config: Int32 = 78
}

/// Plain output, written whole.
enum Terminal {
    static func print(_ text: String) { write(text, to: STDOUT_FILENO) }
    static func complain(_ text: String) { write(text, to: STDERR_FILENO) }

    /// False when nobody reads any more.
    static func write(_ bytes: [UInt8]) -> Bool { write(bytes, to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) { _ = write(Array(text.utf8), to: descriptor) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
