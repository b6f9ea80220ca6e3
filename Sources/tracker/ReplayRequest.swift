import CLinux
import ConfigFile
import Glibc
import Ports
import TrackerEngine
import TrackerModel
import TrackerRuntime

/// The command line of a replay, read.
struct ReplayRequest {
    static let usage = """
        usage: tracker replay FILE… [--json] [--config FILE] [--ruleset device|reference] [--date YYYY-MM-DD]
                              [--motion FILE] [--speed N|max] [--explain N]
                              [--decisions FILE|-] [--csv FILE|-] [--points FILE|-]
        Plays recordings through the whole runtime and prints what it made of them.

        FILE is a recording of fixes, or a receiver's log (an index of times FILE.idx beside it is used); several are
        played one after the other. A fixture is judged alone, and compared with what it expects: exit 1 where it differs.
          --motion     samples of an accelerometer, in the order of the boot clock with the fixes
          --ruleset    judge by other rules than the configuration says
          --speed      wait as the recording did, N times as fast; max, the default, never waits
          --decisions  every decision with its numbers, one JSON object a line
          --csv        the same as a table of integers
          --points     the stored points, as a recording of fixes
          --explain    in plain words why decision N (from 1) kept or dropped its fix
          --date       about the day of a log whose receiver's week count had rolled over, so that it reports dates of
                       1 024 weeks ago; else its dates are believed as they are

        """

    let arguments: Arguments
    let recordedOn: UTCTime?
    let explain: Int64?
    let pace: ReplayPace?
    private let ruleSet: RuleSet?

    init(_ words: [String]) throws(Arguments.Failure) {
        arguments = try Arguments(
            words,
            options: ReplayOutputs.options.union(
                ["--config", "--date", "--ruleset", "--motion", "--speed", "--explain"]),
            switches: ["--json", "--help"])
        recordedOn = try arguments.date("--date")
        ruleSet = try Self.ruleSet(arguments.value("--ruleset"))
        pace = try Self.pace(arguments.value("--speed"))
        explain = try Self.number(arguments.value("--explain"))
        if arguments.operands.isEmpty, !arguments.has("--help") {
            throw .init(message: "name at least one recording")
        }
    }

    private static func ruleSet(_ text: String?) throws(Arguments.Failure) -> RuleSet? {
        guard let text else { return nil }
        guard let ruleSet = RuleSet(rawValue: text) else {
            throw .init(message: "--ruleset is device or reference, not '\(text)'")
        }
        return ruleSet
    }

    private static func pace(_ text: String?) throws(Arguments.Failure) -> ReplayPace? {
        guard let text, text != "max" else { return nil }
        let now = Instant(nanos: linux_clock_nanos(CLOCK_BOOTTIME))
        guard let speed = Double(text), let pace = ReplayPace(speed: speed, now: now) else {
            throw .init(message: "--speed is a number above 0, or max, not '\(text)'")
        }
        return pace
    }

    private static func number(_ text: String?) throws(Arguments.Failure) -> Int64? {
        guard let text else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw .init(message: "--explain is the number of a decision, from 1, not '\(text)'")
        }
        return number
    }

    /// The configuration to judge by.
    func config() throws(ConfigFailure) -> TrackerConfig {
        guard let path = arguments.value("--config") else { return config(over: TrackerConfig()) }
        return config(over: try ConfigTable.resolve(try YAMLFile.read(path: path)).config)
    }

    func config(over base: TrackerConfig) -> TrackerConfig {
        var config = base
        if let ruleSet { config.capture.pipeline.ruleSet = ruleSet }
        return config
    }
}
