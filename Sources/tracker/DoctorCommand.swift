import ConfigFile
import Glibc
import LinuxIO
import Ports
import TrackerRuntime
import TrackerStore
import WireText

/// `doctor`: asks the daemon, or without one looks itself, and says rung by rung what is wrong and what to do.
enum DoctorCommand {
    private static let usage = "usage: tracker doctor [--json] [--config FILE] [--socket PATH] [--state-dir DIR]\n"
    private static let testMillis: Int64 = 60_000

    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run("doctor", words, usage: usage, read: DaemonCommand.noOperands) { (arguments, _) in
            let report = DoctorReport(facts(arguments))
            Terminal.print(arguments.has("--json") ? report.json.text + "\n" : report.text)
            return report.exitStatus
        }
    }

    private static func facts(_ arguments: Arguments) -> DoctorFacts {
        var facts = DoctorFacts()
        readConfig(arguments.value("--config") ?? DaemonConnection.defaultConfig, into: &facts)
        let daemon = DaemonConnection(arguments)
        facts.config.stateDir = daemon.stateDir
        do throws(DaemonConnection.Failure) {
            facts.status = try daemon.ask("state")
            facts.sensors = try daemon.ask("getSensors")
            facts.exchange = exchange(daemon, facts)
        } catch {
            if case .unreachable(let problem) = error {
                facts.daemon = .isDown(problem)
                if Host.userID != 0 {
                    Terminal.complain("tracker doctor: with sudo this look may open all that the service may\n")
                }
                DoctorLook.take(into: &facts)
            } else {
                facts.daemon = .isClosed(error.message)
            }
        }
        facts.isUnderVoltage = PiSupplySense(hwmonPath: facts.config.hwmonPath).isUnderVoltage()
        facts.hasClockChip = access("/dev/rtc0", F_OK) == 0
        facts.usage = SQLiteStore.usage(daemon.stateDir)
        measureSync(into: &facts)
        facts.unit = unit
        return facts
    }

    private static func readConfig(_ path: String, into facts: inout DoctorFacts) {
        facts.configPath = path
        do throws(ConfigFailure) {
            let entries = try YAMLFile.read(path: path)
            facts.config = ConfigTable.usable(entries)
            facts.configProblems = try ConfigTable.resolve(entries).warnings.map { ConfigCommand.text($0, in: path) }
        } catch { facts.configProblems = error.problems.map { ConfigCommand.text($0, in: path) } }
    }

    private static func exchange(_ daemon: DaemonConnection, _ facts: DoctorFacts) -> JSONValue? {
        guard facts.wantsExchange else { return nil }
        do throws(DaemonConnection.Failure) {
            return try daemon.ask("sync.test", ["bare": true], timeoutMillis: testMillis)
        } catch { return ["refusal": .string(error.message)] }
    }

    /// Twenty small files to the medium; the slowest but one, which 95 % are not slower than.
    private static func measureSync(into facts: inout DoctorFacts) {
        let path = facts.config.stateDir + "/doctor"
        defer { unlink(path) }
        var times: [Int64] = []
        do throws(SystemFailure) {
            for _ in 0..<20 {
                let start = Host.uptimeMillis
                try AtomicFile.write(path: path, bytes: [0], mode: 0o600)
                times.append(Host.uptimeMillis - start)
            }
            facts.syncMillis = times.sorted()[18]
        } catch {
            // The directory is the service user's.
            if error.number != EACCES { facts.syncProblem = "\(error)" }
        }
    }

    private static var unit: DoctorFacts.Unit? {
        guard access("/run/systemd/system", F_OK) == 0 else { return nil }
        let wanted = "/etc/systemd/system/multi-user.target.wants/tracker.service"
        let text = (try? AtomicFile.read(path: wanted)).map { String(decoding: $0, as: UTF8.self) }
        return DoctorFacts.Unit(
            isEnabled: text != nil,
            hasWatchdog: text?.split(separator: "\n").contains { $0.hasPrefix("WatchdogSec=") } == true,
            keepsJournal: access("/var/log/journal", F_OK) == 0)
    }
}
