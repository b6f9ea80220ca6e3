import Glibc
import TrackerModel
import WireText

/// A whole board: receiver, accelerometer, fuel gauge, perhaps a modem and a server, on one battery and one clock, which
/// starts when the daemon opens the first of them.
public final class SimulatedBoard: BenchDevice {
    public struct Options: Sendable {
        /// Holds the devices and the configuration; must exist.
        public var folder: String
        /// Seconds of the board in one of ours; must be positive.
        public var speed = 1.0
        /// A point receiver on this port, 0 for any; `nil`: none.
        public var port: UInt16?
        /// With a second device beside the receiver's, `gnss-mirror`, that gets the same bytes.
        public var mirrors = false

        public init(folder: String) { self.folder = folder }
    }

    /// At most this long the supply is left alone.
    private static let lookNanos: Int64 = 50_000_000

    private let files: BoardFiles
    private let emit: EventSink
    private let clock: BenchClock
    private let receiver: ReceiverPort
    private let accelerometer: AccelerometerServer
    private let modem: ModemPort?
    private let server: PointReceiver?
    private let receiverPower: WireSocket
    private var supply: BoardSupply
    private var told = (state: BoardSupply.State.on, percent: -1)
    private var isHostOn = true
    public private(set) var isStopped = false

    private var parts: [any BenchDevice] {
        [receiver, accelerometer] + (modem.map { [$0] } ?? []) + (server.map { [$0] } ?? [])
    }

    /// Makes the devices, writes `tracker.yaml`, and emits `ready`; what a device says carries its name as `of`.
    public init(_ script: BoardScript, options: Options, emit: @escaping EventSink) throws(BenchFailure) {
        files = BoardFiles(folder: options.folder)
        self.emit = emit
        let clock = BenchClock(speed: options.speed)
        self.clock = clock
        supply = BoardSupply(script.battery)
        let named = { (device: String) -> EventSink in { emit(Self.named($0, device)) } }
        var gnss = ReceiverPort.Options(link: files.receiver)
        if options.mirrors { gnss.mirror = files.mirror }
        receiver = try ReceiverPort(
            SimulatedReceiver(script.journey, options: script.receiver), options: gnss, clock: clock,
            emit: named("receiver"))
        receiverPower = try WireSocket(files.receiverPowerLine, level: true)
        var accel = AccelerometerServer.Options(path: files.bus)
        (accel.model, accel.faults, accel.interruptLine) = (script.chip, script.chipFaults, files.interruptLine)
        accelerometer = try AccelerometerServer(
            script.journey.motion, options: accel, clock: clock, emit: named("accelerometer"))
        accelerometer.gauge = SimulatedMAX17048(supply.battery)
        modem = try Self.modem(script, files, clock, named("modem"))
        var endpoint = PointReceiver.Options()
        endpoint.port = options.port ?? 0
        server = options.port == nil ? nil : try PointReceiver(endpoint, emit: named("server"))
        try files.write(script, port: server?.port)
        tellReady(script, speed: options.speed)
    }

    public func receive(_ signal: BenchSignal) {
        guard case .stop = signal else { return receiver.receive(signal) }
        for part in parts { part.receive(signal) }
        emit([
            "event": "stopped", "atMs": .int(clock.now.millis), "receiverOnMs": .int(supply.receiverMillis),
            "modemOnMs": .int(supply.modemMillis), "cuts": .int(Int64(supply.cuts)),
            "percent": .double(supply.battery.percent),
        ])
        isStopped = true
    }

    public func prepare(_ polls: inout PollSet) -> Int64 {
        feed()
        receiverPower.prepare(&polls)
        var wait = Self.lookNanos
        for part in parts { wait = min(wait, part.prepare(&polls)) }
        return wait
    }

    public func serve(_ polls: PollSet) {
        receiverPower.serve(polls)
        for part in parts { part.serve(polls) }
    }

    // MARK: - Supply

    /// Brings the battery up to now, and takes or gives what it feeds.
    private func feed() {
        followHost()
        let load = BoardSupply.Load(
            receiverIsAwake: supply.isOn && receiver.receiver.isAwake, modemIsOn: modem?.isPowered ?? false)
        supply.advance(to: clock.now, load)
        receiver.hasSupply = supply.isOn && receiverPower.level
        modem?.hasSupply = supply.isOn
        accelerometer.gauge?.battery = supply.battery
        accelerometer.gauge?.isFault = supply.isGaugeFaulty
        tellSupply()
    }

    /// The switch counts when it changes: after a cut and a start by itself it still shows what it was left at.
    private func followHost() {
        let isOn = (try? BenchFile.read(files.hostPower))?.first != UInt8(ascii: "0")
        guard isOn != isHostOn else { return }
        isHostOn = isOn
        supply.hostSwitched(isOn: isOn)
    }

    private func tellSupply() {
        let battery = supply.battery
        if supply.state != told.state {
            told.state = supply.state
            // Its switch is a latch, which a new supply finds open.
            if supply.isOn, modem != nil { try? BenchFile.write(Array("0\n".utf8), to: files.modemPower) }
            emit([
                "event": "power", "state": .string(supply.state.rawValue), "atMs": .int(clock.now.millis),
                "percent": .double(battery.percent), "millivolts": .int(Int64(battery.terminalMillivolts)),
            ])
        }
        if Int(battery.percent.rounded()) != told.percent {
            told.percent = Int(battery.percent.rounded())
            emit([
                "event": "battery", "percent": .int(Int64(told.percent)), "atMs": .int(clock.now.millis),
                "millivolts": .int(Int64(battery.terminalMillivolts)),
                "loadMw": .int(Int64(battery.loadMilliwatts)), "chargerMw": .int(Int64(battery.chargerMilliwatts)),
            ])
        }
    }

    // MARK: - Making

    private static func modem(
        _ script: BoardScript, _ files: BoardFiles, _ clock: BenchClock, _ emit: @escaping EventSink
    ) throws(BenchFailure) -> ModemPort? {
        guard let modem = script.modem else { return nil }
        var options = ModemPort.Options(link: files.modem)
        options.modem = modem
        options.powerFile = files.modemPower
        return try ModemPort(options, clock: clock, emit: emit)
    }

    /// Ready is the board, when all of its devices are.
    private static func named(_ event: JSONObject, _ device: String) -> JSONObject {
        var event = event
        if event["event"] == "ready" { event["event"] = "part" }
        event["of"] = .string(device)
        return event
    }

    private func tellReady(_ script: BoardScript, speed: Double) {
        var ready: JSONObject = [
            "event": "ready", "config": .string(files.config), "link": .string(files.receiver),
            "bus": .string(files.bus), "journey": .string(script.journey.name), "speed": .double(speed),
            "durationMs": .int(Int64(script.journey.durationSeconds * 1_000)),
        ]
        if let server { ready["port"] = .int(Int64(server.port)) }
        emit(ready)
    }
}
