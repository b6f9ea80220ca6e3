import Ports
import SyncEngine
import TrackerModel

/// The machine: what it is told, and what it wants done.
extension Uploader {
    /// Hands one input to the machine and does what it says, and what follows from that, in order.
    func give(_ input: SyncInput) {
        // While nothing is handled the same once more says nothing, and of the link only the last word counts.
        if hold != nil { inputs.removeAll { $0 == input || $0.isLink && input.isLink } }
        inputs.append(input)
        handleInputs()
    }

    func handleInputs() {
        guard !isHandling, hold == nil else { return }
        isHandling = true
        while !inputs.isEmpty {
            let actions = machine.handle(inputs.removeFirst(), at: surroundings.reactor.now, facts)
            do throws(StoreFailure) {
                for action in actions { try perform(action) }
            } catch {
                problem = error.message
                inputs.insert(.storeRefused, at: 0)
            }
        }
        isHandling = false
        noteQueue()
        saveRecord()
        keepModem()
    }

    /// An exchange that is under way keeps a modem powered whatever it is for, until something holds it all back.
    func keepModem() {
        let isNeeded =
            hold == nil
            && (openExchanges > 0 || waitingTest != nil || machine.wantsLink(at: surroundings.reactor.now, facts))
        surroundings.link.modem?.want(isNeeded, hasRoute: surroundings.link.state?.path != nil)
    }

    private func perform(_ action: SyncAction) throws(StoreFailure) {
        switch action {
        case .send(let selection): try send(selection)
        case .markSent(let batch):
            try markSent(batch)
            uploadedThisRun += Int64(batch.ids.count)
            var counts = UploadCounts()
            counts.rows = Int64(batch.ids.count)
            count(counts)
        case .passOver(let id, let reason): try passOver(id, reason: reason)
        case .quarantine(let ids, let reason): try setAside(ids, reason: reason)
        case .emit(let event): emit(event)
        case .diagnose(let text): surroundings.emit(.diagnostic(text))
        case .rereadCredential: rereadCredential()
        case .tearDown: tearDown()
        case .halt:
            record.halted = (digest(of: config), lastStatus)
            isRecordStale = true
        case .wipeQueue: wipeAfterRefusal()
        case .stopTracking: surroundings.stopTracking()
        case .finished(let result):
            let waiting = waiting
            self.waiting = nil
            waiting?(result)
        case .save: isRecordStale = true
        case .wake(let deadline): wake(at: deadline)
        }
    }

    func emit(_ event: UploadEvent) {
        lastEvent = event
        onEvent?(event)
        surroundings.emit(.upload(event))
    }

    private func wake(at deadline: Instant) {
        // A pause is part of an upload that goes on: it must not grow.
        let tolerance: Int64 = machine.isPausing ? 50 : 1_000
        alarm.set(at: deadline, toleranceMillis: tolerance) { [weak self] in self?.give(.timerFired) }
    }

    func setAside(_ ids: [Int64], reason: String) throws(StoreFailure) {
        try surroundings.store.quarantine(ids: ids, reason: reason)
        surroundings.log.write(
            .warning, "upload.quarantined", [("count", .int(Int64(ids.count))), ("reason", .text(reason))])
    }

    /// A failure here must not hold up the end of the credential.
    private func wipeAfterRefusal() {
        do throws(StoreFailure) {
            _ = try wipe()
        } catch { problem = "the queue could not be wiped: \(error.message)" }
    }

    func boundQueue() {
        guard config.maxQueueRows > 0,
            let dropped = try? surroundings.store.shedQueue(keeping: config.maxQueueRows), dropped > 0
        else { return }
        surroundings.emit(.diagnostic("queue_shed:\(dropped)"))
        surroundings.log.write(.error, "queue.shed", [("count", .int(dropped))])
    }

    private func noteQueue() {
        let now = surroundings.reactor.now
        if let last = lastQueueEvent, now.millis(since: last.at) < Self.queueEventMillis { return }
        guard let summary = try? surroundings.store.queueSummary(), summary.pending != lastQueueEvent?.pending else {
            return
        }
        lastQueueEvent = (now, summary.pending)
        emit(.queueState(pending: summary.pending, oldest: summary.oldest))
    }
}

extension SyncInput {
    fileprivate var isLink: Bool { if case .linkChanged = self { true } else { false } }
}
