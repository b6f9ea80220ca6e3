public import TrackerModel

/// What it must be on for, and when it is looked at otherwise.
extension ReceiverPowerMachine {
    /// A look at the receiver that is to come.
    public struct Plan: Equatable, Sendable {
        /// When the fix is due.
        public var fixAt: Instant
        /// When the receiver is started for it: earlier by the time that a first fix takes.
        public var startAt: Instant
        public var reason: ReceiverPowerReason
    }

    /// Why it may not be switched off, the most telling reason first (spec power §3, "never off").
    ///
    /// Tier `survival` has one fix an hour and no more, moving or not (spec power §2); `shutdown` has none.
    func need(at now: Instant) -> ReceiverPowerReason? {
        if demand.hasOneShot { return .oneShot }
        if now < restRefusedUntil { return .restRefused }
        if demand.tier == .shutdown { return nil }
        if demand.isSupplied { return .externalSupply }
        guard demand.tier < .survival else { return nil }
        switch demand.motion {
        case .moving: return .moving
        case .woken: return .woken
        case .resting: break
        }
        return demand.fences == .near && stillness.answer(at: now) != .still ? .fenceNear : nil
    }

    /// The next regular look, or the next try after one in vain, while it rests; `nil`: there is none.
    public func plan(at now: Instant) -> Plan? { isResting ? plan(stillness.answer(at: now)) : nil }

    private func plan(_ stillness: ReceiverStillness.Answer) -> Plan? {
        guard let (millis, reason) = interval(stillness) else { return nil }
        let fixAt = since.advanced(byMillis: millis)
        // Rest is at least half of it, however long a first fix takes.
        let early = min(ledger.predictedMillis(startClass(at: fixAt)), millis / 2)
        let startAt = fixAt.advanced(byMillis: -early)
        guard state == .failed else { return Plan(fixAt: fixAt, startAt: startAt, reason: reason) }
        // One fix an hour is one search an hour, found or not (spec power §2).
        let again = demand.tier == .survival ? max(retryAt, startAt) : retryAt
        return Plan(fixAt: again, startAt: again, reason: .retry)
    }

    func plannedDeadline(_ now: Instant) -> Instant {
        let due = plan(at: now)?.startAt ?? .never
        guard stillness.answer(at: now) == .still, stillness.turnsRestlessAt < .never else { return due }
        return min(due, max(stillness.turnsRestlessAt, plan(.restless)?.startAt ?? .never))
    }

    /// Between two looks. Without an accelerometer that says that nothing moves, the receiver alone can notice a start:
    /// then it looks as often as fixes are judged (spec capture §12.1).
    private func interval(_ stillness: ReceiverStillness.Answer) -> (Int64, ReceiverPowerReason)? {
        let tier = demand.tier
        guard tier < .shutdown else { return nil }
        let backstop = rules.backstopMillis(tier)
        if demand.hasSession {
            if tier == .survival {
                let isHourly = demand.motion != .resting || stillness == .unknown
                return isHourly ? (ReceiverPowerRules.survivalMillis, .interval) : (backstop, .backstop)
            }
            return stillness == .still ? (backstop, .backstop) : (min(demand.intervalMillis, backstop), .interval)
        }
        guard demand.fences != .none else { return nil }
        if tier == .survival { return (backstop, .fenceDuty) }
        let isStill = stillness == .still
        return (isStill ? ReceiverPowerRules.fenceStillMillis : ReceiverPowerRules.fenceMillis, .fenceDuty)
    }

    /// Counted from when it last had fresh ephemeris: many short looks do not renew them.
    func startClass(at now: Instant) -> ReceiverStartClass {
        guard let freshAt, rest != .off || remembersUnpowered == true else { return .cold }
        let age = now.millis(since: freshAt)
        return age < Self.staleMillis ? .hot : age < Self.warmMillis ? .warm : .cold
    }

    /// What it still knows of the sky is older than an ephemeris lasts, and it will keep what it learns now.
    var needsEphemeris: Bool {
        guard rules.rest(demand) != .off || remembersUnpowered != false else { return false }
        return freshAt.map { startedAt.millis(since: $0) >= Self.staleMillis } ?? true
    }

    /// Whether a receiver without supply keeps the sky in mind shows when it could be hot and is started: a cold one has an
    /// ephemeris to receive first.
    func remembered(firstFixMillis: Int64) -> Bool? {
        guard rest == .off, let freshAt, startedAt.millis(since: freshAt) < Self.staleMillis else {
            return remembersUnpowered
        }
        return firstFixMillis < Self.coldMillis
    }
}
