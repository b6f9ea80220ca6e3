import TrackerModel

/// What sets an upload going, and what a run of batches comes to.
extension SyncMachine {
    var coalesced: Instant { lastDrain?.advanced(byMillis: config.coalesceMillis) ?? .zero }

    mutating func trigger(_ now: Instant, _ facts: SyncFacts) {
        guard config.autoSync, isConfigured, phase != .halted else { return }
        isWanted = true
        proceed(now, facts)
    }

    /// The operator's word goes before every wait, and not before a halt.
    mutating func request(atOnce: Bool, _ now: Instant, _ facts: SyncFacts) {
        switch phase {
        case .unconfigured: return finish(.notConfigured)
        case .halted: return finish(.forbidden)
        case .draining: return finish(.alreadyDraining)
        case .idle, .pausing, .waiting: break
        }
        phase = .idle
        isWanted = true
        if atOnce { lastDrain = nil } else { urgency = urgency ?? .request }
        proceed(now, facts, isDemanded: atOnce)
        if atOnce, let obstacle { finish(.retry(reason: obstacle.rawValue, afterMillis: nil)) }
    }

    mutating func linkChanged(to new: LinkState?, _ now: Instant, _ facts: SyncFacts) {
        let old = link
        link = new
        guard let path = new?.path else { return settlesAt = nil }
        if let old, old.path == nil { return settlesAt = now.advanced(byMillis: Self.settleMillis) }
        // Nor is anything about a link that has yet to settle news.
        guard settlesAt == nil else { return }
        // A link that was there before anybody asked is no news.
        let isOther = old?.path?.interface != path.interface || old?.path?.isMetered != path.isMetered
        if isOther || isNews(path.quality) { proceed(now, facts) }
    }

    /// - Parameter quality: of a link that was there before.
    private func isNews(_ quality: Int?) -> Bool {
        guard let quality, let judgedQuality else { return quality != judgedQuality }
        return abs(quality - judgedQuality) >= UploadPolicy.qualityStep
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

    mutating func timerFired(_ now: Instant, _ facts: SyncFacts) {
        if let settlesAt, settlesAt <= now { linkSettled(now, facts) }
        switch phase {
        case .waiting(let wait) where wait.until <= now: resume()
        case .pausing(let until) where until <= now:
            isContinuing = true
            resume()
        default: break
        }
        proceed(now, facts)
        isContinuing = false
    }

    mutating func resume() {
        phase = .idle
        isWanted = true
        lastDrain = nil
    }

    /// - Parameter isDemanded: the operator waits for it: no rule about better moments holds.
    mutating func proceed(_ now: Instant, _ facts: SyncFacts, isDemanded: Bool = false) {
        guard isWanted, phase == .idle else { return }
        let found = obstacle(facts)
        if let found, found == .clock, obstacle != .clock { actions.append(.diagnose("sync_waiting_clock")) }
        obstacle = found
        guard found == nil else { return }
        judgedQuality = link?.path?.quality
        // Once a session is open everything goes (spec power §6, rule 7), unless what a day may cost is spent.
        let isOpen = isContinuing && facts.tier < .survival && facts.spentForMillis == nil
        // Whether nothing is queued is seen by looking.
        if !isDemanded, !isOpen, facts.rows > 0 {
            guard case .now = answer(at: now, facts) else { return }
        }
        begin(now, facts, isDemanded: isDemanded)
    }

    private mutating func begin(_ now: Instant, _ facts: SyncFacts, isDemanded: Bool) {
        isWanted = false
        drain = Drain(previous: lastDrain)
        drain.isNewestOnly = !isDemanded && facts.tier >= .survival
        drain.isGoodbye = drain.isNewestOnly && facts.tier == .shutdown
        drain.isForUrgency = urgency != nil
        lastDrain = now
        if facts.rows > 0 {
            lastBegan = now
            hasSaidGoodbye = hasSaidGoodbye || drain.isGoodbye
        }
        phase = .draining
        sendNext()
    }

    private func obstacle(_ facts: SyncFacts) -> Obstacle? {
        if let link = neededLink, link.path == nil { return .offline }
        if let path = link?.path, path.isMetered, !config.allowsMetered, !config.isLoopback,
            facts.oldestAgeMillis ?? 0 < config.meteredGraceMillis
        {
            return .metered
        }
        return config.isSecure && facts.wallTrust == .unknown ? .clock : nil
    }

    /// The rows of the next request of this drain.
    mutating func sendNext() {
        if drain.isNewestOnly {
            let timeout = drain.isGoodbye ? Self.goodbyeSec : nil
            return actions.append(.send(SyncSelection(limit: 1, prefersNewest: true, timeoutSec: timeout)))
        }
        let suspected = poison.limit
        let limit = min(sizing.limit, suspected ?? .max)
        let isFirst = drain.batches == 0 && suspected == nil
        actions.append(.send(SyncSelection(limit: limit, prefersNewest: isFirst && config.order == .newestFirst)))
    }

    /// What was said last was not done from there on.
    mutating func storeRefused(_ now: Instant) {
        announcedWake = nil
        if phase == .draining { wait("store", now) } else { finish(.retry(reason: "store", afterMillis: nil)) }
    }

    mutating func configured(_ new: SyncConfig) {
        if phase == .draining {
            // The answer on its way is no business of the new endpoint, but somebody may wait for the end of the drain.
            reportUploaded()
            finish(.retry(reason: "configured", afterMillis: nil))
        }
        config = new
        sizing = BatchSizing(ceiling: new.batchSize)
        poison = PoisonSearch()
        condemned = 0
        attempts = 0
        obstacle = nil
        answer = nil
        hasRereadCredential = false
        lastDrain = nil
        phase = new.url == nil ? .unconfigured : .idle
        isWanted = false
        actions.append(.save)
    }

    mutating func queueEmpty(isWanted wanted: Bool = false) {
        guard phase == .draining else { return }
        let total = drain.rows
        if drain.isForUrgency, drain.batches > 0 || urgency == .request { urgency = nil }
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

    /// The newest point is sent, and the others wait for better times.
    mutating func newestSent() {
        if drain.isForUrgency { urgency = nil }
        phase = .idle
        isWanted = true
        endDrain(.uploaded(count: drain.rows))
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
