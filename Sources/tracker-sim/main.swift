import DeviceSimulator
import Glibc
import WireText

/// One JSON line on stdout for every event, at once: a test waits for it.
func printEvent(_ event: JSONObject) {
    let line = JSONValue.object(event).bytes + [0x0A]
    _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

func printError(_ text: String) {
    let line = Array(("tracker-sim: " + text + "\n").utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

do throws(UsageFailure) {
    let command = try Command(Array(CommandLine.arguments.dropFirst()))
    do throws(BenchFailure) {
        try command.run(emit: printEvent)
    } catch {
        printError("\(error.cause). \(error.remedy)")
        exit(1)
    }
} catch {
    printError(error.message + "\nRun tracker-sim --help for the commands and their options.")
    exit(2)
}
