import Glibc
import HTTPUplink
import LinuxIO
import Ports
import TrackerRuntime
import TrackerStore
import WireText

/// `tracker run`: builds the adapters that the configuration names, and runs the loop until told to stop.
enum RunCommand {
    private static let usage = """
        usage: tracker run --config FILE [--state-dir DIR] [--time-scale N]
          --state-dir   instead of service.stateDir
          --time-scale  run the clock N times faster (simulated devices only)

        """

    static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: ["--config", "--time-scale", "--state-dir"])
            if !arguments.operands.isEmpty { throw .init(message: "'\(arguments.operands[0])' is not expected") }
        } catch {
            Terminal.complain("tracker run: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        guard let path = arguments.value("--config") else {
            Terminal.complain("tracker run: --config is missing\n" + usage)
            return ExitStatus.usage
        }
        guard let scale = timeScale(arguments.value("--time-scale")) else {
            Terminal.complain("tracker run: --time-scale is a number from 1 to 1000\n" + usage)
            return ExitStatus.usage
        }
        do throws(ConfigFailure) {
            let loaded = try LoadedConfig(
                path: path, stateDir: arguments.value("--state-dir"),
                environmentStateDir: getenv("STATE_DIRECTORY").map { String(cString: $0) })
            return Daemon(loaded, timeScale: scale).run()
        } catch {
            Terminal.complain(ConfigCommand.lines(error.problems, in: path))
            Terminal.complain("tracker run: the configuration cannot be used, and there is no last good one\n")
            return ExitStatus.config
        }
    }

    private static func timeScale(_ text: String?) -> Double? {
        guard let text else { return 1 }
        guard let scale = Double(text), (1...1_000).contains(scale) else { return nil }
        return scale
    }
}
