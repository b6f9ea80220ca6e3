import DeviceSimulator
import WireText

/// What `tracker-sim gnss` is asked for.
struct GNSSRequest {
    private let journey: String
    private let seed: UInt64?
    private let faultsPath: String?
    private var receiver = SimulatedReceiver.Options()
    private var port: ReceiverPort.Options

    init(_ arguments: inout ArgumentList) throws(UsageFailure) {
        journey = try arguments.takeRequired("--journey", of: "gnss")
        let name = journey
        guard Journey.list.contains(where: { $0.name == name }) else {
            throw UsageFailure(message: "there is no journey \"\(name)\" (see journey --list)")
        }
        port = ReceiverPort.Options(link: try arguments.takeRequired("--link", of: "gnss"))
        seed = try arguments.take("--seed", "a whole number, 0 or more") { UInt64($0) }
        faultsPath = try arguments.takeOption("--faults")
        let families = SimulatedFamily.allCases.map(\.rawValue).joined(separator: ", ")
        if let family = try arguments.take("--family", "one of \(families)", { SimulatedFamily(rawValue: $0) }) {
            receiver.family = family
        }
        if let start = try arguments.take("--start", "cold, warm or hot", { ReceiverStart(rawValue: $0) }) {
            receiver.start = start
        }
        receiver.baud = try arguments.take("--baud", "a rate from 1200 to 921600") { text in
            Int(text).flatMap { (1_200...921_600).contains($0) ? $0 : nil }
        }
        receiver.utc = try arguments.take("--utc", "a time such as 2026-12-31T23:58:00Z") { TimeText.parse($0) }
        if let speed = try arguments.take("--speed", "a number above 0", Command.positive) { port.speed = speed }
        port.startAfterSeconds = try arguments.take("--start-after", "seconds, 0 or more") { text in
            Double(text).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        }
        port.powerFile = try arguments.takeOption("--power-file")
    }

    /// The device, ready to run; `nil` when the journey is unknown.
    func port(emit: @escaping EventSink) throws(BenchFailure) -> ReceiverPort? {
        guard let journey = Journey(journey, seed: seed) else { return nil }
        var options = receiver
        options.seed = journey.seed
        if let faultsPath { options.faults = try BenchFile.script(faultsPath, FaultScript.init(text:)) }
        return try ReceiverPort(SimulatedReceiver(journey, options: options), options: port, emit: emit)
    }
}
