import Ports
import TrackerEngine
import TrackerModel
import WireText

/// Looking after the store: what it does on its own account, a session that it could not take yet, what status tells.
extension Runtime {
    /// Between two pieces of upkeep when there is more of it: each costs some milliseconds, and fixes come first.
    private static let upkeepMillis: Int64 = 200
    private static let dayMillis: Int64 = 86_400_000

    /// One piece now, and the rest soon; on the health tick, and when the store refused.
    func maintainStore() {
        guard !upkeepAlarm.isSet else { return }
        let upkeep = ports.store.maintain(at: trustedNow)
        upkeep.notices.forEach(tell)
        guard upkeep.isUnfinished else { return }
        upkeepAlarm.set(afterMillis: Self.upkeepMillis, toleranceMillis: Self.upkeepMillis / 2) { [unowned self] in
            maintainStore()
        }
    }

    private func tell(_ notice: StoreNotice) {
        switch notice {
        case .reset(let cause, let setAside):
            emit(.error(.storageReset, "\(cause) A fresh database was begun; the damaged one is kept as \(setAside)"))
        case .salvaged(let report):
            lastSalvage = report
            diagnose("storage_salvaged: \(Self.text(report)) from \(report.file)")
            uploader?.noticeBacklog()
        case .low(let freeBytes):
            let room = "\(freeBytes / 1_048_576) MB are free"
            emit(
                .error(
                    .storageFull, "\(room), less than 5 %: old rows give way to new ones; free space on the file system"
                ))
        case .roomAgain: diagnose("storage_room_again")
        case .shed(let count):
            diagnose("queue_shed:\(count)")
            log(.error, "queue.shed", [("count", .int(count))])
        }
    }

    private static func text(_ report: SalvageReport) -> String {
        let lost = report.lostPoints.map { "\($0) points lost" } ?? "how many are lost cannot be told"
        let left = report.leftPoints == 0 ? "" : "\(report.leftPoints) sent points left there for want of room, "
        return "\(report.points) points and \(report.others) other rows found, \(left)\(lost), "
            + "\(report.unreadable) pages or rows unreadable"
    }

    // MARK: - A store that cannot be opened

    /// On a full or read-only file system capture goes on in memory, and the session is stored when it can be.
    func openSessionOrWait() throws(StoreFailure) {
        do throws(StoreFailure) {
            do throws(StoreFailure) { try openSession() } catch {
                // The damaged file is set aside by the next call.
                guard error.code == .corrupt else { throw error }
                try openSession()
            }
        } catch {
            guard Self.mayPass(error) else { throw error }
            unstoredSession = Session(id: newSessionID(), startedAt: utcNow)
            session = unstoredSession
            journal.refuse(error)
            emit(.error(.storageFull, error.message))
            step(.sessionOpened(resumed: nil, isSameBoot: true))
            announceSession()
        }
        do throws(StoreFailure) { try startFences() } catch {
            guard Self.mayPass(error) else { throw error }
            areFencesWaiting = true
        }
    }

    private static func mayPass(_ failure: StoreFailure) -> Bool { [.full, .readOnly, .io].contains(failure.code) }

    /// Deals with the session that was begun without the store, once it answers; false while that cannot be.
    func storeSession() -> Bool {
        guard unstoredSession != nil || areFencesWaiting else { return true }
        do throws(StoreFailure) {
            if let waiting = unstoredSession { try store(waiting) }
            try startFences()
            areFencesWaiting = false
            return true
        } catch {
            journal.refuse(error)
            return unstoredSession == nil
        }
    }

    /// One that was left open has ended. Where capture was stopped, or does not go on by itself, and nobody has started
    /// it since, there is no session, and what waits was never to be recorded.
    private func store(_ waiting: Session) throws(StoreFailure) {
        let open = try ports.store.openSession()
        let wasStopped = try ports.store.state(.stopped) == "1" || (open != nil && !config.resumeOnBoot)
        let isStopped = wasStopped && !isUnstoredWanted
        // In this order: a power cut between the two must not let the next start go on.
        if wasStopped { try ports.store.setState(.stopped, isStopped ? "1" : "") }
        if let open {
            let last = try ports.store.lastPoint(sessionID: open.id)?.time
            try ports.store.end(sessionID: open.id, at: last ?? open.startedAt)
        }
        if !isStopped { try ports.store.begin(waiting) }
        unstoredSession = nil
        if !isStopped { return noteRun(nil) }
        journal = CommitJournal()
        session = nil
        diagnose("session_not_stored: capture had been stopped before this start, and stays so")
        leaveSession()
    }

    // MARK: - Status

    var storageStatus: JSONObject {
        var status: JSONObject = ["path": .string(ports.store.name), "state": "ok"]
        if let usage = ports.store.usage() {
            status["usedBytes"] = .int(usage.usedBytes)
            status["freeBytes"] = .int(usage.freeBytes)
            if usage.isLow { status["state"] = "low" }
        }
        if let failure = journal.failure {
            status["state"] = "degraded"
            status["waiting"] = .int(Int64(journal.waitingCount))
            status["problem"] = .string(failure.message)
        }
        if let failure = ports.store.layerFailure {
            status["layerProblem"] = .string(failure.message)
        }
        if journal.dropped > 0 { status["dropped"] = .int(journal.dropped) }
        if let report = ports.store.salvage ?? lastSalvage { status["salvage"] = .object(Self.json(report)) }
        status["written"] = .object(writtenStatus)
        return status
    }

    private static func json(_ report: SalvageReport) -> JSONObject {
        var json: JSONObject = [
            "file": .string(report.file), "percent": .int(report.percent), "points": .int(report.points),
            "others": .int(report.others), "unreadable": .int(report.unreadable), "text": .string(text(report)),
        ]
        if report.leftPoints > 0 { json["leftPoints"] = .int(report.leftPoints) }
        json["lostPoints"] = report.lostPoints.map { .int($0) }
        return json
    }

    /// Of this run, and what a day would come to at that rate.
    private var writtenStatus: JSONObject {
        let writes = ports.store.writes
        let uptime = max(1, ports.reactor.now.millis(since: startedAt))
        return [
            "commits": .int(writes.commits), "pages": .int(writes.pages), "bytes": .int(writes.bytes),
            "checkpoints": .int(writes.checkpoints),
            "bytesPerDay": .int(Int64(Double(writes.bytes) * Double(Self.dayMillis) / Double(uptime))),
        ]
    }
}
