import ConfigFile
import Ports
import TrackerRuntime

/// `config check FILE` and `config explain`.
enum ConfigCommand {
    static func run(_ words: [String]) -> Int32 {
        switch (words.first, words.count) {
        case ("check", 2): return check(words[1])
        case ("explain", 1):
            Terminal.print(ConfigTable.explanation())
            return ExitStatus.ok
        default:
            Terminal.complain("usage: tracker config check FILE | explain\n")
            return ExitStatus.usage
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
