public import Ports
import SyncEngine
import TrackerEngine
public import TrackerModel
import WireText

/// The loop's centre: events in, engines stepped, actions out. One instance runs one device or one replay; every call
/// and callback is on the reactor's thread.
public final class Runtime {
    /// A service manager that watches hears a sign of life this often (spec capture §12.5).
    private static let aliveMillis: Int64 = 20_000
    /// The backlog of an earlier run is looked at this long after the start (spec sync §7).
    private static let startUpDrainMillis: Int64 = 10_000

    let config: TrackerConfig
    let host: HostFacts
    let ports: RuntimePorts
    /// What `status` shows beside its own findings: unknown configuration keys and the like.
    let warnings: [String]
    let configSource: String
    /// Keys that the configuration file has; the others are at their defaults.
    let givenKeys: Set<String>
    let startedAt: Instant
    var engine: CaptureEngine
    var journal = CommitJournal()
    var receiver: ReceiverLink!
    var accelerometer: AccelerometerLink?
    var uploader: Uploader?
    var session: Session?
    /// The one before, for what comes too late for it.
    var closedSession: Session?
    var isResumed = false
    var lastStored: TrackPoint?
    /// Kept points of the session, and decisions of this run by reason.
    var sessionPoints: Int64 = 0
    var decisionCounts: [DecisionReason: Int64] = [:]
    /// Those of them that stored nothing.
    var droppedCounts: [DecisionReason: Int64] = [:]
    /// The last trusted UTC and when it held.
    var clock: (utc: UTCTime, instant: Instant)?
    lazy var power = makePower()
    lazy var energy = EnergyAccount(config.energy, ports) { [unowned self] in today }
    var isStarted = false
    var listensToReceiver = true
    /// What does not run: not started yet, or the battery does not allow it.
    var isReceiverHeld = true
    var isAccelerometerHeld = true
    /// The accelerometer samples for steps.
    var isAlert = false
    /// Of a replay: its receiver ran.
    var hasRecordedFix = false
    let hub = EventHub()
    lazy var fences = makeFences()
    let link: LinkWatch
    /// `nil`: the receiver runs all the time.
    var receiverPower: ReceiverPowerKeeper?
    /// The newest fix, for a receiver that starts.
    var lastAid: TrackFix?
    /// Called with every event after what it reports is durable; replay and tests listen here.
    public var onEvent: ((TrackerEvent) -> Void)?
    /// Called with every decision, and the point that it kept, after both are durable.
    var onDecision: ((Decision, TrackPoint?) -> Void)?
    let newSessionID: () -> String
    /// `nil` where no lines can be had.
    var board: BoardLines?
    lazy var pulses = PulseClock(latencyMillis: config.outputLatencyMillis)
    /// The status light is lit until then, at rest as well.
    var lightUntil = Instant.zero
    /// Uploaded points, when the status light last looked.
    var uploadedAtLight: Int64 = 0
    var oneShotReplies: [Int64: (OneShotReply) -> Void] = [:]
    var nextRequestID: Int64 = 0
    /// What was last said of the sensors; `nil` before, and in a replay, which has none.
    var motionQuality: MotionQualityFinding?
    /// Of a replay, in the accelerometer's place.
    var recordedSamples: RecordedSamples?
    /// Begun while the store could not be opened.
    var unstoredSession: Session?
    /// The operator has started capture since.
    var isUnstoredWanted = false
    var areFencesWaiting = false
    /// What the last salvage of this run came to.
    var lastSalvage: SalvageReport?
    lazy var upkeepAlarm = Alarm(ports.reactor)
    private var pendingEvents: [CaptureEvent] = []
    private var isStepping = false
    var clockSkew = ClockSkewWatch()
    private lazy var engineAlarm = Alarm(ports.reactor)
    private var alarms: [Alarm] = []
    private var isStopped = false

    /// - Parameters:
    ///   - freshSessionID: a new UUID for each session that is opened.
    ///   - configSource: `supplied` or `lastGood`.
    ///   - givenKeys: paths of the keys that it has.
    public init(
        config: TrackerConfig, warnings: [String] = [], configSource: String = "supplied",
        givenKeys: Set<String> = [], host: HostFacts, ports: RuntimePorts,
        freshSessionID: @autoclosure @escaping () -> String
    ) {
        self.config = config
        self.warnings = warnings
        self.configSource = configSource
        self.givenKeys = givenKeys
        self.host = host
        self.ports = ports
        newSessionID = freshSessionID
        engine = CaptureEngine(config.capture)
        startedAt = ports.reactor.now
        let access = ports.modemPort.map(ModemKeeper.Access.port) ?? ports.modemOwner.map(ModemKeeper.Access.owner)
        let modem = access.map {
            ModemKeeper(
                access: $0, power: ports.modemPower, interface: config.linkInterface, reactor: ports.reactor,
                store: ports.store, log: ports.log)
        }
        link = LinkWatch(
            ports.links, modem: modem, reactor: ports.reactor, isMetered: { [sync = config.sync] in sync.isMetered($0) }
        )
        receiver = makeReceiver()
        receiverPower = makeReceiverPower()
        accelerometer = makeAccelerometer()
        if let uplink = ports.uplink {
            uploader = makeUploader(uplink)
        }
    }

    /// Opens or resumes the session and starts everything.
    /// - Parameters:
    ///   - listensToReceiver: false where fixes come from elsewhere, as in a replay.
    ///   - judgesSensors: false where they are not the device's: then they are taken for good.
    /// - Throws: `StoreFailure` when the session cannot be read or opened; nothing has been started then.
    public func start(listensToReceiver: Bool = true, judgesSensors: Bool = true) throws(StoreFailure) {
        self.listensToReceiver = listensToReceiver
        // A store that cannot be read is dealt with where the session is opened.
        let earlier = (try? ports.store.state(.run)) ?? nil
        power.start(after: earlier.flatMap(RunMark.init(text:)), host: host)
        try openSessionOrWait()
        startLines()
        receiver.decoder = makeDecoder(lastTrusted: lastStored?.time)
        link.start()
        uploader?.hold = modemHold
        uploader?.start()
        isStarted = true
        applyPowerGate()
        if listensToReceiver, isReceiverHeld { step(.receiverPowered(isOn: false)) }
        if judgesSensors { watchMotionQuality() }
        every(config.healthLoopMillis) { [unowned self] in healthTick() }
        if let supervisor = ports.supervisor {
            // Nobody is woken for a sign that nobody waits for (spec power §4).
            if let limit = supervisor.watchdogIntervalMillis {
                every(min(Self.aliveMillis, limit / 2)) { supervisor.alive() }
            }
            supervisor.ready()
        }
        addAlarm().set(afterMillis: Self.startUpDrainMillis, toleranceMillis: 1_000) { [unowned self] in
            uploader?.noticeBacklog()
        }
        maintainStore()
        saveSnapshot()
    }

    /// Stops devices and workers; the session stays open, so that the next start continues it.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        ports.supervisor?.stopping()
        receiverPower?.stop()
        receiver.stop()
        accelerometer?.stop()
        board?.close()
        accelerometer?.stopListening()
        power.stop()
        uploader?.stop()
        ports.timeSink?.close()
        fences.stop()
        for alarm in alarms + [engineAlarm, upkeepAlarm] { alarm.cancel() }
        flushJournal()
        ports.rawLog?.flush()
        energy.save()
        // When this fails, the next start takes the end for a crash, and goes on all the same.
        try? ports.store.setState(.run, RunMark(host, hasEnded: true).text)
        saveSnapshot()
        // Last: the modem's program and a name lookup may take until the service manager's patience ends.
        link.stop()
        ports.uplink?.close()
        log(.notice, "service.stopped", [("uptime_s", .int(ports.reactor.now.millis(since: startedAt) / 1_000))])
    }

    /// After `stop`: nothing is written any more.
    public func closeStore() { ports.store.close() }

    /// An event that comes of what another one wants done waits until all of that is done: a later wish, such as when to
    /// wake, must not be replaced by an earlier one.
    func step(_ event: CaptureEvent) {
        pendingEvents.append(event)
        guard !isStepping else { return }
        isStepping = true
        while !pendingEvents.isEmpty {
            var actions: [CaptureAction] = []
            engine.handle(pendingEvents.removeFirst(), at: ports.reactor.now, into: &actions)
            actions.forEach(perform)
        }
        isStepping = false
        receiverPower?.update()
    }

    func wake(at deadline: Instant) {
        engineAlarm.set(at: deadline, toleranceMillis: 1_000) { [unowned self] in step(.timerFired) }
    }

    private func healthTick() {
        // Where a source reports no change, this is when one is seen.
        link.look()
        fences.check()
        board?.take()
        energy.check()
        clockSkew.check(ports.reactor.wall, at: ports.reactor.now).map(diagnose)
        step(.healthChecked)
        flushJournal()
        maintainStore()
        uploader?.noticeBacklog()
        saveSnapshot()
    }

    func diagnose(_ message: String) { emit(.diagnostic(message)) }

    func saveSnapshot() { ports.snapshots?.save(status().bytes) }

    func every(_ millis: Int64, _ body: @escaping () -> Void) {
        let alarm = addAlarm()
        func arm() {
            alarm.set(afterMillis: millis, toleranceMillis: millis / 10) {
                body()
                arm()
            }
        }
        arm()
    }

    /// One that ends with the runtime.
    private func addAlarm() -> Alarm {
        let alarm = Alarm(ports.reactor)
        alarms.append(alarm)
        return alarm
    }
}
