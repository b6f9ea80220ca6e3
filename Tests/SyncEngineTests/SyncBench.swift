import TrackerModel

@testable import SyncEngine

/// A machine, a queue of numbered rows, and a server that the test writes: time moves from deadline to deadline.
struct SyncBench {
    var machine: SyncMachine
    var now = Instant(millis: 10_000_000)
    var wall = WallTrust.disciplined
    var trustedNow: UTCTime?
    var oldestAgeMillis: Int64?
    /// Tier, motion and the like, as the machine is told.
    var change: (inout SyncFacts) -> Void = { _ in }
    /// When the oldest row was stored, where the age is to follow.
    var oldestSince: Instant?
    /// Ids waiting, oldest first.
    var queue: [Int64] = []
    var sent: [Int64] = []
    var quarantined: [Int64] = []
    /// Sizes of the requests so far.
    var requests: [[Int64]] = []
    var events: [UploadEvent] = []
    var diagnostics: [String] = []
    var results: [SyncResult] = []
    /// Everything else that was asked for, in order.
    var effects: [SyncAction] = []
    var wake = Instant.never
    /// What the server answers to these rows.
    var server: ([Int64]) -> SyncReply = { _ in .answered(status: 200) }
    /// `nil`: the credential cannot be read again to another text.
    var rereads: Bool?
    /// Rows are read but the exchange stays in flight.
    var hangs = false
    var inFlight: SyncBatch?

    init(_ rows: Int = 0, isHalted: Bool = false, change: (inout SyncConfig) -> Void = { _ in }) {
        var config = SyncConfig()
        config.url = "https://example.org/points"
        change(&config)
        machine = SyncMachine(config, deviceID: "test", isHalted: isHalted)
        queue = rows > 0 ? (1...Int64(rows)).map { $0 } : []
    }

    mutating func give(_ input: SyncInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            var facts = SyncFacts(
                wallTrust: wall, trustedNow: trustedNow, rows: Int64(queue.count), oldestAgeMillis: oldestAge)
            change(&facts)
            for action in machine.handle(inputs.removeFirst(), at: now, facts) {
                perform(action).map { inputs.append($0) }
            }
        }
    }

    private var oldestAge: Int64? { oldestAgeMillis ?? oldestSince.map { now.millis(since: $0) } }

    private mutating func perform(_ action: SyncAction) -> SyncInput? {
        switch action {
        case .send(let selection): return send(selection)
        case .markSent(let batch):
            sent += batch.ids
            queue.removeAll { batch.ids.contains($0) }
        case .quarantine(let ids, _):
            quarantined += ids
            queue.removeAll { ids.contains($0) }
        case .emit(let event): events.append(event)
        case .diagnose(let text): diagnostics.append(text)
        case .finished(let result): results.append(result)
        case .wake(let instant): wake = instant
        case .rereadCredential:
            effects.append(action)
            return .credentialReread(isChanged: rereads ?? false)
        case .tearDown, .halt, .stopTracking, .save: effects.append(action)
        case .wipeQueue:
            effects.append(action)
            queue = []
        }
        return nil
    }

    private mutating func send(_ selection: SyncSelection) -> SyncInput? {
        let isNewest = selection.prefersNewest && queue.count > selection.limit
        let rows = isNewest ? [queue[queue.count - 1]] : Array(queue.prefix(selection.limit))
        guard !rows.isEmpty else { return .queueEmpty }
        requests.append(rows)
        let batch = SyncBatch(
            ids: rows, uuids: rows.map { "u\($0)" }, isHead: !isNewest,
            isAll: !isNewest && rows.count < selection.limit)
        guard !hangs else {
            inFlight = batch
            return nil
        }
        return .exchangeFinished(batch, server(rows))
    }

    /// Ends the exchange that hangs.
    mutating func answer(_ reply: SyncReply) {
        guard let batch = inFlight else { return }
        inFlight = nil
        hangs = false
        give(.exchangeFinished(batch, reply))
    }

    mutating func commit(_ id: Int64) {
        queue.append(id)
        give(.pointCommitted)
    }

    mutating func pass(seconds: Int64) { pass(until: now.advanced(byMillis: seconds * 1_000)) }

    mutating func pass(until target: Instant) {
        while wake <= target {
            now = max(now, wake)
            give(.timerFired)
        }
        now = target
    }

    /// Goes to the next deadline; seconds that passed.
    mutating func passWait() -> Double {
        let before = now
        guard wake < .never else { return -1 }
        now = wake
        give(.timerFired)
        return now.seconds(since: before)
    }

    var retries: [Int64] { events.compactMap { if case .retryScheduled(let after, _) = $0 { after } else { nil } } }
    var statuses: [Int?] {
        events.compactMap { if case .httpResponse(let status, _) = $0 { .some(status) } else { nil } }
    }
}
