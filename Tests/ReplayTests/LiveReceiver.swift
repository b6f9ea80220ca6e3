import DeviceSimulator
import LinuxIO
import Ports
import TestKit
import TrackerEngine
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

/// A whole tracker with a simulated receiver, accelerometer and battery, in simulated time.
final class LiveBench {
    let reactor: ManualReactor
    let stream: SimulatedReceiverStream
    let battery = FakeBattery()
    /// What the line `GPIO5` does is done to the receiver's supply.
    let lines = ScriptedLines()
    let log = RecordingLog()
    let store: SQLiteStore
    let runtime: Runtime
    var events: [(second: Double, event: TrackerEvent)] = []

    init(
        journey name: String = "parked-night", family: SimulatedFamily = .ublox8, start: ReceiverStart = .cold,
        faults: String = "", motion: String? = nil, hasAccelerometer: Bool = true, hasBackupSupply: Bool = true,
        change: (inout TrackerConfig) -> Void = { _ in }
    ) throws {
        guard let journey = Journey(name) else { throw NoSuchJourney(name: name) }
        reactor = ManualReactor(wall: WallReading(time: journey.start, trust: .estimated))
        var options = SimulatedReceiver.Options()
        options.family = family
        options.start = start
        options.seed = journey.seed
        options.faults = try FaultScript(text: faults)
        options.hasBackupSupply = hasBackupSupply
        stream = SimulatedReceiverStream(SimulatedReceiver(journey, options: options), reactor)
        var config = TrackerConfig()
        config.powerControl = family == .mtk ? .mtk : family == .quectel ? .pair : .ubx
        change(&config)
        store = try SQLiteStore(path: ":memory:", layers: config.layers)
        let script = try motion.map { text throws(ScriptFailure) in try MotionScript(text: text) }
        runtime = Runtime(
            config: config,
            host: HostFacts(bootID: "boot", version: "test", processID: 1, timeScale: 1, buildDate: UTCTime(millis: 0)),
            ports: RuntimePorts(
                reactor: reactor, stream: stream, store: store, log: log, digests: OpenSSLDigests(),
                calendar: SystemZoneCalendar(zoneID: "UTC"),
                bus: hasAccelerometer ? SimulatedBus(motion: script ?? journey.motion, reactor: reactor) : nil,
                battery: battery, lines: lines),
            freshSessionID: "live")
        lines.now = { [reactor] in reactor.now }
        lines.onOutput = { [stream] line, isActive in if line == "GPIO5" { stream.feed(isActive) } }
        runtime.onEvent = { [unowned self] event in events.append((reactor.now.seconds(since: .zero), event)) }
    }

    func run(_ seconds: Int64) { reactor.advance(byMillis: seconds * 1_000) }

    /// Asks over the control socket; the replies are kept by the subscriber that it returns.
    @discardableResult
    func ask(_ operation: String, _ arguments: JSONObject = [:]) -> RecordingSubscriber {
        let subscriber = RecordingSubscriber()
        let line = JSONValue.object(["id": 1, "op": .string(operation), "args": .object(arguments)]).bytes
        let request = ControlRequest(peer: ControlPeer(userID: 0), line: line, subscriber: subscriber)
        if let reply = ControlProtocol(runtime: runtime).reply(to: request) { subscriber.reply(reply) }
        return subscriber
    }

    func power(_ field: String) -> JSONValue? { runtime.status()["receiver.power.\(field)"] }
    var points: [TrackPoint] { (try? store.pending(limit: 10_000)) ?? [] }
    var diagnostics: [String] {
        events.compactMap { if case .diagnostic(let text) = $0.event { "\(Int($0.second)): \(text)" } else { nil } }
    }
    var errors: [String] {
        events.compactMap { if case .error(let code, let text) = $0.event { "\(code): \(text)" } else { nil } }
    }
}
