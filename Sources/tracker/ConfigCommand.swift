import ConfigFile
import Ports
import TrackerRuntime
import WireText

/// `config check FILE`, `config explain` and `config show`.
enum ConfigCommand {
    static func run(_ words: [String]) -> Int32 {
        switch (words.first, words.count) {
        case ("check", 2): return check(words[1])
        case ("explain", 1):
            Terminal.print(ConfigTable.explanation())
            return ExitStatus.ok
        default:
            if words.first == "show" { return show(Array(words.dropFirst())) }
            Terminal.complain(usage)
            return ExitStatus.usage
        }
    }

    private static let usage = """
        usage: tracker config check FILE     every problem of a file
               tracker config explain        every key: meaning, default, unit, range
               tracker config show [--json]  what the daemon runs with, and where each value is from

        """

    private static func show(_ words: [String]) -> Int32 {
        let arguments: Arguments
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: DaemonConnection.options, switches: ["--json"])
            if !arguments.operands.isEmpty { throw .init(message: "'\(arguments.operands[0])' is not expected") }
        } catch {
            Terminal.complain("tracker config show: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        do throws(DaemonConnection.Failure) {
            let result = try DaemonConnection(arguments).ask("getConfig")
            if arguments.has("--json") {
                Terminal.print(result.text + "\n")
            } else {
                guard let rows = result["keys"]?.arrayValue else { throw .missing("keys") }
                Terminal.print(rows.map { TrackPage.setting($0) + "\n" }.joined())
            }
            return ExitStatus.ok
        } catch {
            Terminal.complain("tracker config show: \(error.message)\n")
            return error.status
        }
    }

    /// Refuses problems and warnings alike: what is checked should be clean.
    private static func check(_ path: String) -> Int32 {
        do throws(ConfigFailure) {
            let resolved = try ConfigTable.resolve(try YAMLFile.read(path: path))
            if resolved.warnings.isEmpty {
                Terminal.print("\(path): ok\n")
                return ExitStatus.ok
            }
            Terminal.complain(lines(resolved.warnings, in: path))
        } catch {
            Terminal.complain(lines(error.problems, in: path))
        }
        return ExitStatus.refused
    }

    static func lines(_ problems: [ConfigProblem], in path: String) -> String {
        problems.map { text($0, in: path) + "\n" }.joined()
    }

    static func text(_ problem: ConfigProblem, in path: String) -> String {
        problem.line > 0 ? "\(path):\(problem.line): \(problem.message)" : "\(path): \(problem.message)"
    }
}
