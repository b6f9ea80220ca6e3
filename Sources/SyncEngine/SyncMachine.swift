public import TrackerModel

/// When to upload (spec sync §3, §5–§7, in its first form): one exchange at a time, coalesced triggers, rows confirmed
/// only by a 2xx, a doubling back-off for everything else.
///
/// It only answers: each input returns what to do now; `deadline` says when to call `timerFired`.
public struct SyncMachine {
    public enum Answer: Equatable, Sendable {
        case nothing
        /// Read the oldest queued rows and start one exchange; report with `exchangeFinished` or `queueEmpty`.
        case drain
    }

    /// How an exchange ended, for the queue.
    public enum Outcome: Equatable, Sendable {
        /// 2xx: the rows are confirmed.
        case confirmed(rows: Int)
        /// Anything else, in the operator's words.
        case refused(String)
    }

    private enum State {
        case idle
        case inFlight
        /// Nothing is attempted before `until`, whatever triggers.
        case waiting(until: Instant)
    }

    private let config: SyncConfig
    private var state = State.idle
    private var attempts = 0
    /// A point was stored while an exchange was in flight or a drain was too recent.
    private var isWanted = false
    private var lastDrain: Instant?
    private var jitter: JitterSource

    /// - Parameter deviceID: seeds the jitter, so that a fleet does not retry in step.
    public init(_ config: SyncConfig, deviceID: String) {
        self.config = config
        jitter = JitterSource(seed: deviceID)
    }

    /// False without an endpoint: then nothing is ever attempted.
    public var isConfigured: Bool { config.url != nil }

    public var deadline: Instant {
        switch state {
        case .inFlight: .never
        case .waiting(let until): until
        case .idle: isWanted ? coalesced : .never
        }
    }

    /// A point is durable: upload at once after quiet, else at most once per coalescing interval.
    public mutating func pointCommitted(_ now: Instant) -> Answer {
        guard isConfigured, config.autoSync else { return .nothing }
        isWanted = true
        return proceed(now)
    }

    /// The queue may hold rows from before: at start and on the health tick.
    public mutating func backlogNoticed(_ now: Instant) -> Answer { pointCommitted(now) }

    public mutating func timerFired(_ now: Instant) -> Answer {
        if case .waiting(let until) = state, until <= now {
            state = .idle
            isWanted = true
            lastDrain = nil
        }
        return proceed(now)
    }

    /// The drain found nothing to send.
    public mutating func queueEmpty() {
        state = .idle
        attempts = 0
    }

    /// - Parameter more: rows remain queued, so the drain goes on without a pause.
    public mutating func exchangeFinished(_ outcome: Outcome, more: Bool, _ now: Instant) -> Answer {
        switch outcome {
        case .confirmed:
            attempts = 0
            state = .idle
            guard more else { return proceed(now) }
            state = .inFlight
            return .drain
        case .refused:
            attempts += 1
            isWanted = false
            state = .waiting(until: now.advanced(byMillis: backoffMillis()))
            return .nothing
        }
    }

    private var coalesced: Instant { lastDrain?.advanced(byMillis: config.coalesceMillis) ?? .zero }

    private mutating func proceed(_ now: Instant) -> Answer {
        guard isWanted, case .idle = state, now >= coalesced else { return .nothing }
        isWanted = false
        lastDrain = now
        state = .inFlight
        return .drain
    }

    /// 30, 60, 120 … s up to the ceiling, ± 20 % (spec sync §6).
    private mutating func backoffMillis() -> Int64 {
        var wait = config.backoffInitialMillis
        for _ in 1..<max(attempts, 1) where wait < config.backoffCeilingMillis { wait *= 2 }
        wait = min(wait, config.backoffCeilingMillis)
        return wait + wait * jitter.nextPercent() / 100
    }
}

/// Reproducible jitter: FNV-1a of the device id seeds a linear congruential generator (Knuth's MMIX constants).
struct JitterSource {
    private var state: UInt64

    init(seed: String) {
        state = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Uniform in −20…20.
    mutating func nextPercent() -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64(state >> 33) % 41 - 20
    }
}
