import Glibc
import HTTPUplink
import LinuxIO
import MQTTUplink
import Ports
import TrackerModel
import TrackerRuntime
import TrackerStore
import WireText

/// The concrete adapters around one runtime.
struct Daemon {
    private let loaded: LoadedConfig
    private let config: TrackerConfig
    private let timeScale: Double
    private let log = JournalLog()

    init(_ loaded: LoadedConfig, timeScale: Double) {
        self.loaded = loaded
        self.timeScale = timeScale
        var config = loaded.config
        if config.deviceID.isEmpty { config.deviceID = Host.name }
        self.config = config
    }

    func run() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        do throws(DaemonFailure) {
            try start()
            return ExitStatus.ok
        } catch {
            Terminal.complain("tracker run: \(error.message)\n")
            return error.status
        }
    }

    private func start() throws(DaemonFailure) {
        let reactor: LinuxReactor
        do throws(SystemFailure) { reactor = try LinuxReactor(timeScale: timeScale) } catch {
            throw DaemonFailure(status: ExitStatus.refused, message: "the event loop cannot start: \(error)")
        }
        let stream = Self.receiverStream(config, reactor)
        let motion = MotionSource(config, reactor)
        let power = PowerSources(config, isScaled: timeScale != 1)
        if timeScale != 1 {
            if stream.isRealDevice { throw .scaled(stream.name) }
            if motion.isReal { throw .scaled(config.accelBus) }
            if config.gauge == .max17048, power.gauge?.isRealDevice == true { throw .scaled(config.gaugeBus) }
            // The host's clock is a real one.
            if !config.chronySocket.isEmpty { throw .scaled(config.chronySocket) }
            if let line = config.wiredLines.first(where: { !GPIODLines.isSimulated($0) }) {
                throw .scaled("line \(line)")
            }
        }
        let listener = UnixControlListener(path: config.socket, reactor: reactor)
        var control: ControlProtocol?
        // The socket comes first: it is what tells a second daemon that it is one.
        do throws(ControlFailure) {
            try listener.listen(ControlProtocol.texts) { request in
                guard let control else { return ControlProtocol.startingReply }
                return control.reply(to: request)
            }
        } catch {
            let status = error.code == .inUse ? ExitStatus.notReachable : ExitStatus.cannotCreate
            throw DaemonFailure(status: status, message: error.message)
        }
        defer { listener.close() }

        let runtime = try makeRuntime(reactor, stream, motion, power)
        control = ControlProtocol(runtime: runtime)
        do throws(SystemFailure) {
            try reactor.onProcessSignals([SIGTERM, SIGINT]) { _ in reactor.stop() }
            try reactor.run()
        } catch {
            runtime.stop()
            throw DaemonFailure(status: ExitStatus.refused, message: "the event loop ended: \(error)")
        }
        runtime.stop()
        runtime.closeStore()
        log.flush()
    }

    private func makeRuntime(
        _ reactor: LinuxReactor, _ stream: any ByteStream, _ motion: MotionSource, _ power: PowerSources
    ) throws(DaemonFailure) -> Runtime {
        do throws(SystemFailure) { try AtomicFile.makeDirectories(config.stateDir, mode: 0o750) } catch {
            throw DaemonFailure(
                status: ExitStatus.cannotCreate,
                message: "\(error); create service.stateDir for the service user, or name another directory")
        }
        do throws(StoreFailure) {
            let store = try SQLiteStore(
                path: config.stateDir + "/tracker.db", layers: config.layers, retention: config.retention,
                opensLater: true)
            let calendar = SystemZoneCalendar(zoneID: config.timeZone)
            var warnings = loaded.warnings
            if calendar.isFallback {
                warnings.append("device.timezone: the system does not know '\(config.timeZone)'; dates are in UTC")
            }
            // Simulated time is not for this host's modem.
            let modemOwner =
                config.asksModemManager && (timeScale == 1 || ModemManagerClient.isSimulated)
                ? ModemManagerClient(reactor: reactor, interface: config.linkInterface) : nil
            let lines = config.wiredLines.isEmpty ? nil : GPIODLines(reactor: reactor)
            let ports = RuntimePorts(
                reactor: reactor, stream: stream, store: store, log: log, digests: OpenSSLDigests(), calendar: calendar,
                bus: motion.bus, motion: motion.stream, battery: power.supply, gauge: power.gauge,
                supplySense: power.sense,
                // A simulated battery must not end a real host's run.
                hostPower: timeScale == 1 && power.isReal && !motion.isSimulated
                    ? SystemdPower(reactor: reactor) : nil,
                load: ProcessLoad(reactor: reactor), lines: lines,
                uplink: uplink(reactor),
                supervisor: SystemdSupervisor(), snapshots: SnapshotFile(directory: config.stateDir),
                timeSink: config.chronySocket.isEmpty ? nil : ChronySocket(path: config.chronySocket, log: log),
                rawLog: config.rawLogBytes == 0
                    ? nil : RawLogRing(directory: config.stateDir, limitBytes: config.rawLogBytes),
                vault: FileVault(directory: config.stateDir),
                links: [KernelRoutes(reactor: reactor, interface: config.linkInterface)],
                modemPort: config.modemDevice.isEmpty
                    ? nil : SerialPortStream(path: config.modemDevice, reactor: reactor),
                modemOwner: modemOwner, modemPower: modemPower(reactor, lines, modemOwner))
            let facts = try identity()
            let runtime = Runtime(
                config: config, warnings: warnings, configSource: loaded.source, givenKeys: loaded.given, host: facts,
                ports: ports, freshSessionID: Host.randomUUID())
            try runtime.start()
            return runtime
        } catch {
            throw DaemonFailure(status: ExitStatus.cannotCreate, message: error.message)
        }
    }

    private func identity() throws(StoreFailure) -> HostFacts {
        do throws(SystemFailure) {
            var facts = HostFacts(
                bootID: try Host.bootID(), version: Tracker.version, processID: Host.processID, timeScale: timeScale,
                userID: Host.userID)
            facts.model = Host.model
            facts.operatingSystem = Host.operatingSystem
            return facts
        } catch {
            throw StoreFailure(code: .io, cause: "\(error)", remedy: "mount /proc")
        }
    }

    static func receiverStream(_ config: TrackerConfig, _ reactor: LinuxReactor) -> any ByteStream {
        if let gpsd = GPSDAddress(config.gnssDevice) { return GPSDStream(address: gpsd, reactor: reactor) }
        // What a clock is set by must be told as it comes.
        let isTimed = !config.chronySocket.isEmpty || config.pulseLine != "none"
        return SerialPortStream(path: config.gnssDevice, reactor: reactor, rests: !isTimed)
    }

    /// - Parameter place: a device of i2c-dev, or `unix:PATH`, a simulated bus.
    static func registerBus(_ place: String, address: UInt8) -> any RegisterBus {
        place.hasPrefix("unix:")
            ? UnixSocketBus(path: String(place.dropFirst("unix:".count)), address: address)
            : I2CDevBus(path: place, address: address)
    }

    private func modemPower(
        _ reactor: LinuxReactor, _ lines: (any DigitalLines)?, _ owner: ModemManagerClient?
    ) -> (any ModemPower)? {
        switch config.modemPower {
        case .none: nil
        case .modemManager: owner
        case .command: ModemCommands(on: config.modemOnCommand, off: config.modemOffCommand, reactor: reactor)
        case .gpio:
            lines.map {
                PowerKeyModem(
                    keyLine: config.modemKeyLine,
                    statusLine: config.modemStatusLine == "none" ? nil : config.modemStatusLine,
                    pulseMillis: config.modemKeyMillis, lines: $0, reactor: reactor)
            }
        }
    }

    private func uplink(_ reactor: LinuxReactor) -> any Uplink {
        let account = MQTTAccount(
            clientID: "tracker-\(config.deviceID)", topic: config.brokerTopic, tls: config.tls)
        return UplinkChoice(
            web: { [tls = config.tls] in
                CurlUplink(reactor: reactor, userAgent: "tracker/\(Tracker.version)", tls: tls)
            },
            broker: { MosquittoUplink(reactor: reactor, account: account) })
    }
}

/// Why the daemon does not run, with its exit status.
struct DaemonFailure: Error {
    var status: Int32
    var message: String

    static func scaled(_ device: String) -> DaemonFailure {
        DaemonFailure(
            status: ExitStatus.usage,
            message: "--time-scale is for simulated devices and \(device) is a real one; run without it")
    }
}

/// `status.json` in the state directory.
final class SnapshotFile: SnapshotSink {
    static let name = "status.json"
    private let path: String

    init(directory: String) { path = directory + "/" + Self.name }

    func save(_ snapshot: [UInt8]) { try? AtomicFile.write(path: path, bytes: snapshot, mode: 0o640) }
}
