import Ports
import SyncEngine
import TrackerModel
import WireText

/// Carries queued points to the server: does what `SyncMachine` says, with the queue, the network and the credential.
final class Uploader {
    /// What the uploader uses of the runtime around it.
    struct Surroundings {
        var deviceID: String
        var bootID: String
        var allowsCleartext: Bool
        var store: any TrackStore
        var uplink: any Uplink
        var digests: any Digests
        var reactor: any Reactor
        var log: any LogSink
        var vault: (any CredentialVault)?
        var link: LinkWatch
        var utcNow: () -> UTCTime
        /// `nil` while neither the receiver nor the host knows the time.
        var trustedNow: () -> UTCTime?
        var sessionID: () -> String?
        var conditions: () -> Conditions
        var emit: (TrackerEvent) -> Void
        var stopTracking: () -> Void
    }

    /// A backlog is looked at this often, whatever the health loop does (spec sync §7).
    private static let backstopMillis: Int64 = 900_000
    static let queueEventMillis: Int64 = 60_000

    let surroundings: Surroundings
    /// As the configuration file has it.
    let base: SyncConfig
    /// In force: with the endpoint of `sync configure` and the credentials that are kept elsewhere.
    var config: SyncConfig
    var machine: SyncMachine
    var record: UploadRecord
    /// Before what an earlier run left is read, nothing is sent and nothing written over it.
    var isRecordRead = false
    /// The endpoint comes from `sync configure`.
    var isConfiguredHere = false
    /// Why the endpoint that there is cannot be used.
    var endpointProblem: String?
    /// A 401 took the endpoint away; only the operator gives one again.
    var isTornDown = false
    /// Counts endpoints: an answer to an earlier one decides nothing.
    var generation = 0
    /// The last answer in a word for status: `200`, or `failed: connection refused`.
    var lastAnswer: String?
    /// Of the last answer that had one.
    var lastStatus: Int?
    var problem: String?
    var uploadedThisRun: Int64 = 0
    var lastEvent: UploadEvent?
    /// Called with every event of uploads.
    var onEvent: ((UploadEvent) -> Void)?
    /// Why nothing is to be sent now; meanwhile what comes in waits.
    var hold: String? {
        didSet { if hold == nil { handleInputs() } else { keepModem() } }
    }
    /// The next request carries the newest point alone.
    var sendsNewestFirst = false
    /// Called when an exchange begins and when it has ended.
    var onExchange: ((_ begins: Bool) -> Void)?
    /// Who waits for the end of a drain.
    var waiting: ((SyncResult) -> Void)?
    private(set) var inputs: [SyncInput] = []
    private var isHandling = false
    var isRecordStale = false
    /// Not to this host.
    var openExchanges = 0
    /// `sync test`, while it waits for a modem that was off.
    var waitingTest: WaitingTest?
    private var timer: TimerID?
    private var backstop: TimerID?
    var radio = RadioMeter()
    /// `StateKey.crossings`; `nil` while it is not known or crossings are not sent.
    var lastCrossing: Int64?
    private var lastQueueEvent: (at: Instant, pending: Int64)?

    init(_ base: SyncConfig, _ surroundings: Surroundings) {
        self.base = base
        self.surroundings = surroundings
        config = base
        record = UploadRecord(text: nil)
        machine = SyncMachine(SyncConfig(), deviceID: surroundings.deviceID)
    }

    /// Reads endpoint and credential, and begins to watch the link and the backlog.
    func start() {
        findCrossings()
        surroundings.link.onChange = { [weak self] in self?.linkMayHaveChanged() }
        load()
        armBackstop()
    }

    func stop() {
        timer.map(surroundings.reactor.cancel)
        backstop.map(surroundings.reactor.cancel)
        waitingTest.map { surroundings.reactor.cancel($0.timer) }
        timer = nil
        backstop = nil
        waitingTest = nil
        surroundings.link.onChange = nil
    }

    var isConfigured: Bool { machine.isConfigured }
    /// When the next attempt is due, if one is waited for.
    var nextAttempt: Instant? { machine.deadline < .never ? machine.deadline : nil }

    func pointCommitted() { give(.pointCommitted) }

    /// At start and on the health tick: rows from before, a credential that could not be read, a queue out of bounds.
    func noticeBacklog() {
        if endpointProblem != nil, config.url == nil { retryEndpoint() }
        boundQueue()
        if base.sendsCrossings, lastCrossing == nil {
            findCrossings()
            hurryCrossings()
        }
        give(.backlogChecked)
    }

    /// `sync request`.
    func request() { give(.requested) }

    /// `sync now`; `finished` hears what the drain came to.
    func uploadNow(_ finished: @escaping (SyncResult) -> Void) {
        if let hold { return finished(.retry(reason: hold, afterMillis: nil)) }
        if machine.isDraining { return finished(.alreadyDraining) }
        // A modem that is off takes its time: what was asked for is sent when it is up.
        if needsModem { give(.requested) }
        waiting = finished
        give(.demanded)
    }

    private var needsModem: Bool {
        surroundings.link.modem != nil && surroundings.link.state?.path == nil && config.requiresNetwork
            && !config.isLoopback
    }

    /// The last upload before the board goes off: the newest point first. `finished` hears the end of it, also when it is
    /// under way already, or waits for a modem.
    func uploadLast(_ finished: @escaping () -> Void) {
        if hold != nil { return finished() }
        let earlier = waiting
        waiting = { result in
            earlier?(result)
            finished()
        }
        sendsNewestFirst = true
        if machine.isDraining { return }
        give(needsModem ? .requested : .demanded)
    }

    private func armBackstop() {
        let due = surroundings.reactor.now.advanced(byMillis: Self.backstopMillis)
        backstop = surroundings.reactor.schedule(at: due, toleranceMillis: Self.backstopMillis / 10) { [weak self] in
            self?.armBackstop()
            self?.noticeBacklog()
        }
    }

    func linkMayHaveChanged() {
        guard let state = surroundings.link.state else { return }
        give(.linkChanged(state))
        if state.path != nil { testHasRoute() }
    }
}

// MARK: - The machine

extension Uploader {
    /// Hands one input to the machine and does what it says, and what follows from that, in order.
    func give(_ input: SyncInput) {
        // While nothing is handled the same once more says nothing, and of the link only the last word counts.
        if hold != nil { inputs.removeAll { $0 == input || $0.isLink && input.isLink } }
        inputs.append(input)
        handleInputs()
    }

    private func handleInputs() {
        guard !isHandling, hold == nil else { return }
        isHandling = true
        while !inputs.isEmpty {
            let actions = machine.handle(inputs.removeFirst(), at: surroundings.reactor.now, facts)
            do throws(StoreFailure) {
                for action in actions { try perform(action) }
            } catch {
                problem = "\(error.cause); \(error.remedy)"
                inputs.insert(.storeRefused, at: 0)
            }
        }
        isHandling = false
        noteQueue()
        saveRecord()
        keepModem()
    }

    /// An exchange that is under way keeps a modem powered whatever it is for, until something holds it all back.
    func keepModem() {
        let isNeeded = { [self] in
            openExchanges > 0 || waitingTest != nil || machine.wantsLink(at: surroundings.reactor.now, facts)
        }
        surroundings.link.modem?.want(
            hold == nil && isNeeded(), hasRoute: surroundings.link.state?.path != nil)
    }

    private func perform(_ action: SyncAction) throws(StoreFailure) {
        switch action {
        case .send(let selection): try send(selection)
        case .markSent(let batch):
            try markSent(batch)
            uploadedThisRun += Int64(batch.ids.count)
            var counts = UploadCounts()
            counts.rows = Int64(batch.ids.count)
            count(counts)
        case .passOver(let id, let reason): try passOver(id, reason: reason)
        case .quarantine(let ids, let reason): try setAside(ids, reason: reason)
        case .emit(let event): emit(event)
        case .diagnose(let text): surroundings.emit(.diagnostic(text))
        case .rereadCredential: rereadCredential()
        case .tearDown: tearDown()
        case .halt:
            record.halted = (digest(of: config), lastStatus)
            isRecordStale = true
        case .wipeQueue: wipeAfterRefusal()
        case .stopTracking: surroundings.stopTracking()
        case .finished(let result):
            let waiting = waiting
            self.waiting = nil
            waiting?(result)
        case .save: isRecordStale = true
        case .wake(let deadline): wake(at: deadline)
        }
    }

    func emit(_ event: UploadEvent) {
        lastEvent = event
        onEvent?(event)
        surroundings.emit(.upload(event))
    }

    private func wake(at deadline: Instant) {
        timer.map(surroundings.reactor.cancel)
        timer = nil
        guard deadline < .never else { return }
        // A pause is part of an upload that goes on: it must not grow.
        let tolerance: Int64 = machine.isPausing ? 50 : 1_000
        timer = surroundings.reactor.schedule(at: deadline, toleranceMillis: tolerance) { [weak self] in
            self?.timer = nil
            self?.give(.timerFired)
        }
    }

    func setAside(_ ids: [Int64], reason: String) throws(StoreFailure) {
        try surroundings.store.quarantine(ids: ids, reason: reason)
        surroundings.log.write(
            .warning, "upload.quarantined", [("count", .int(Int64(ids.count))), ("reason", .text(reason))])
    }

    /// A failure here must not hold up the end of the credential.
    private func wipeAfterRefusal() {
        do throws(StoreFailure) {
            _ = try wipe()
        } catch { problem = "the queue could not be wiped: \(error.cause); \(error.remedy)" }
    }

    private func boundQueue() {
        guard config.maxQueueRows > 0,
            let dropped = try? surroundings.store.shedQueue(keeping: config.maxQueueRows), dropped > 0
        else { return }
        surroundings.emit(.diagnostic("queue_shed:\(dropped)"))
        surroundings.log.write(.error, "queue.shed", [("count", .int(dropped))])
    }

    private func noteQueue() {
        let now = surroundings.reactor.now
        if let last = lastQueueEvent, now.millis(since: last.at) < Self.queueEventMillis { return }
        guard let summary = try? surroundings.store.queueSummary(), summary.pending != lastQueueEvent?.pending else {
            return
        }
        lastQueueEvent = (now, summary.pending)
        emit(.queueState(pending: summary.pending, oldest: summary.oldest))
    }
}

extension SyncInput {
    fileprivate var isLink: Bool { if case .linkChanged = self { true } else { false } }
}
