import TrackerRuntime
import WireText

/// `link`: whether there is a way out, by which interface, and what became of the last exchange.
enum LinkCommand {
    private static let usage = "usage: tracker link [--json] [--config FILE] [--socket PATH]\n"

    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run("link", words, usage: usage, read: DaemonCommand.noOperands) {
            (arguments, _) throws(DaemonConnection.Failure) in
            let link = try DaemonConnection(arguments).ask("link")
            Terminal.print(arguments.has("--json") ? link.text + "\n" : StatusPage.link(link))
            return ExitStatus.ok
        }
    }
}
