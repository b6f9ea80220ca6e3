import DeviceSimulator
import LinuxIO
import Ports
import TrackerEngine
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

/// A whole tracker in simulated time: the daemon's runtime, with a simulated receiver, accelerometer, battery and modem.
final class PolicyRun {
    private let life: Life
    private let reactor: ManualReactor
    private let stream: SimulatedReceiverStream
    private let bus: SimulatedBus
    private let line: WakeLine
    private let uplink: ModelUplink
    private let runtime: Runtime
    private var outcome = Outcome()

    init(_ life: Life, _ mode: Mode) throws(StoreFailure) {
        self.life = life
        let journey = life.journey
        reactor = ManualReactor(wall: WallReading(time: journey.start, trust: .disciplined))
        var options = SimulatedReceiver.Options()
        options.seed = journey.seed
        stream = SimulatedReceiverStream(SimulatedReceiver(journey, options: options), reactor, batch: 1_024)
        bus = SimulatedBus(motion: journey.motion, reactor: reactor)
        line = WakeLine(bus: bus, motion: journey.motion, reactor: reactor)
        uplink = ModelUplink(reactor: reactor)
        var config = TrackerConfig()
        config.powerControl = .ubx
        config.wakeLine = WakeLine.lineName
        config.uploadURL = "https://points.example.net/"
        config.energy = Outcome.model
        mode.change(&config)
        var ports = RuntimePorts(
            reactor: reactor, stream: stream, store: try SQLiteStore(path: ":memory:", layers: config.layers),
            log: SilentLog(), digests: OpenSSLDigests(), calendar: SystemZoneCalendar(zoneID: "UTC"), bus: bus,
            battery: SteadyBattery(percent: mode.batteryPercent))
        ports.lines = line
        ports.uplink = uplink
        ports.links = [ModelLink()]
        ports.load = ReactorLoad(reactor: reactor, line: line)
        runtime = Runtime(
            config: config,
            host: HostFacts(
                bootID: "boot", version: "frontier", processID: 1, timeScale: 1, buildDate: UTCTime(millis: 0)),
            ports: ports, freshSessionID: "life")
        runtime.onEvent = { [unowned self] event in
            guard case .location(let point) = event else { return }
            outcome.points.append(
                TrackedPoint(
                    second: Double(point.time.millis - journey.start.millis) / 1_000, position: point.coordinate,
                    accuracyM: Double(point.accuracyMM) / 1_000))
        }
    }

    func run() throws(StoreFailure) -> Outcome {
        try runtime.start()
        reactor.advance(byMillis: Int64(life.durationSeconds) * 1_000)
        outcome.energy = runtime.energyOfRun
        outcome.receiverOnSeconds = stream.awakeMillis / 1_000
        outcome.server = uplink.server
        runtime.stop()
        return outcome
    }
}

private final class SilentLog: LogSink {
    func write(_ level: LogLevel, _ event: String, _ fields: [(String, LogValue)]) {}
}

private final class SteadyBattery: BatterySource {
    let name = "steady"
    let isRealDevice = false
    private let percent: Int
    init(percent: Int) { self.percent = percent }
    func read() -> BatteryReading { BatteryReading(percent: percent, isCharging: false, supply: .none) }
}

/// A wake-up is a moment at which something happened; those of the bench alone do not count, processor time neither.
private final class ReactorLoad: HostLoad {
    private let reactor: ManualReactor
    private let line: WakeLine
    let contextSwitches: Int64 = 0
    let cpuMillis: Int64 = 0
    init(reactor: ManualReactor, line: WakeLine) {
        self.reactor = reactor
        self.line = line
    }
    var wakeUps: Int64 { max(0, reactor.moments - line.looks) }
}
