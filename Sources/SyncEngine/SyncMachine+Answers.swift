import TrackerModel

/// What an exchange leads to, row by row of the table in spec sync §5.
extension SyncMachine {
    mutating func exchangeFinished(_ batch: SyncBatch, _ reply: SyncReply, _ now: Instant, _ facts: SyncFacts) {
        // An answer that comes after the endpoint was changed is no business of the new one.
        guard phase == .draining else { return }
        drain.batches += 1
        switch reply {
        case .unanswered(let fault):
            actions.append(.emit(.httpResponse(status: nil, count: batch.count)))
            unanswered(fault, batch, now, facts)
        case .answered(let status, let retryAfter, let date, let isHalt):
            actions.append(.emit(.httpResponse(status: status, count: batch.count)))
            let seconds = retryAfter.flatMap {
                RetryAfter.seconds($0, date: date, trustedNow: facts.trustedNow)
            }
            if isHalt { forbidden() } else { answered(status, batch, serverSec: seconds, now) }
        }
    }

    private mutating func answered(_ status: Int, _ batch: SyncBatch, serverSec: Int64?, _ now: Instant) {
        switch status {
        case 200..<300: confirmed(batch, now)
        case 401: doubted(.unauthorized)
        // A broker says so too when only the password is wrong.
        case 403 where config.isBroker: doubted(.forbidden)
        case 403: forbidden()
        case 408, 425, 429, 503: wait("status \(status)", serverSec: serverSec, now)
        case 400 where batch.crossingID != nil, 413 where batch.crossingID != nil, 422 where batch.crossingID != nil:
            passOver(batch, status: status, now)
        case 413: tooLarge(batch, now)
        case 400, 422: refused(status, batch, now)
        case 300..<400:
            actions.append(.diagnose("sync_redirect: the server points elsewhere (\(status)); correct upload.url"))
            wait("status \(status)", now)
        default: wait("status \(status)", now)
        }
    }

    /// A crossing that is refused holds up nothing: points follow at once, unless the server has taken nothing since the
    /// one before.
    private mutating func passOver(_ batch: SyncBatch, status: Int, _ now: Instant) {
        guard let id = batch.crossingID else { return }
        actions.append(.passOver(crossingID: id, reason: "status \(status)"))
        condemned += 1
        if condemned == 1 { sendNext() } else { wait("status \(status)", now) }
    }

    private mutating func confirmed(_ batch: SyncBatch, _ now: Instant) {
        actions.append(.markSent(batch))
        if attempts > 0 {
            attempts = 0
            actions.append(.save)
        }
        lastConfirmed = now
        condemned = 0
        hasRereadCredential = false
        isClockDoubted = false
        drain.rows += batch.ids.count
        sizing.taken(batch.ids.count)
        poison.taken(batch.ids.count, isHead: batch.isHead)
        if drain.isNewestOnly { return newestSent() }
        // What came in meanwhile waits for its turn: with a point a second a drain would never end.
        if batch.isAll { return queueEmpty(isWanted: isWanted) }
        if drain.batches >= Self.batchesPerDrain { pause(now) } else { sendNext() }
    }

    /// A credential given by reference is read once more before it is given up.
    private mutating func doubted(_ refusal: CredentialRefusal) {
        lastRefusal = refusal
        if !hasRereadCredential, config.hasCredentialReference {
            hasRereadCredential = true
            actions.append(.rereadCredential)
        } else {
            giveUp()
        }
    }

    mutating func credentialReread(_ isChanged: Bool) {
        guard phase == .draining else { return }
        if isChanged { sendNext() } else { giveUp() }
    }

    private mutating func giveUp() {
        switch lastRefusal {
        case .unauthorized: tearDown()
        case .forbidden: forbidden()
        }
    }

    private mutating func tearDown() {
        phase = .unconfigured
        attempts = 0
        reportUploaded()
        let wipes = config.wipesOnAuthExpiry
        let stops = config.stopsTrackingOnAuthExpiry
        config.url = nil
        config.headers = []
        // In this order: a kill between the two lets the next start ask, and be refused, once more.
        if wipes { actions.append(.wipeQueue) }
        actions.append(.tearDown)
        actions.append(.emit(.authExpired))
        if stops { actions.append(.stopTracking) }
        finish(.authExpired)
    }

    private mutating func forbidden() {
        phase = .halted
        attempts = 0
        reportUploaded()
        actions += [.halt, .emit(.forbidden)]
        finish(.forbidden)
    }

    private mutating func tooLarge(_ batch: SyncBatch, _ now: Instant) {
        guard batch.ids.count > 1 else { return condemn(batch, status: 413, now) }
        sizing.tooLarge(batch.ids.count)
        actions.append(.emit(.retryScheduled(afterSec: 0, reason: "status 413")))
        sendNext()
    }

    private mutating func refused(_ status: Int, _ batch: SyncBatch, _ now: Instant) {
        switch poison.refused(batch.ids) {
        case .later: wait("status \(status)", now)
        case .again:
            actions.append(.emit(.retryScheduled(afterSec: 0, reason: "status \(status)")))
            sendNext()
        case .quarantine: condemn(batch, status: status, now)
        }
    }

    /// Sets one row aside and goes on with the rest; at once, unless the server has taken nothing since the row before.
    private mutating func condemn(_ batch: SyncBatch, status: Int, _ now: Instant) {
        actions.append(.quarantine(batch.ids, reason: "status \(status)"))
        actions.append(.emit(.quarantined(uuids: batch.uuids, status: status)))
        sizing.forget()
        condemned += 1
        if condemned == 1 { sendNext() } else { wait("status \(status)", now) }
    }

    private mutating func unanswered(_ fault: SyncFault, _ batch: SyncBatch, _ now: Instant, _ facts: SyncFacts) {
        // A slow link carries half in the same time.
        if fault == .timeout, batch.ids.count > 1 { sizing.tooLarge(batch.ids.count) }
        if fault == .tls, facts.wallTrust != .disciplined {
            isClockDoubted = true
            actions.append(.diagnose("sync_waiting_clock"))
        }
        wait(fault.rawValue, now)
    }

    /// Nothing more is attempted for a while: the server's time if it named one, else the next step of the back-off.
    mutating func wait(_ reason: String, serverSec: Int64? = nil, _ now: Instant) {
        attempts = min(attempts + 1, 1_000)
        reportUploaded()
        guard config.autoSync else {
            // Only the operator starts an upload then, the next one too.
            phase = .idle
            return finish(.retry(reason: reason, afterMillis: serverSec.map { $0 * 1_000 }))
        }
        let millis = serverSec.map { $0 * 1_000 } ?? backoffMillis()
        phase = .waiting(
            SyncBackoff.Wait(until: now.advanced(byMillis: millis), isServerTime: serverSec != nil, reason: reason))
        let tellsMillis = max(millis, untilNextNewestMillis(now))
        actions.append(.emit(.retryScheduled(afterSec: (tellsMillis + 999) / 1_000, reason: reason)))
        actions.append(.save)
        finish(.retry(reason: reason, afterMillis: tellsMillis))
    }

    /// In `survival` the end of the back-off is not when the next attempt is, unless something is urgent.
    private func untilNextNewestMillis(_ now: Instant) -> Int64 {
        guard tier == .survival, urgency == nil, let lastBegan else { return 0 }
        return UploadPolicy.survivalMillis - now.millis(since: lastBegan)
    }
}

extension SyncConfig {
    /// Some of the headers can change behind our back.
    public var hasCredentialReference: Bool {
        !credentialFile.isEmpty || !systemdCredential.isEmpty || !credentialEnvironment.isEmpty
    }
}
