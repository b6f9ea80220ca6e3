public import TrackerModel

/// When an upload is worth a radio session (spec power §6): decides whether one may begin; what happens then is
/// `SyncMachine`'s.
public struct UploadPolicy: Equatable, Sendable {
    /// What the link must have for a row that has just been stored, 0…100 (spec power §6, rule 5).
    static let freshQuality: Int64 = 60
    /// A link that is up is looked at this often (same place).
    static let lookAgainMillis: Int64 = 60_000
    /// A quality that moves by less is no news (same place).
    static let qualityStep = 10
    /// Between the newest points of the tier `survival` (spec power §2).
    static let survivalMillis: Int64 = 21_600_000

    /// Rows that an upload must have; 0 is by tier: 1, in `saver` 20, below 50 (spec power §6, rule 6).
    public var minBatch: Int64

    public init(minBatch: Int64 = 0) { self.minBatch = minBatch }

    /// How long a row may wait: spec power §2, last column but one. From `survival` on no row's age sends anything.
    static func ageLimitMillis(_ tier: PowerTier, isMoving: Bool) -> Int64 {
        switch tier {
        case .normal: isMoving ? 300_000 : 3_600_000
        case .saver: isMoving ? 900_000 : 14_400_000
        case .critical, .survival, .shutdown: isMoving ? 3_600_000 : 43_200_000
        }
    }

    func minRows(_ tier: PowerTier) -> Int64 {
        if minBatch > 0 { return minBatch }
        switch tier {
        case .normal: return 1
        case .saver: return 20
        case .critical, .survival, .shutdown: return 50
        }
    }

    /// 60 × (1 − age/limit), rounded up to a whole of the link's scale; 0 from the limit on.
    static func requiredQuality(ageMillis: Int64, limitMillis: Int64) -> Int {
        let left = max(0, limitMillis - max(0, ageMillis))
        return Int((freshQuality * left + limitMillis - 1) / limitMillis)
    }

    public func answer(_ situation: UploadSituation, at now: Instant) -> UploadAnswer {
        if let barrier = situation.barrier { return Self.stopped(by: barrier) }
        if situation.rows <= 0 { return .wait(until: nil, .nothingQueued) }
        if situation.tier == .shutdown, situation.hasSaidGoodbye { return .never(.exhausted) }
        let hasLink = situation.link.map { $0.path != nil } ?? true
        guard hasLink else { return .wait(until: nil, .link) }
        if situation.tier == .shutdown { return .now(.newest) }
        let coalesced = situation.coalescedAt
        if let urgency = situation.urgency {
            return urgency == .request && now < coalesced ? .wait(until: coalesced, .coalescing) : .now(.urgent(urgency))
        }
        if let millis = situation.spentForMillis { return .wait(until: now.advanced(byMillis: millis), .budget) }
        if situation.tier == .survival { return newest(situation, now) }
        return drain(situation, now)
    }

    private static func stopped(by barrier: UploadSituation.Barrier) -> UploadAnswer {
        switch barrier {
        case .unconfigured, .halted: .never(.barrier(barrier))
        case .backoff(let wait): .wait(until: wait.until, .barrier(barrier))
        case .clock, .metered: .wait(until: nil, .barrier(barrier))
        }
    }

    private func newest(_ situation: UploadSituation, _ now: Instant) -> UploadAnswer {
        let due = situation.lastBegan?.advanced(byMillis: Self.survivalMillis) ?? now
        return now >= due ? .now(.newest) : .wait(until: due, .nextNewest)
    }

    /// Rules 3 to 6.
    private func drain(_ situation: UploadSituation, _ now: Instant) -> UploadAnswer {
        let limit = Self.ageLimitMillis(situation.tier, isMoving: situation.isMoving)
        let age = situation.oldestAgeMillis.map { max(0, $0) }
        let old = now.advanced(byMillis: limit - (age ?? 0))
        func begin(_ cause: UploadCause) -> UploadAnswer {
            now < situation.coalescedAt ? .wait(until: situation.coalescedAt, .coalescing) : .now(cause)
        }
        func later(_ instant: Instant) -> Instant { max(instant, situation.coalescedAt) }
        if old <= now { return begin(.old) }
        let least = minRows(situation.tier)
        if situation.rows < least {
            return .wait(
                until: later(old), .rows(situation.rows, of: least, oldestAgeMillis: age, limitMillis: limit))
        }
        let path = situation.link?.path
        if situation.isCharging || path?.isMetered != true { return begin(.free) }
        // Where nobody measures there is no better moment to wait for.
        guard let quality = path?.quality else { return begin(.quality) }
        let required = Self.requiredQuality(ageMillis: age ?? 0, limitMillis: limit)
        if quality >= required { return begin(.quality) }
        return .wait(
            until: later(min(old, now.advanced(byMillis: Self.lookAgainMillis))),
            .quality(quality, of: required, oldestAgeMillis: age, limitMillis: limit))
    }
}
