import TrackerRuntime
import WireText

/// `events`: what the tracker tells of itself, as it happens.
enum EventsCommand {
    private static let usage = "usage: tracker events [--json] [--config FILE] [--socket PATH]\n"

    static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: DaemonConnection.options, switches: ["--json"])
            if !arguments.operands.isEmpty { throw .init(message: "'\(arguments.operands[0])' is not expected") }
        } catch {
            Terminal.complain("tracker events: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        let asJSON = arguments.has("--json")
        do throws(DaemonConnection.Failure) {
            let topics: JSONObject = ["topics": .array(["events"])]
            try DaemonConnection(arguments).follow("subscribe", topics, result: { _ in }) { event in
                Terminal.write(Array(((asJSON ? event.text : TrackPage.event(event)) + "\n").utf8))
            }
            return ExitStatus.ok
        } catch {
            Terminal.complain("tracker events: \(error.message)\n")
            return error.status
        }
    }
}
