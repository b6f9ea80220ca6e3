import TrackerRuntime
import WireText

/// `link`: whether there is a way out, by which interface, and what became of the last exchange.
enum LinkCommand {
    private static let usage = "usage: tracker link [--json] [--config FILE] [--socket PATH]\n"

    static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: DaemonConnection.options, switches: ["--json"])
            if !arguments.operands.isEmpty { throw .init(message: "'\(arguments.operands[0])' is not expected") }
        } catch {
            Terminal.complain("tracker link: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        do throws(DaemonConnection.Failure) {
            let link = try DaemonConnection(arguments).ask("link")
            Terminal.print(arguments.has("--json") ? link.text + "\n" : StatusPage.link(link))
            return ExitStatus.ok
        } catch {
            Terminal.complain("tracker link: \(error.message)\n")
            return error.status
        }
    }
}
