import CLinux
import ConfigFile
import Glibc
import LinuxIO
import Ports
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

/// `tracker replay FILE…`: recordings through the whole runtime, on a clock that only the recording moves.
enum ReplayCommand {
    private static let usage = """
        usage: tracker replay FILE… [--json] [--config FILE] [--date YYYY-MM-DD]
        Plays raw receiver logs through the whole runtime and prints what it made of them.

        Dates of the recordings are believed as they are. Where a receiver's week count had rolled over, so that it
        reports dates of 1 024 weeks ago, give about the day of the recording with --date.

        """

    static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        var recordedOn: UTCTime?
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: ["--config", "--date"], switches: ["--json", "--help"])
            if arguments.has("--help") {
                Terminal.print(usage)
                return ExitStatus.ok
            }
            recordedOn = try arguments.date("--date")
            if arguments.operands.isEmpty { throw .init(message: "name at least one recording") }
        } catch {
            Terminal.complain("tracker replay: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        var config = TrackerConfig()
        if let path = arguments.value("--config") {
            do throws(ConfigFailure) {
                config = try ConfigTable.resolve(try YAMLFile.read(path: path)).config
            } catch {
                Terminal.complain(ConfigCommand.lines(error.problems, in: path))
                return ExitStatus.config
            }
        }
        var logs: [[UInt8]] = []
        for path in arguments.operands {
            do throws(SystemFailure) { logs.append(try AtomicFile.read(path: path, limit: Int(Int32.max))) } catch {
                Terminal.complain("tracker replay: \(error); name readable recordings\n")
                return ExitStatus.refused
            }
        }
        return replay(arguments.operands, logs, config, recordedOn, asJSON: arguments.has("--json"))
    }

    private static func replay(
        _ names: [String], _ logs: [[UInt8]], _ config: TrackerConfig, _ recordedOn: UTCTime?, asJSON: Bool
    ) -> Int32 {
        let started = linux_clock_nanos(CLOCK_MONOTONIC)
        do throws(StoreFailure) {
            var report = try Replay.run(
                name: names.joined(separator: " "), logs: logs, config: config,
                store: try SQLiteStore(path: ":memory:"),
                log: JournalLog(minimum: .error), digests: OpenSSLDigests(),
                calendar: SystemZoneCalendar(zoneID: config.timeZone), recordedOn: recordedOn
            ).json
            report["wallMs"] = .int((linux_clock_nanos(CLOCK_MONOTONIC) - started) / 1_000_000)
            Terminal.print(asJSON ? JSONValue.object(report).text + "\n" : page(report))
            return ExitStatus.ok
        } catch {
            Terminal.complain("tracker replay: \(error.cause); \(error.remedy)\n")
            return ExitStatus.refused
        }
    }

    private static func page(_ report: JSONObject) -> String {
        zip(report.names, report.values).map { name, value in
            "\(name)\(String(repeating: " ", count: max(1, 16 - name.count)))\(value.text)\n"
        }.joined()
    }
}
