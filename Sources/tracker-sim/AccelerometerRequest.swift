import DeviceSimulator

/// The words of `tracker-sim accel`.
struct AccelerometerRequest {
    private let script: String?
    private let recording: String?
    private let faults: String?
    private let battery: String?
    private var options: AccelerometerServer.Options

    init(_ arguments: inout ArgumentList) throws(UsageFailure) {
        script = try arguments.takeOption("--script")
        recording = try arguments.takeOption("--recording")
        guard (script == nil) != (recording == nil) else {
            throw UsageFailure(message: "accel needs either --script or --recording")
        }
        faults = try arguments.takeOption("--faults")
        battery = try arguments.takeOption("--battery")
        options = AccelerometerServer.Options(path: try arguments.takeRequired("--bus", of: "accel"))
        if let speed = try arguments.take("--speed", "a number above 0", Command.positive) { options.speed = speed }
        let models = SimulatedChipModel.allCases.map(\.rawValue).joined(separator: ", ")
        if let model = try arguments.take("--chip", "one of \(models)", { SimulatedChipModel(rawValue: $0) }) {
            options.model = model
        }
        let places = options.model.addresses
        let words = places.map { "0x" + String($0, radix: 16) }
        options.address = try arguments.take("--address", words.joined(separator: " or ")) { text in
            words.firstIndex(of: text).map { places[$0] }
        }
    }

    /// Serves until SIGTERM or SIGINT.
    func run(emit: @escaping EventSink) throws(BenchFailure) {
        let signals = try SignalInbox()
        var options = options
        if let faults { options.faults = try BenchFile.script(faults, ChipFault.list(text:)) }
        if let battery { options.battery = try BenchFile.script(battery, BatteryScript.init(text:)) }
        try AccelerometerServer(try motion(), options: options, emit: emit).run(signals: signals)
    }

    private func motion() throws(BenchFailure) -> any AccelerationSource {
        if let script {
            return try BenchFile.script(script) { (text) throws(ScriptFailure) in try MotionScript(text: text) }
        }
        guard let recording else { return MotionScript([]) }
        let text = String(decoding: try BenchFile.read(recording), as: UTF8.self)
        guard let source = AccelerationRecording(csv: text) else {
            throw BenchFailure(
                cause: "\(recording) has no two samples in the order of their times",
                remedy: "Give lines of nanoseconds,x,y,z with m/s².")
        }
        return source
    }
}
