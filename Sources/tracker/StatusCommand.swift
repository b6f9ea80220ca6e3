import ConfigFile
import Glibc
import LinuxIO
import Ports
import TrackerModel
import TrackerRuntime
import WireText

/// `status`: asks the daemon; when it is down, says so and shows the last snapshot with its age.
enum StatusCommand {
    private static let usage = "usage: tracker status [--json] [--config FILE] [--socket PATH] [--state-dir DIR]\n"
    private static let defaultConfig = "/etc/tracker/tracker.yaml"
    private static let timeoutMillis: Int64 = 5_000

    static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        do throws(Arguments.Failure) {
            arguments = try Arguments(
                words, options: ["--config", "--socket", "--state-dir"], switches: ["--json"])
            if !arguments.operands.isEmpty { throw .init(message: "'\(arguments.operands[0])' is not expected") }
        } catch {
            Terminal.complain("tracker status: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        let config = places(arguments.value("--config"))
        let socket = arguments.value("--socket") ?? config.socket
        let stateDir = arguments.value("--state-dir") ?? config.stateDir
        let asJSON = arguments.has("--json")
        do throws(ControlFailure) {
            let request = JSONValue.object(["id": 1, "op": "state"])
            let reply = try ControlClient.exchange(path: socket, line: request.bytes, timeoutMillis: timeoutMillis)
            return show(reply, asJSON: asJSON)
        } catch {
            Terminal.complain("tracker status: \(error.cause); \(error.remedy)\n")
            showLast(in: stateDir, asJSON: asJSON)
            return ExitStatus.notReachable
        }
    }

    /// Socket and state directory from the configuration, as far as it can be read.
    private static func places(_ path: String?) -> TrackerConfig {
        let entries = (try? YAMLFile.read(path: path ?? defaultConfig)) ?? []
        return (try? ConfigTable.resolve(entries.filter { $0.path.hasPrefix("service.") }).config) ?? TrackerConfig()
    }

    private static func show(_ reply: [UInt8], asJSON: Bool) -> Int32 {
        guard let json = try? JSONReader.parse(reply), json["ok"]?.boolValue == true, let status = json["result"] else {
            let message = (try? JSONReader.parse(reply))?["message"]?.stringValue ?? "an answer of another kind"
            Terminal.complain("tracker status: the daemon refuses: \(message)\n")
            return ExitStatus.refused
        }
        Terminal.print(asJSON ? status.text + "\n" : StatusPage.text(status))
        return ExitStatus.ok
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
