import ConfigFile
import LinuxIO
import Ports
import TrackerRuntime
import WireText

/// `battery` and `power`: what there is to spend, and what it is spent on.
enum PowerCommand {
    private static let usage = """
        usage: tracker battery [--json]               charge, voltage, supply; without a daemon it looks itself
               tracker power [--json]                 the tier, and the energy of today and the last 7 days
               tracker power set TIER [--for 2h]      normal, saver, critical, survival or shutdown, for 24 h when not said
               tracker power set auto                 the battery decides again
        They ask the daemon: [--config FILE] [--socket PATH]

        """

    static func run(_ name: String, _ words: [String]) -> Int32 {
        DaemonCommand.run(
            name, words, usage: usage, options: ["--for"],
            read: { (arguments) throws(Arguments.Failure) -> Int64? in
                if let text = arguments.value("--for") { try duration(text) } else { nil }
            }
        ) { (arguments, millis) throws(DaemonConnection.Failure) in
            switch (name, arguments.operands) {
            case ("battery", []): battery(arguments)
            case ("power", []): show(try DaemonConnection(arguments).ask("power"), arguments, PowerPage.text(power:))
            case ("power", let words) where words.count == 2 && words[0] == "set":
                var wish: JSONObject = ["tier": .string(words[1])]
                wish["forMs"] = millis.map { .int($0) }
                show(try DaemonConnection(arguments).ask("power.set", wish), arguments, tierInForce)
            default: return nil
            }
            return ExitStatus.ok
        }
    }

    private static func tierInForce(_ status: JSONValue) -> String {
        let rest = status["override"]?["remainingSec"]?.doubleValue
        let tier = status["tier"]?.stringValue ?? "unknown"
        return tier + (rest.map { " for \(StatusPage.duration($0))" } ?? ", as the battery has it") + "\n"
    }

    /// Whatever else is down: the battery is the first suspect.
    private static func battery(_ arguments: Arguments) {
        var answer: JSONValue
        do throws(DaemonConnection.Failure) { answer = try DaemonConnection(arguments).ask("batteryInfo") } catch {
            Terminal.complain("tracker battery: \(error.message); this is a look without it\n")
            answer = PowerSources(config(arguments), isScaled: false).look()
        }
        show(answer, arguments, PowerPage.text(battery:))
    }

    /// As far as the file can be read.
    private static func config(_ arguments: Arguments) -> TrackerConfig {
        let path = arguments.value("--config") ?? DaemonConnection.defaultConfig
        return ConfigTable.usable((try? YAMLFile.read(path: path)) ?? [])
    }

    private static func show(_ value: JSONValue, _ arguments: Arguments, _ page: (JSONValue) -> String) {
        Terminal.print(arguments.has("--json") ? value.text + "\n" : page(value))
    }

    /// `90s`, `30m`, `2h`, `7d`.
    private static func duration(_ text: String) throws(Arguments.Failure) -> Int64 {
        let units: [Character: Int64] = ["s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (1...9_999).contains(count)
        else { throw .init(message: "--for '\(text)' is no time such as 90s, 30m, 2h or 7d") }
        return count * unit
    }
}
