public import TrackerModel

/// When to upload and what an answer means (spec sync §3, §5–§7): one exchange at a time, coalesced triggers, rows
/// confirmed only by a 2xx, back-off, and an end for credentials that are refused.
///
/// It only answers: each input returns what to do, in order.
public struct SyncMachine {
    enum Phase: Equatable {
        /// There is no endpoint, or a 401 took it away.
        case unconfigured
        /// A 403: nothing but the operator ends it.
        case halted
        case idle
        /// Rows are being read or an exchange is in flight.
        case draining
        /// Between two runs of batches, so that a backlog does not keep the loop to itself.
        case pausing(until: Instant)
        /// Nothing is attempted before the wait is over, whatever triggers.
        case waiting(SyncBackoff.Wait)
    }

    /// Why nothing is attempted now although there is something to send.
    public enum Obstacle: String, Equatable, Sendable {
        /// No default route.
        case offline
        /// Certificates cannot be checked against a clock that nobody has set.
        case clock
        /// The link costs money, and the rows are not old enough.
        case metered
    }

    /// One run of batches.
    struct Drain {
        var batches = 0
        var rows = 0
        /// Of the drain before, for a drain that finds nothing.
        var previous: Instant?
    }

    static let batchesPerDrain = 20
    private static let pauseMillis: Int64 = 1_000
    /// A link must stay for so long to count (spec sync §7).
    private static let settleMillis: Int64 = 5_000
    /// A link that comes and goes shortens a wait at most this often.
    private static let linkTriggerMillis: Int64 = 60_000
    /// Without a confirmation for so long the health loop does not wait for the coalescing interval.
    private static let overdueMillis: Int64 = 960_000

    var config: SyncConfig
    var phase: Phase
    var attempts = 0
    var drain = Drain()
    var sizing: BatchSizing
    var poison = PoisonSearch()
    /// Rows set aside since the last 2xx: a server that refuses everything must not empty the queue at once.
    var condemned = 0
    /// The credential was read again after a 401 and tried.
    var hasRereadCredential = false
    /// A TLS failure was met with a clock that nothing holds.
    var isClockDoubted = false
    var lastConfirmed: Instant?
    /// What stands in the way, once something wanted to be sent.
    public private(set) var obstacle: Obstacle?
    private var jitter: JitterSource
    var isWanted = false
    private var lastDrain: Instant?
    private var link = SyncLink.unknown
    private var settlesAt: Instant?
    private var lastLinkTrigger: Instant?
    /// `nil`: not known to have been heard.
    private var announcedWake: Instant? = .never
    var actions: [SyncAction] = []

    /// - Parameters:
    ///   - deviceID: seeds the jitter, so that a fleet does not retry in step.
    ///   - backoff: of an earlier run.
    ///   - isHalted: a 403 of an earlier run stands.
    public init(_ config: SyncConfig, deviceID: String, backoff: SyncBackoff = SyncBackoff(), isHalted: Bool = false) {
        self.config = config
        jitter = JitterSource(seed: deviceID)
        sizing = BatchSizing(ceiling: config.batchSize)
        attempts = backoff.attempts
        phase = Self.phase(config, isHalted: isHalted, backoff.wait)
    }

    private static func phase(_ config: SyncConfig, isHalted: Bool, _ wait: SyncBackoff.Wait?) -> Phase {
        if config.url == nil { return .unconfigured }
        if isHalted { return .halted }
        return wait.map { .waiting($0) } ?? .idle
    }

    /// False without an endpoint: then nothing is ever attempted.
    public var isConfigured: Bool { config.url != nil && phase != .unconfigured }
    public var isDraining: Bool { phase == .draining }
    public var isHalted: Bool { phase == .halted }

    /// For status: `unconfigured`, `halted`, `idle`, `draining`, `waiting`.
    public var stateName: String {
        switch phase {
        case .unconfigured: "unconfigured"
        case .halted: "halted"
        case .idle: "idle"
        case .draining, .pausing: "draining"
        case .waiting: "waiting"
        }
    }

    /// What is kept over restarts.
    public var backoff: SyncBackoff {
        if case .waiting(let wait) = phase { return SyncBackoff(attempts: attempts, wait: wait) }
        return SyncBackoff(attempts: attempts)
    }

    /// When `timerFired` is wanted.
    public var deadline: Instant {
        let own: Instant =
            switch phase {
            case .unconfigured, .halted, .draining: .never
            case .pausing(let until): until
            case .waiting(let wait): wait.until
            case .idle: isWanted && obstacle == nil ? coalesced : .never
            }
        return min(own, isConfigured ? settlesAt ?? .never : .never)
    }

    /// One input; what follows from it.
    public mutating func handle(_ input: SyncInput, at now: Instant, _ facts: SyncFacts) -> [SyncAction] {
        actions = []
        if isClockDoubted, facts.wallTrust == .disciplined, case .waiting = phase {
            // What failed for the clock's sake is tried as soon as the clock is right.
            isClockDoubted = false
            resume()
        }
        switch input {
        case .pointCommitted: trigger(now, facts)
        case .backlogChecked:
            if now.millis(since: lastConfirmed ?? .zero) >= Self.overdueMillis { lastDrain = nil }
            trigger(now, facts)
        case .requested: request(atOnce: false, now, facts)
        case .demanded: request(atOnce: true, now, facts)
        case .linkChanged(let link): linkChanged(to: link, now, facts)
        case .timerFired: timerFired(now, facts)
        case .queueEmpty: queueEmpty()
        case .exchangeFinished(let batch, let reply): exchangeFinished(batch, reply, now, facts)
        case .credentialReread(let isChanged): credentialReread(isChanged)
        case .storeRefused: storeRefused(now)
        case .configured(let config): configured(config)
        }
        if deadline != announcedWake {
            announcedWake = deadline
            actions.append(.wake(at: deadline))
        }
        return actions
    }
}

// MARK: - Triggers

extension SyncMachine {
    private var coalesced: Instant { lastDrain?.advanced(byMillis: config.coalesceMillis) ?? .zero }

    private mutating func trigger(_ now: Instant, _ facts: SyncFacts) {
        guard config.autoSync, isConfigured, phase != .halted else { return }
        isWanted = true
        proceed(now, facts)
    }

    /// The operator's word goes before every wait, and not before a halt.
    private mutating func request(atOnce: Bool, _ now: Instant, _ facts: SyncFacts) {
        switch phase {
        case .unconfigured: return finish(.notConfigured)
        case .halted: return finish(.forbidden)
        case .draining: return finish(.alreadyDraining)
        case .idle, .pausing, .waiting: break
        }
        phase = .idle
        isWanted = true
        if atOnce { lastDrain = nil }
        proceed(now, facts)
        if atOnce, let obstacle { finish(.retry(reason: obstacle.rawValue, afterMillis: nil)) }
    }

    private mutating func linkChanged(to new: SyncLink, _ now: Instant, _ facts: SyncFacts) {
        let wasDown = link == .down
        link = new
        switch new {
        case .down, .unknown: settlesAt = nil
        case .up:
            if wasDown { settlesAt = now.advanced(byMillis: Self.settleMillis) }
            // A link that was there before anybody asked is no news.
            if !wasDown { proceed(now, facts) }
        }
    }

    private mutating func linkSettled(_ now: Instant, _ facts: SyncFacts) {
        settlesAt = nil
        guard config.autoSync, phase != .halted, isConfigured else { return }
        let mayShorten = lastLinkTrigger.map { now.millis(since: $0) >= Self.linkTriggerMillis } ?? true
        if mayShorten {
            lastLinkTrigger = now
            // A time that the server named stands.
            if case .waiting(let wait) = phase, !wait.isServerTime { phase = .idle }
            lastDrain = nil
        }
        isWanted = true
        proceed(now, facts)
    }

    private mutating func timerFired(_ now: Instant, _ facts: SyncFacts) {
        if let settlesAt, settlesAt <= now { linkSettled(now, facts) }
        switch phase {
        case .waiting(let wait) where wait.until <= now: resume()
        case .pausing(let until) where until <= now: resume()
        default: break
        }
        proceed(now, facts)
    }

    private mutating func resume() {
        phase = .idle
        isWanted = true
        lastDrain = nil
    }

    private mutating func proceed(_ now: Instant, _ facts: SyncFacts) {
        guard isWanted, phase == .idle else { return }
        let found = obstacle(facts)
        if let found, found == .clock, obstacle != .clock { actions.append(.diagnose("sync_waiting_clock")) }
        obstacle = found
        // While something stands in the way nothing is timed: what takes it away is heard of.
        guard found == nil, now >= coalesced else { return }
        isWanted = false
        drain = Drain(previous: lastDrain)
        lastDrain = now
        phase = .draining
        sendNext()
    }

    private func obstacle(_ facts: SyncFacts) -> Obstacle? {
        if config.requiresNetwork, link == .down, !config.isLoopback { return .offline }
        if case .up(let isMetered) = link, isMetered, !config.allowsMetered,
            facts.oldestAgeMillis ?? 0 < config.meteredGraceMillis
        {
            return .metered
        }
        return config.isSecure && facts.wallTrust == .unknown ? .clock : nil
    }

    /// The rows of the next request of this drain.
    mutating func sendNext() {
        let suspected = poison.limit
        let limit = min(sizing.limit, suspected ?? .max)
        let isFirst = drain.batches == 0 && suspected == nil
        actions.append(.send(SyncSelection(limit: limit, prefersNewest: isFirst && config.order == .newestFirst)))
    }

    /// What was said last was not done from there on.
    private mutating func storeRefused(_ now: Instant) {
        announcedWake = nil
        if phase == .draining { wait("store", now) } else { finish(.retry(reason: "store", afterMillis: nil)) }
    }

    private mutating func configured(_ new: SyncConfig) {
        config = new
        sizing = BatchSizing(ceiling: new.batchSize)
        poison = PoisonSearch()
        condemned = 0
        attempts = 0
        obstacle = nil
        hasRereadCredential = false
        lastDrain = nil
        phase = new.url == nil ? .unconfigured : .idle
        isWanted = false
        actions.append(.save)
    }

    mutating func queueEmpty(isWanted wanted: Bool = false) {
        guard phase == .draining else { return }
        let total = drain.rows
        // A drain that found nothing does not delay the next point.
        if drain.batches == 0 { lastDrain = drain.previous }
        phase = .idle
        isWanted = wanted
        sizing.forget()
        poison = PoisonSearch()
        if attempts > 0 {
            attempts = 0
            actions.append(.save)
        }
        endDrain(total > 0 ? .uploaded(count: total) : .empty)
    }

    /// Everything up to here was sent; the rest follows in a moment.
    mutating func pause(_ now: Instant) {
        let total = drain.rows
        phase = .pausing(until: now.advanced(byMillis: Self.pauseMillis))
        endDrain(.uploaded(count: total))
    }

    /// Tells of what was confirmed, then how it ended.
    mutating func endDrain(_ result: SyncResult) {
        reportUploaded()
        finish(result)
    }

    mutating func reportUploaded() {
        if drain.rows > 0 { actions.append(.emit(.uploaded(count: drain.rows))) }
        drain = Drain()
    }

    mutating func finish(_ result: SyncResult) { actions.append(.finished(result)) }

    /// 30, 60, 120 … s up to the ceiling, ± 20 % (spec sync §6).
    mutating func backoffMillis() -> Int64 {
        var wait = config.backoffInitialMillis
        for _ in 1..<max(attempts, 1) where wait < config.backoffCeilingMillis { wait *= 2 }
        wait = min(wait, config.backoffCeilingMillis)
        return wait + wait * jitter.nextPercent() / 100
    }
}
