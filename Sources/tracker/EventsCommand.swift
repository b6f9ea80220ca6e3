import TrackerRuntime
import WireText

/// `events`: what the tracker tells of itself, as it happens.
enum EventsCommand {
    private static let usage = "usage: tracker events [--json] [--config FILE] [--socket PATH]\n"

    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run("events", words, usage: usage, read: DaemonCommand.noOperands) {
            (arguments, _) throws(DaemonConnection.Failure) in
            let asJSON = arguments.has("--json")
            let topics: JSONObject = ["topics": .array(["events"])]
            try DaemonConnection(arguments).follow("subscribe", topics, result: { _ in }) { event in
                Terminal.write(Array(((asJSON ? event.text : TrackPage.event(event)) + "\n").utf8))
            }
            return ExitStatus.ok
        }
    }
}
