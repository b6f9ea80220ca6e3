import GNSSCodecs
import Ports
import TrackerModel

/// The receiver's line: performs what the finding and the caring machine ask for, decodes the bytes, and tells what is
/// wrong.
final class ReceiverLink {
    /// A fix older than this is no fix: two to three epochs at 1 Hz (F-02).
    static let fixLifeMillis: Int64 = 3_000
    /// Sentences are ignored for this long after UBX (spec capture §2.2).
    private static let ubxWinsMillis: Int64 = 5_000

    let stream: any ByteStream
    let reactor: any Reactor
    let memory: ReceiverMemoryPlace
    let settings: ReceiverSettings
    private let onFix: (TrackFix) -> Void
    private let onChange: (ReceiverState) -> Void
    private let onDiagnostic: (String) -> Void
    /// Hears every read before it is decoded.
    var onBytes: (([UInt8]) -> Void)?
    var decoder: GNSSDecoder
    var finder: ReceiverFinder
    var care: ReceiverCareMachine
    var power = Power()
    private var console = ReceiverConsoleText()
    private var backlog: ReceiverBacklog
    var remembered: ReceiverMemory?
    var isOpen = false
    private var isStopped = true
    let machineAlarm: Alarm
    private let epochAlarm: Alarm
    var bytesSinceOpen: Int64 = 0
    private var frames = ReceiverFrameCount()
    /// Answers to commands in the bytes at hand.
    private var newReplies: Int64 = 0
    private var lastEpochAt: Instant?
    private var epochMillis = 1_000.0
    private var announced = ReceiverState.off
    /// Why no sentences come and what to do; `nil` while they do.
    var fault: String?

    private(set) var lastFix: TrackFix?
    private(set) var fixes: Int64 = 0
    /// Fixes dropped because they came late (E-008).
    private(set) var lateFixes: Int64 = 0
    private(set) var health = ReceiverHealth()
    /// The satellites of the last complete report, and when it came.
    private(set) var sky: (view: SkyView, at: Instant)?
    /// What was noticed last, and when.
    private(set) var lastDiagnostic: (text: String, at: Instant)?
    /// What is spoken on the line.
    private(set) var streamProtocol: ReceiverProtocol?
    private var lastUBXAt: Instant?

    init(
        stream: any ByteStream, settings: ReceiverSettings, decoder: GNSSDecoder, reactor: any Reactor,
        memory: ReceiverMemoryPlace, onFix: @escaping (TrackFix) -> Void,
        onChange: @escaping (ReceiverState) -> Void, onDiagnostic: @escaping (String) -> Void
    ) {
        self.stream = stream
        self.settings = settings
        self.decoder = decoder
        self.reactor = reactor
        (machineAlarm, epochAlarm) = (Alarm(reactor), Alarm(reactor))
        self.memory = memory
        self.onFix = onFix
        self.onChange = onChange
        self.onDiagnostic = onDiagnostic
        finder = ReceiverFinder(fixedBaud: settings.baud, lastGood: nil)
        care = ReceiverCareMachine(
            wishes: ReceiverCareMachine.Wishes(
                configure: settings.configure, rateHz: settings.rateHz, mayChangeSpeed: settings.baud == nil))
        backlog = ReceiverBacklog(timeScale: settings.timeScale)
    }

    var counters: GNSSCounters { decoder.counters }
    var device: String { stream.name }
    var lineSpeed: Int { finder.baud }
    var isLineOpen: Bool { isOpen }
    var isSearching: Bool { isOpen && !finder.isLocked && !power.sleep.isResting }
    /// The last console text on the line (F-17).
    var consoleText: String? { console.text(at: reactor.now) }

    /// Sent to sleep.
    var isResting: Bool { power.sleep.isResting }
    var state: ReceiverState {
        if isStopped || power.sleep.isResting { return .off }
        if !isOpen || fault != nil { return .silent }
        guard let lastFix, reactor.now.millis(since: lastFix.receivedAt) <= Self.fixLifeMillis else { return .noFix }
        return lastFix.mode == .twoD ? .fix2D : .fix3D
    }

    /// What is wrong and what to do; `nil` while all is well.
    var problem: String? {
        if let fault, consoleText == nil { return fault }
        if consoleText != nil { return consoleProblem }
        return backlog.isBehind ? backlogProblem : nil
    }

    func start() {
        isStopped = false
        remembered = memory.read().flatMap(ReceiverMemory.init(text:))
        // Another port's speed says nothing about this one's.
        let paths = stream.candidates
        let known = remembered.flatMap { paths.contains($0.port) ? $0.baud : nil }
        finder = ReceiverFinder(fixedBaud: settings.baud, lastGood: known)
        step(.started)
    }

    /// - Parameter staysAsleep: it is held, not left to somebody else: one that rests is not woken.
    func stop(staysAsleep: Bool = false) {
        isStopped = true
        // Whoever opens the line next finds a receiver that speaks.
        if power.sleep.isResting, !staysAsleep { call(1) }
        closeLine()
        finder.stop()
        machineAlarm.cancel()
    }

    func closeLine() {
        guard isOpen else { return }
        isOpen = false
        stream.close()
        endEpoch()
    }

    /// Closes the epoch under way with what it has.
    func endEpoch() {
        epochAlarm.cancel()
        decode { decoder, emit in decoder.finish(emit) }
        lastEpochAt = nil
        backlog.reset()
    }

    func handle(_ event: ByteStreamEvent) {
        switch event {
        case .bytes(let bytes):
            bytesSinceOpen += Int64(bytes.count)
            onBytes?(bytes)
            if console.feed(bytes, at: reactor.now) { diagnose("uart_console: \(consoleProblem)") }
            let arrival = stream.arrivedAt ?? reactor.now
            decode { decoder, emit in decoder.feed(bytes, at: arrival, emit) }
            noteFrames()
            armEpochAlarm()
        case .lost(let failure):
            fault = failure.message
            closeLine()
            step(.lost)
        }
        announce()
    }

    private func noteFrames() {
        let now = ReceiverFrameCount(decoder.counters)
        let new = now.total - frames.total
        let mark = now.mark(since: frames)
        if new > 0 {
            noteProtocol(now.latestProtocol(since: frames))
            fault = nil
        }
        frames = now
        step(.bytes(frames: Int(new)))
        if new > 0 {
            step(.heard(mark))
            if new > newReplies { step(ReceiverSleepMachine.Event.heard) }
        }
        newReplies = 0
    }

    /// In a mixed stream UBX wins, as long as sentences beside it are ignored.
    private func noteProtocol(_ latest: ReceiverProtocol) {
        if latest == .ubx { lastUBXAt = reactor.now }
        let isUBX = lastUBXAt.map { reactor.now.millis(since: $0) <= Self.ubxWinsMillis } ?? false
        streamProtocol = isUBX ? .ubx : .nmea
    }

    /// Steps the decoder, then acts on what came out: whoever hears of a fix may ask this object anything.
    private func decode(_ step: (inout GNSSDecoder, (GNSSOutput) -> Void) -> Void) {
        var outputs: [GNSSOutput] = []
        step(&decoder) { outputs.append($0) }
        outputs.forEach(take)
    }

    func take(_ output: GNSSOutput) {
        switch output {
        case .fix(let fix):
            noteEpoch(at: fix.receivedAt)
            guard !isLate(fix) else { break }
            fixes += 1
            lastFix = fix
            onFix(fix)
        case .noFix(_, let at):
            noteEpoch(at: at)
            lastFix = nil
        case .health(let report): note(report)
        case .identity(let identity):
            step(.identified(identity))
            aidIfDue()
        case .reply(let reply):
            newReplies += 1
            step(.replied(reply))
        case .notice(let text): step(.noticed(text))
        case .diagnostic(let message): diagnose(message)
        case .sky(let view):
            sky = (view, reactor.now)
            power.note(.sky(view))
        }
    }

    private func isLate(_ fix: TrackFix) -> Bool {
        let wasBehind = backlog.isBehind
        guard backlog.isLate(fix) else { return false }
        lateFixes += 1
        if !wasBehind {
            diagnose("uart_backlog: \(backlogProblem)")
            step(.lagged)
        }
        return true
    }

    /// Smoothed over eight epochs, so that one gap does not make a slow receiver.
    private func noteEpoch(at instant: Instant) {
        defer { lastEpochAt = instant }
        guard let lastEpochAt else { return }
        let millis = instant.millis(since: lastEpochAt)
        guard millis > 0 else { return }
        epochMillis += (Double(min(millis, 20_000)) - epochMillis) / 8
        finder.learn(periodMillis: Int64(epochMillis))
        step(.epoch(afterMillis: millis))
    }

    func diagnose(_ message: String) {
        lastDiagnostic = (message, reactor.now)
        onDiagnostic(message)
    }

    private func note(_ report: ReceiverHealth) {
        if let antenna = report.antenna, antenna != health.antenna {
            // The first report of a good antenna is no news.
            if health.antenna != nil || antenna != .ok { diagnose("gnss_antenna: \(antenna.rawValue)") }
            health.antenna = antenna
        }
        health.jamming = report.jamming ?? health.jamming
        health.spoofing = report.spoofing ?? health.spoofing
    }

    private func armEpochAlarm() {
        guard isOpen, decoder.deadline < .never else { return epochAlarm.cancel() }
        // What the line keeps back may complete the epoch.
        let due = max(decoder.deadline, stream.restsUntil)
        epochAlarm.set(at: due, toleranceMillis: 0) { [unowned self] in
            guard reactor.now >= stream.restsUntil else { return armEpochAlarm() }
            decode { [reactor] decoder, emit in decoder.expire(at: reactor.now, emit) }
            armEpochAlarm()
            announce()
        }
    }

    func announce() {
        let now = state
        guard now != announced else { return }
        announced = now
        onChange(now)
    }
}
