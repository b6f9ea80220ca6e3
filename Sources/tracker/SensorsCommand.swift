import TrackerRuntime
import WireText

/// `sensors`: what the device's own sensors are and are worth; with `--self-test` the chip tests itself first.
enum SensorsCommand {
    private static let usage = "usage: tracker sensors [--self-test] [--json] [--config FILE] [--socket PATH]\n"

    /// - Returns: 1 also when the self-test was not passed.
    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run(
            "sensors", words, usage: usage, switches: ["--json", "--self-test"], read: DaemonCommand.noOperands
        ) { (arguments, _) throws(DaemonConnection.Failure) in
            let tests = arguments.has("--self-test")
            let sensors = try DaemonConnection(arguments).ask("getSensors", tests ? ["selfTest": true] : [:])
            Terminal.print(arguments.has("--json") ? sensors.text + "\n" : SensorsPage.text(sensors))
            return tests && sensors["selfTest.passed"]?.boolValue != true ? ExitStatus.refused : ExitStatus.ok
        }
    }
}
