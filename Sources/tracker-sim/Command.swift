import DeviceSimulator

/// What the command line asks for.
enum Command {
    case uart(log: String, UARTPlayer.Options)
    case accel(AccelerometerRequest)
    case journey(name: String, folder: String, seed: UInt64?)
    case journeyList
    case receiver(PointReceiver.Options)
    case gnss(GNSSRequest)
    case modem(ModemPort.Options)
    case board(BoardRequest)
    case help
    case version

    init(_ words: [String]) throws(UsageFailure) {
        var arguments = ArgumentList(words)
        if words.contains("--help") || words.contains("-h") {
            self = .help
            return
        }
        if arguments.takeFlag("--version") {
            self = .version
            return
        }
        switch arguments.takePositional() {
        case "board": self = .board(try BoardRequest(&arguments))
        case "gnss": self = .gnss(try GNSSRequest(&arguments))
        case "modem": self = .modem(try ModemPort.Options(&arguments))
        case "uart": self = try Self.uart(&arguments)
        case "accel": self = .accel(try AccelerometerRequest(&arguments))
        case "journey": self = try Self.journey(&arguments)
        case "receiver": self = try Self.receiver(&arguments)
        case "help": self = .help
        case "version": self = .version
        case let word?: throw UsageFailure(message: "there is no command \"\(word)\"")
        case nil:
            throw UsageFailure(message: "expected a command: board, gnss, uart, accel, modem, journey or receiver")
        }
        try arguments.expectEnd()
    }

    private static func uart(_ arguments: inout ArgumentList) throws(UsageFailure) -> Command {
        let log = try arguments.takeRequired("--play", of: "uart")
        var options = UARTPlayer.Options(link: try arguments.takeRequired("--link", of: "uart"))
        let speed = try arguments.take("--speed", "a number above 0 or max") { text in
            text == "max" ? UARTPlayer.Speed.max : positive(text).map { UARTPlayer.Speed.times($0) }
        }
        if let speed { options.speed = speed }
        options.loops = arguments.takeFlag("--loop")
        options.startAfterSeconds = try arguments.take("--start-after", "seconds, 0 or more") { text in
            Double(text).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        }
        options.baud = try arguments.take("--baud", "a rate such as 9600") { Int($0).flatMap { $0 > 0 ? $0 : nil } }
        return .uart(log: log, options)
    }

    private static func journey(_ arguments: inout ArgumentList) throws(UsageFailure) -> Command {
        if arguments.takeFlag("--list") { return .journeyList }
        guard let name = arguments.takePositional() else {
            throw UsageFailure(message: "journey needs a name (see journey --list)")
        }
        guard Journey.list.contains(where: { $0.name == name }) else {
            throw UsageFailure(message: "there is no journey \"\(name)\" (see journey --list)")
        }
        let folder = try arguments.takeRequired("--out", of: "journey")
        let seed = try arguments.take("--seed", "a whole number, 0 or more") { UInt64($0) }
        return .journey(name: name, folder: folder, seed: seed)
    }

    private static func receiver(_ arguments: inout ArgumentList) throws(UsageFailure) -> Command {
        var options = PointReceiver.Options()
        guard let port = try arguments.take("--port", "a port, or 0 for any", { UInt16($0) }) else {
            throw UsageFailure(message: "receiver needs --port")
        }
        options.port = port
        if let text = try arguments.takeOption("--status-script") {
            do throws(BenchFailure) {
                options.script = try StatusScript(text)
            } catch {
                throw UsageFailure(message: error.cause + ". " + error.remedy)
            }
        }
        let positive: (String) -> Int? = { Int($0).flatMap { $0 > 0 ? $0 : nil } }
        options.refusedPoint = try arguments.take("--refuse-point", "a number above 0", positive)
        options.mostPoints = try arguments.take("--most-points", "a number above 0", positive)
        options.keepPath = try arguments.takeOption("--keep")
        return .receiver(options)
    }

    static func positive(_ text: String) -> Double? {
        Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }
}
