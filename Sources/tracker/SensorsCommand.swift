import TrackerRuntime
import WireText

/// `sensors`: what the device's own sensors are and are worth; with `--self-test` the chip tests itself first.
enum SensorsCommand {
    private static let usage = "usage: tracker sensors [--self-test] [--json] [--config FILE] [--socket PATH]\n"

    /// - Returns: 1 also when the self-test was not passed.
    static func run(_ words: [String]) -> Int32 {
        let arguments: Arguments
        do throws(Arguments.Failure) {
            arguments = try Arguments(words, options: DaemonConnection.options, switches: ["--json", "--self-test"])
            if !arguments.operands.isEmpty { throw .init(message: "'\(arguments.operands[0])' is not expected") }
        } catch {
            Terminal.complain("tracker sensors: \(error.message)\n" + usage)
            return ExitStatus.usage
        }
        do throws(DaemonConnection.Failure) {
            let tests = arguments.has("--self-test")
            let sensors = try DaemonConnection(arguments).ask("getSensors", tests ? ["selfTest": true] : [:])
            Terminal.print(arguments.has("--json") ? sensors.text + "\n" : SensorsPage.text(sensors))
            return tests && sensors["selfTest.passed"]?.boolValue != true ? ExitStatus.refused : ExitStatus.ok
        } catch {
            Terminal.complain("tracker sensors: \(error.message)\n")
            return error.status
        }
    }
}
