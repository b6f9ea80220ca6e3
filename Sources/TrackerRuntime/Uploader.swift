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
        didSet {
            guard let hold else { return handleInputs() }
            endTest(hold)
            keepModem()
        }
    }
    /// The next request carries the newest point alone.
    var sendsNewestFirst = false
    /// Called when an exchange begins and when it has ended.
    var onExchange: ((_ begins: Bool) -> Void)?
    /// Who waits for the end of a drain.
    var waiting: ((SyncResult) -> Void)?
    var inputs: [SyncInput] = []
    var isHandling = false
    var isRecordStale = false
    /// Not to this host.
    var openExchanges = 0
    /// `sync test`, while it waits for a modem that was off.
    var waitingTest: WaitingTest?
    let alarm: Alarm
    private let backstop: Alarm
    let testAlarm: Alarm
    var radio = RadioMeter()
    /// `StateKey.crossings`; `nil` while it is not known or crossings are not sent.
    var lastCrossing: Int64?
    var lastQueueEvent: (at: Instant, pending: Int64)?

    init(_ base: SyncConfig, _ surroundings: Surroundings) {
        self.base = base
        self.surroundings = surroundings
        config = base
        alarm = Alarm(surroundings.reactor)
        backstop = Alarm(surroundings.reactor)
        testAlarm = Alarm(surroundings.reactor)
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
        for alarm in [alarm, backstop, testAlarm] { alarm.cancel() }
        endTest("the upload ends; ask again later")
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
        backstop.set(afterMillis: Self.backstopMillis, toleranceMillis: Self.backstopMillis / 10) { [weak self] in
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
