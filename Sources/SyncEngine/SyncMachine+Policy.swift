public import TrackerModel

/// What the upload policy is asked, and what makes it hurry.
extension SyncMachine {
    /// Whether an upload may begin now, and what it waits for; for status also while one is under way.
    public func answer(at now: Instant, _ facts: SyncFacts) -> UploadAnswer {
        UploadPolicy(minBatch: config.minBatch).answer(situation(now, facts), at: now)
    }

    private func situation(_ now: Instant, _ facts: SyncFacts) -> UploadSituation {
        var situation = UploadSituation(
            barrier: barrier, urgency: urgency, rows: facts.rows, oldestAgeMillis: facts.oldestAgeMillis,
            isMoving: facts.isMoving, tier: facts.tier, isCharging: facts.isCharging, link: neededLink,
            coalescedAt: coalesced)
        let sent = facts.sinceSentMillis.map { now.advanced(byMillis: -max(0, $0)) }
        situation.lastBegan = [lastBegan, sent].compactMap { $0 }.max()
        situation.spentForMillis = facts.spentForMillis
        situation.hasSaidGoodbye = hasSaidGoodbye
        return situation
    }

    /// Whether a modem that is off is to be powered, or one that is on kept so without an exchange: an upload would begin
    /// over a link that costs money and is as bad as can be (spec power §6: rules 2 and 4, never rule 5).
    public func wantsLink(at now: Instant, _ facts: SyncFacts) -> Bool {
        if config.isLoopback { return false }
        guard config.autoSync || urgency == .request else { return false }
        if config.isSecure, facts.wallTrust == .unknown { return false }
        if !config.allowsMetered, facts.oldestAgeMillis ?? 0 < config.meteredGraceMillis { return false }
        var situation = situation(now, facts)
        situation.link = .up(LinkPath("", isMetered: true, quality: 0))
        if case .now = UploadPolicy(minBatch: config.minBatch).answer(situation, at: now) { return true }
        return false
    }

    /// The link, where an upload needs one.
    var neededLink: LinkState? { config.requiresNetwork && !config.isLoopback ? link : nil }

    private var barrier: UploadSituation.Barrier? {
        switch phase {
        case .unconfigured: .unconfigured
        case .halted: .halted
        case .waiting(let wait): .backoff(wait)
        case .idle, .draining, .pausing:
            switch obstacle {
            case .clock: .clock
            case .metered: .metered
            case .offline, nil: nil
            }
        }
    }

    mutating func hurry(_ urgency: UploadUrgency, _ now: Instant, _ facts: SyncFacts) {
        guard config.autoSync else { return }
        self.urgency = urgency
        // What is under way may have begun before the row was there.
        drain.isForUrgency = false
        trigger(now, facts)
    }

    /// Entering `critical` is urgent once; a tier that allows uploads again allows another goodbye.
    mutating func noteTier(_ new: PowerTier) {
        defer { tier = new }
        if new < .shutdown { hasSaidGoodbye = false }
        guard let tier, tier < .critical, new >= .critical, config.autoSync else { return }
        urgency = urgency ?? .lowBattery
        isWanted = isWanted || isConfigured
    }
}
