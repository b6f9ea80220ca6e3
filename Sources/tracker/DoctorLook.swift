import LinuxIO
import Ports
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

/// A look at the devices without a daemon: a tracker that keeps nothing, sends nothing and sets nothing runs for some
/// seconds.
enum DoctorLook {
    /// All usual speeds are listened at once, and a second of samples taken.
    private static let longestMillis: Int64 = 15_000
    private static let shortestMillis: Int64 = 4_000

    private final class Silence: LogSink {
        func write(_ level: LogLevel, _ event: String, _ fields: [(String, LogValue)]) {}
    }

    static func take(into facts: inout DoctorFacts) {
        do {
            let runtime = try look(facts.config)
            facts.status = runtime.status()
            facts.sensors = .object(runtime.sensors())
            runtime.stop()
            runtime.closeStore()
        } catch let failure as StoreFailure {
            facts.lookProblem = failure.message
        } catch {
            facts.lookProblem = "\(error); see the system log (dmesg)"
        }
    }

    /// - Throws: `SystemFailure` or `StoreFailure`.
    private static func look(_ config: TrackerConfig) throws -> Runtime {
        var config = config
        config.gnssConfigure = false
        config.powerControl = .none
        let reactor = try LinuxReactor()
        let motion = MotionSource(config, reactor)
        let power = PowerSources(config, isScaled: false)
        let ports = RuntimePorts(
            reactor: reactor, stream: Daemon.receiverStream(config, reactor),
            store: try SQLiteStore(path: ":memory:"), log: Silence(),
            digests: OpenSSLDigests(), calendar: SystemZoneCalendar(zoneID: config.timeZone), bus: motion.bus,
            motion: motion.stream, battery: power.supply, gauge: power.gauge, supplySense: power.sense,
            links: [KernelRoutes(reactor: reactor, interface: config.linkInterface)])
        let host = HostFacts(
            bootID: try Host.bootID(), version: Tracker.version, processID: Host.processID, timeScale: 1)
        let runtime = Runtime(config: config, host: host, ports: ports, freshSessionID: Host.randomUUID())
        try runtime.start()
        let start = Host.uptimeMillis
        func wait() {
            reactor.schedule(at: reactor.now.advanced(byMillis: 250), toleranceMillis: 0) {
                let taken = Host.uptimeMillis - start
                let status = runtime.status()
                let frames = ["sentences", "ubxFrames"].compactMap { status["receiver." + $0]?.intValue }.reduce(0, +)
                let isKnown = frames >= 2 || status["receiver.state"] == "off"
                if isKnown && taken >= shortestMillis || taken >= longestMillis { reactor.stop() } else { wait() }
            }
        }
        wait()
        try reactor.run()
        return runtime
    }
}
