import CLinux
import ConfigFile
import Glibc
import LinuxIO
import Ports
import Recordings
import TrackerModel
import TrackerRuntime
import WireText

/// `tracker replay FILE…`: recordings through the whole runtime, on a clock that only the recording moves.
enum ReplayCommand {
    static func run(_ words: [String]) -> Int32 {
        let request: ReplayRequest
        do throws(Arguments.Failure) { request = try ReplayRequest(words) } catch {
            Terminal.complain("tracker replay: \(error.message)\n" + ReplayRequest.usage)
            return ExitStatus.usage
        }
        if request.arguments.has("--help") {
            Terminal.print(ReplayRequest.usage)
            return ExitStatus.ok
        }
        signal(SIGPIPE, SIG_IGN)
        let played: Played
        let config: TrackerConfig
        let outputs: ReplayOutputs
        do throws(any Error) {
            if let fixture = try FixtureReplay.fixture(request) {
                played = .fixture(fixture)
                config = try FixtureReplay.config(fixture, request)
            } else {
                played = .recording(try open(request))
                config = try request.config()
            }
            outputs = try ReplayOutputs(request.arguments, explain: request.explain, config: config.capture)
        } catch let failure as RecordingFailure {
            return refuse(failure.text)
        } catch let failure as ConfigFailure {
            let file = request.arguments.value("--config") ?? request.arguments.operands[0]
            Terminal.complain(ConfigCommand.lines(failure.problems, in: file))
            return ExitStatus.config
        } catch let failure as Arguments.Failure {
            return refuse(failure.message)
        } catch {
            return refuse("\(error)")
        }
        return replay(played, request, config, outputs)
    }

    private enum Played {
        case recording(MergedRecording)
        case fixture(Fixture)
    }

    private static func open(_ request: ReplayRequest) throws(RecordingFailure) -> MergedRecording {
        var files = RecordingFiles()
        for path in request.arguments.operands { try files.add(path) }
        if let path = request.arguments.value("--motion") { try files.addMotion(path) }
        return try files.merged
    }

    private static func replay(
        _ played: Played, _ request: ReplayRequest, _ config: TrackerConfig, _ outputs: ReplayOutputs
    ) -> Int32 {
        var settings = Replay.Settings(
            log: JournalLog(minimum: .error), digests: OpenSSLDigests(),
            calendar: SystemZoneCalendar(zoneID: config.timeZone))
        settings.recordedOn = request.recordedOn
        settings.onDecision = { outputs.take($0, $1) }
        if let pace = request.pace { settings.wait = { wait(until: pace.deadline(offsetNanos: $0), outputs) } }
        let started = linux_clock_nanos(CLOCK_MONOTONIC)
        var report: JSONObject
        var mismatches = ""
        do throws(Replay.Failure) {
            let name = request.arguments.operands.joined(separator: " ")
            switch played {
            case .recording(let recording):
                report = try Replay.run(recording, name: name, config: config, settings).json
            case .fixture(let fixture):
                let judged = try Replay.run(fixture, config: config, settings)
                report = judged.report.json
                mismatches = FixtureReplay.text(judged, fixture)
            }
        } catch {
            outputs.flush()
            return refuse(error.text)
        }
        report["wallMs"] = .int((linux_clock_nanos(CLOCK_MONOTONIC) - started) / 1_000_000)
        outputs.flush()
        if let problem = outputs.problem { return refuse(problem) }
        let text = request.arguments.has("--json") ? JSONValue.object(report).text + "\n" : page(report)
        // What a program reads is not mixed with what people read.
        if outputs.isOnStandardOutput {
            Terminal.complain(outputs.explanation.map { $0 + "\n" } ?? text)
        } else {
            Terminal.print(outputs.explanation.map { $0 + "\n" } ?? text)
        }
        Terminal.complain(mismatches)
        return mismatches.isEmpty ? ExitStatus.ok : ExitStatus.refused
    }

    private static func wait(until deadline: Instant, _ outputs: ReplayOutputs) {
        var rest = deadline.nanos(since: Instant(nanos: linux_clock_nanos(CLOCK_BOOTTIME)))
        if rest > 0 { outputs.flush() }
        while rest > 0 {
            var pause = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
            nanosleep(&pause, nil)
            rest = deadline.nanos(since: Instant(nanos: linux_clock_nanos(CLOCK_BOOTTIME)))
        }
    }

    private static func refuse(_ message: String) -> Int32 {
        Terminal.complain("tracker replay: \(message)\n")
        return ExitStatus.refused
    }

    private static func page(_ report: JSONObject) -> String {
        zip(report.names, report.values).map { name, value in
            "\(name)\(String(repeating: " ", count: max(1, 16 - name.count)))\(value.text)\n"
        }.joined()
    }
}
