import LinuxIO
import TrackerModel
import TrackerRuntime
import WireText

/// `offer`: fixes from elsewhere, judged like those of the receiver.
enum OfferCommand {
    private static let usage = """
        usage: tracker offer LAT LON ACCURACY [--time T] [--altitude M] [--speed M/S] [--bearing DEG] [--mock] [--json]
                                                      one fix: degrees, and its 68 % radius in metres
               tracker offer - [--json]               fixes from standard input, a JSON object a line:
                                                      {"latitude":47.05,"longitude":8.3,"accuracyM":5,"timeMs":…}
        A session must be open. T: 2026-05-04T07:00:00Z or milliseconds since 1970; now when not said, and the clock is
        trusted. Asks the daemon: [--config FILE] [--socket PATH]

        """
    private static let numbers = [
        ("--altitude", "altitudeM"), ("--speed", "speedMps"), ("--bearing", "bearingDeg"),
    ]

    static func run(_ words: [String]) -> Int32 {
        DaemonCommand.run(
            "offer", words, usage: usage, options: Set(numbers.map(\.0) + ["--time"]), switches: ["--json", "--mock"],
            read: { (arguments) throws(Arguments.Failure) in arguments.operands == ["-"] ? [] : [try fix(arguments)] }
        ) { (arguments, given) throws(DaemonConnection.Failure) in
            for fix in given.isEmpty ? try read() : given {
                let result = try DaemonConnection(arguments).ask("offerFix", fix)
                Terminal.print((arguments.has("--json") ? result.text : outcome(result)) + "\n")
            }
            return ExitStatus.ok
        }
    }

    private static func outcome(_ result: JSONValue) -> String {
        guard let decision = result["decision"] else { return "not due: the cadence asks for no fix now" }
        let verdict = [decision["verdict"]?.stringValue, decision["reason"]?.stringValue].compactMap { $0 }
        let point = result["point"].map { "  " + TrackPage.point($0) } ?? ""
        return verdict.joined(separator: "  ") + point
    }

    private static func fix(_ arguments: Arguments) throws(Arguments.Failure) -> JSONObject {
        guard arguments.operands.count == 3 else { throw .init(message: "LAT, LON and ACCURACY, or -") }
        var fix = JSONObject()
        for (name, word) in zip(["latitude", "longitude", "accuracyM"], arguments.operands) {
            fix[name] = try number(word, name == "accuracyM" ? 3 : 7, "'\(word)'")
        }
        for (option, name) in numbers {
            fix[name] = try arguments.value(option).map { word throws(Arguments.Failure) in
                try number(word, 3, "\(option) '\(word)'")
            }
        }
        if let text = arguments.value("--time") {
            guard let millis = Int64(text) ?? TimeText.parse(text)?.millis else {
                throw .init(message: "--time '\(text)' is neither 2026-05-04T07:00:00Z nor milliseconds since 1970")
            }
            fix["timeMs"] = .int(millis)
        }
        if arguments.has("--mock") { fix["isMock"] = true }
        return fix
    }

    private static func number(_ word: String, _ places: Int, _ what: String) throws(Arguments.Failure) -> JSONValue {
        guard let number = Double(word).flatMap({ JSONValue.decimal($0, places: places) }) else {
            throw .init(message: "\(what) is no number")
        }
        return number
    }

    private static func read() throws(DaemonConnection.Failure) -> [JSONObject] {
        let bytes: [UInt8]
        do throws(SystemFailure) { bytes = try AtomicFile.read(path: "/dev/stdin") } catch {
            throw .refused("standard input cannot be read: \(error)")
        }
        var fixes: [JSONObject] = []
        for (index, line) in bytes.split(separator: 0x0A).enumerated() {
            guard let fix = (try? JSONReader.parse(Array(line)))?.objectValue else {
                throw .refused("line \(index + 1) of standard input is no JSON object")
            }
            fixes.append(fix)
        }
        return fixes
    }
}
