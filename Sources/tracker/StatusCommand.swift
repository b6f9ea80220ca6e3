import Glibc
import LinuxIO
import TrackerModel
import TrackerRuntime
import WireText

/// `status`: asks the daemon; when it is down, says so and shows the last snapshot with its age.
enum StatusCommand {
    private static let usage = "usage: tracker status [--json] [--config FILE] [--socket PATH] [--state-dir DIR]\n"

    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run("status", words, usage: usage, read: DaemonCommand.noOperands) { (arguments, _) in
            let daemon = DaemonConnection(arguments)
            let asJSON = arguments.has("--json")
            do throws(DaemonConnection.Failure) {
                let status = try daemon.ask("state")
                Terminal.print(asJSON ? status.text + "\n" : StatusPage.text(status))
                return ExitStatus.ok
            } catch {
                Terminal.complain("tracker status: \(error.message)\n")
                if error.status == ExitStatus.notReachable { showLast(in: daemon.stateDir, asJSON: asJSON) }
                return error.status
            }
        }
    }

    private static func showLast(in stateDir: String, asJSON: Bool) {
        let path = stateDir + "/" + SnapshotFile.name
        guard let bytes = try? AtomicFile.read(path: path), let snapshot = try? JSONReader.parse(bytes),
            case .object(var root) = snapshot, var service = root["service"]?.objectValue
        else {
            Terminal.complain("There is no earlier snapshot in \(stateDir).\n")
            return
        }
        let age = service["savedAt"]?.stringValue.flatMap(TimeText.parse).map { saved in
            max(0, Int64(time(nil)) - saved.millis / 1_000)
        }
        service["state"] = "down"
        service["snapshotAgeSec"] = age.map { .int($0) }
        root["service"] = .object(service)
        if asJSON {
            Terminal.print(JSONValue.object(root).text + "\n")
        } else {
            let when = age.map { StatusPage.duration(Double($0)) } ?? "an unknown time"
            Terminal.print("The daemon is down. Last snapshot, \(when) old:\n" + StatusPage.text(.object(root)))
        }
    }
}
