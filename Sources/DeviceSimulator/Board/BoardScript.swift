/// What is on a simulated board and what happens to it, as text with one line for one thing; `#` starts a comment. The
/// script of each device is the one that it has alone, behind the device's name (docs/modules/simulator.md):
///
///     journey delivery 7              # the truth, for receiver and accelerometer alike; and a seed
///     receiver ublox8 hot             # family and start
///     receiver 600 silence for 60     # a fault of its script
///     accelerometer lis3dh
///     accelerometer 900 nak for 5
///     modem 18 bearer-lost reconnect  # signal, fault, what cures it
///     battery 3000 80                 # mWh, percent
///     drain 200 3600                  # beside what the board draws, mW for seconds
///     charge 2500 7200
public struct BoardScript: Sendable {
    public var journey: Journey
    public var receiver: SimulatedReceiver.Options
    public var chip = SimulatedChipModel.lis3dh
    public var chipFaults: [ChipFault] = []
    /// `nil`: there is none.
    public var modem: SimulatedModem.Options?
    public var battery: BatteryScript

    /// What a board is without a script.
    public static let usual = "journey urban-drive\nreceiver ublox8 hot\nbattery 3000 80\n"

    private static let form =
        "expected journey NAME [SEED], receiver FAMILY [START], accelerometer CHIP, modem [SIGNAL] [FAULT…] [CURE], "
        + "battery MWH PERCENT, drain or charge MW SECONDS, or a fault of receiver or accelerometer"

    /// - Throws: `ScriptFailure` with the line, or 0 where journey or battery is missing.
    public init(text: String) throws(ScriptFailure) {
        var journey: Journey?
        var receiver = SimulatedReceiver.Options()
        // Of each device the lines of its own script.
        var scripts = (receiver: [ScriptLine](), chip: [ScriptLine](), battery: [ScriptLine]())
        for line in ScriptLine.all(text) {
            let rest = line.words.dropFirst().map(String.init)
            let isFault = rest.first?.first?.isNumber == true
            let fault = ScriptLine(number: line.number, words: Array(line.words.dropFirst()))
            switch line.words[0] {
            case "journey": journey = try Self.journey(rest, line)
            case "receiver" where isFault: scripts.receiver.append(fault)
            case "receiver": try Self.receiver(rest, line, &receiver)
            case "accelerometer" where isFault: scripts.chip.append(fault)
            case "accelerometer": chip = try Self.chip(rest, line)
            case "modem": modem = try Self.modem(rest, line)
            case "battery", "drain", "charge", "fault": scripts.battery.append(line)
            default: throw line.failure(Self.form)
            }
        }
        guard let journey else { throw ScriptFailure(line: 0, message: "the board goes nowhere; add journey NAME") }
        receiver.seed = journey.seed
        receiver.faults = try FaultScript(scripts.receiver)
        self.journey = journey
        self.receiver = receiver
        chipFaults = try ChipFault.list(scripts.chip)
        battery = try BatteryScript(scripts.battery)
    }

    private static func journey(_ words: [String], _ line: ScriptLine) throws(ScriptFailure) -> Journey {
        let seed = words.count == 2 ? UInt64(words[1]) : nil
        guard words.count == 1 || seed != nil, let journey = Journey(words[0], seed: seed) else {
            let known = Journey.list.map(\.name).joined(separator: ", ")
            throw line.failure("expected journey NAME [SEED] with one of \(known)")
        }
        return journey
    }

    private static func receiver(
        _ words: [String], _ line: ScriptLine, _ receiver: inout SimulatedReceiver.Options
    ) throws(ScriptFailure) {
        let start = words.count == 2 ? ReceiverStart(rawValue: words[1]) : receiver.start
        guard (1...2).contains(words.count), let family = SimulatedFamily(rawValue: words[0]), let start else {
            let known = SimulatedFamily.allCases.map(\.rawValue).joined(separator: ", ")
            throw line.failure("expected receiver FAMILY [cold|warm|hot] with one of \(known)")
        }
        receiver.family = family
        receiver.start = start
    }

    private static func chip(_ words: [String], _ line: ScriptLine) throws(ScriptFailure) -> SimulatedChipModel {
        guard words.count == 1, let model = SimulatedChipModel(rawValue: words[0]) else {
            let known = SimulatedChipModel.allCases.map(\.rawValue).joined(separator: ", ")
            throw line.failure("expected accelerometer CHIP with one of \(known)")
        }
        return model
    }

    private static func modem(_ words: [String], _ line: ScriptLine) throws(ScriptFailure) -> SimulatedModem.Options {
        var options = SimulatedModem.Options()
        for word in words {
            if let signal = Int(word), (0...31).contains(signal) || signal == 99 {
                options.signal = signal
            } else if let fault = SimulatedModem.Fault(rawValue: word) {
                options.faults.insert(fault)
            } else if let cure = SimulatedModem.Cure(rawValue: word) {
                options.cure = cure
            } else {
                throw line.failure("\"\(word)\" is no signal (0 to 31, 99), no fault and no cure of a modem")
            }
        }
        return options
    }
}
