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

    /// How a credential was refused.
    enum CredentialRefusal {
        /// For good: endpoint and credential go.
        case unauthorized
        /// Until the operator has looked: they stay.
        case forbidden
    }

    /// One run of batches.
    struct Drain {
        var batches = 0
        var rows = 0
        /// Of the drain before, for a drain that finds nothing.
        var previous: Instant?
        /// One request with the newest point, and no more.
        var isNewestOnly = false
        /// Began when there was something urgent.
        var isForUrgency = false
        /// Nothing follows: the battery ends (spec power §2, `shutdown`).
        var isGoodbye = false
    }

    static let batchesPerDrain = 20
    static let pauseMillis: Int64 = 1_000
    /// A link must stay for so long to count (spec sync §7).
    static let settleMillis: Int64 = 5_000
    /// A link that comes and goes shortens a wait at most this often.
    static let linkTriggerMillis: Int64 = 60_000
    /// Without a confirmation for so long the health loop does not wait for the coalescing interval.
    private static let overdueMillis: Int64 = 960_000
    /// The last attempt of a battery that ends takes no longer (spec power §2).
    static let goodbyeSec = 60

    var config: SyncConfig
    var phase: Phase
    var attempts = 0
    var drain = Drain()
    var sizing: BatchSizing
    var poison = PoisonSearch()
    /// Rows set aside since the last 2xx: a server that refuses everything must not empty the queue at once.
    var condemned = 0
    /// The credential was read again after it was refused, and tried.
    var hasRereadCredential = false
    var lastRefusal = CredentialRefusal.unauthorized
    /// A TLS failure was met with a clock that nothing holds.
    var isClockDoubted = false
    var lastConfirmed: Instant?
    /// What stands in the way, once something wanted to be sent.
    public internal(set) var obstacle: Obstacle?
    var jitter: JitterSource
    var isWanted = false
    /// After a pause in a long drain.
    var isContinuing = false
    var lastDrain: Instant?
    /// When a drain last began that had something to send.
    var lastBegan: Instant?
    /// Until everything queued is sent.
    var urgency: UploadUrgency?
    /// `nil` before the first input.
    var tier: PowerTier?
    var hasSaidGoodbye = false
    /// While something wants to be sent: what the policy said last.
    var answer: UploadAnswer?
    /// At the last look at the link.
    var judgedQuality: Int?
    var link: LinkState?
    var settlesAt: Instant?
    var lastLinkTrigger: Instant?
    /// `nil`: not known to have been heard.
    var announcedWake: Instant? = .never
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
    /// Between two runs of a backlog.
    public var isPausing: Bool { if case .pausing = phase { true } else { false } }
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
            case .idle: isWanted ? wanted : .never
            }
        return min(own, isConfigured ? settlesAt ?? .never : .never)
    }

    private var wanted: Instant {
        switch answer {
        case .now: .zero
        case .wait(let until, _): until ?? .never
        case .never, nil: .never
        }
    }

    /// One input; what follows from it.
    public mutating func handle(_ input: SyncInput, at now: Instant, _ facts: SyncFacts) -> [SyncAction] {
        actions = []
        if isClockDoubted, facts.wallTrust == .disciplined, case .waiting = phase {
            // What failed for the clock's sake is tried as soon as the clock is right.
            isClockDoubted = false
            resume()
        }
        noteTier(facts.tier)
        switch input {
        case .pointCommitted: trigger(now, facts)
        case .backlogChecked:
            if now.millis(since: lastConfirmed ?? .zero) >= Self.overdueMillis { lastDrain = nil }
            trigger(now, facts)
        case .requested: request(atOnce: false, now, facts)
        case .demanded: request(atOnce: true, now, facts)
        case .linkChanged(let link): linkChanged(to: link, now, facts)
        case .urgent(let urgency): hurry(urgency, now, facts)
        case .conditionsChanged: proceed(now, facts)
        case .timerFired: timerFired(now, facts)
        case .queueEmpty: queueEmpty()
        case .exchangeFinished(let batch, let reply): exchangeFinished(batch, reply, now, facts)
        case .credentialReread(let isChanged): credentialReread(isChanged)
        case .storeRefused: storeRefused(now)
        case .configured(let config): configured(config)
        }
        // A link that has yet to settle changes nothing.
        if phase == .idle, isWanted, settlesAt == nil { answer = answer(at: now, facts) }
        if deadline != announcedWake {
            announcedWake = deadline
            actions.append(.wake(at: deadline))
        }
        return actions
    }
}
