public import TrackerModel

/// Everything that the policy looks at.
public struct UploadSituation: Equatable, Sendable {
    /// What nothing goes around (spec power §6, rule 1).
    public enum Barrier: Equatable, Sendable {
        /// No endpoint, or a 401 took it away.
        case unconfigured
        /// A 403.
        case halted
        case backoff(SyncBackoff.Wait)
        /// Certificates cannot be checked against a clock that nobody has set.
        case clock
        /// The link costs money, which is not wanted, and the rows are not old enough.
        case metered
    }

    public var barrier: Barrier?
    public var urgency: UploadUrgency?
    /// Queued; `.max` when it cannot be known: then no number is too small.
    public var rows: Int64
    /// Of the oldest queued row, ≥ 0; `nil` when it is not known.
    public var oldestAgeMillis: Int64?
    public var isMoving: Bool
    public var tier: PowerTier
    public var isCharging: Bool
    /// `nil`: none is needed, or nobody watches it; then it counts as up and free.
    public var link: LinkState?
    /// Before then nothing more is sent (`autoSyncCoalesceSec`).
    public var coalescedAt: Instant
    /// When an upload last began; `nil` for never.
    public var lastBegan: Instant?
    /// What may be sent in a day has been; milliseconds until the next begins.
    public var spentForMillis: Int64?
    /// The one attempt before the end was made.
    public var hasSaidGoodbye: Bool

    public init(
        barrier: Barrier? = nil, urgency: UploadUrgency? = nil, rows: Int64, oldestAgeMillis: Int64? = 0,
        isMoving: Bool = false, tier: PowerTier = .normal, isCharging: Bool = false, link: LinkState? = nil,
        coalescedAt: Instant = .zero, lastBegan: Instant? = nil, spentForMillis: Int64? = nil,
        hasSaidGoodbye: Bool = false
    ) {
        self.barrier = barrier
        self.urgency = urgency
        self.rows = rows
        self.oldestAgeMillis = oldestAgeMillis
        self.isMoving = isMoving
        self.tier = tier
        self.isCharging = isCharging
        self.link = link
        self.coalescedAt = coalescedAt
        self.lastBegan = lastBegan
        self.spentForMillis = spentForMillis
        self.hasSaidGoodbye = hasSaidGoodbye
    }
}

/// Why rows must not wait for a better moment (spec power §6, rule 2). Tampering has no sensor yet.
public enum UploadUrgency: String, Equatable, Sendable {
    case fenceCrossing
    /// The tier has become `critical`.
    case lowBattery
    /// Nobody saw the track for more than an hour.
    case trackingGap
    /// The operator asked; one request a coalescing interval all the same.
    case request
}

/// Whether an upload may begin.
public enum UploadAnswer: Equatable, Sendable {
    case now(UploadCause)
    /// - Parameter until: when the answer may be another one although nothing has happened; `nil`: not before something
    ///   happens.
    case wait(until: Instant?, UploadWait)
    /// Not before somebody intervenes, or the battery is fuller.
    case never(UploadWait)
}

/// Which rule lets an upload begin.
public enum UploadCause: Equatable, Sendable {
    case urgent(UploadUrgency)
    /// Charging, or a link that costs nothing.
    case free
    /// The oldest row has waited as long as it may.
    case old
    /// The link is good enough for the age of the oldest row, or nobody knows how good it is.
    case quality
    /// The newest point of a tier that sends no other.
    case newest
}

/// What an upload waits for.
public enum UploadWait: Equatable, Sendable {
    case barrier(UploadSituation.Barrier)
    case nothingQueued
    case link
    case coalescing
    /// Of the day's bytes.
    case budget
    case rows(Int64, of: Int64, oldestAgeMillis: Int64?, limitMillis: Int64)
    case quality(Int, of: Int, oldestAgeMillis: Int64?, limitMillis: Int64)
    /// The tier's next time for its newest point.
    case nextNewest
    /// The last attempt before the end was made.
    case exhausted
}
