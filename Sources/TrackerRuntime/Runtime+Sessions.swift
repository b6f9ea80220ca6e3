import Ports
import TrackerEngine
import TrackerModel
import WireText

/// Opening, resuming and closing sessions (spec capture §6, api §3).
extension Runtime {
    /// At the start: goes on with the session that was left open, or opens one, unless the operator had stopped capture.
    func openSession() throws(StoreFailure) {
        let open = try ports.store.openSession()
        let last = try ports.store.state(.run).flatMap(RunMark.init(text:))
        // A disk that is full must not keep the tracker from starting; then the next start may take this run for another.
        try? ports.store.setState(.run, RunMark(host, hasEnded: false).text)
        let isStopped = try ports.store.state(.stopped) == "1"
        if let open, isStopped {
            // Stopped, and the power was cut before the session was closed.
            try ports.store.end(sessionID: open.id, at: utcNow)
        } else if let open {
            let saved = try ports.store.state(.capture).flatMap(SavedCapture.init(text:))
            let matching = saved.flatMap { $0.sessionID == open.id ? $0 : nil }
            let isSameBoot = matching?.bootID == host.bootID
            let cause = last?.interruption(now: host) ?? (isSameBoot ? .crash : .powerCut)
            emit(.sessionInterrupted(open, cause))
            if config.resumeOnBoot {
                session = open
                isResumed = true
                lastStored = try ports.store.lastPoint(sessionID: open.id)
                sessionPoints = try ports.store.pointCount(sessionID: open.id)
                noteRun(cause)
                if matching == nil, let lastStored {
                    diagnose("capture_state_unreadable: going on from the last stored point")
                    step(
                        .sessionOpened(
                            resumed: CaptureState(after: lastStored), isSameBoot: lastStored.bootID == host.bootID))
                } else {
                    step(.sessionOpened(resumed: matching?.state, isSameBoot: isSameBoot))
                }
                return announceSession()
            }
            try ports.store.setState(.stopped, "1")
            try ports.store.end(sessionID: open.id, at: utcNow)
            return
        }
        if !isStopped { try beginSession() }
    }

    private func beginSession(tag: String? = nil) throws(StoreFailure) {
        var fresh = Session(id: newSessionID(), startedAt: utcNow)
        fresh.tag = tag
        fresh.configSnapshot = JSONValue.object(ConfigTable.snapshot(config)).text
        try ports.store.begin(fresh)
        session = fresh
        noteRun(nil)
        isResumed = false
        lastStored = nil
        sessionPoints = 0
        step(.sessionOpened(resumed: nil, isSameBoot: true))
        announceSession()
    }

    /// For the record of the session alone: a store that refuses must not keep the tracker from capturing.
    func noteRun(_ cause: InterruptionCause?) {
        guard let session else { return }
        let known = cause == nil ? session.startedAt.millis : lastStored?.time.millis ?? session.startedAt.millis
        let run = SessionRun(
            bootID: host.bootID, startedAt: UTCTime(millis: max(utcNow.millis, known)), interruption: cause)
        do throws(StoreFailure) { try ports.store.append(run, sessionID: session.id) } catch {
            diagnose("session_run_not_noted: \(error.cause)")
        }
    }

    func announceSession() {
        emit(.enabledChange(true))
        log(
            .notice, "session.open",
            [("session", .text(session?.id ?? "")), ("resumed", .text(isResumed ? "yes" : "no"))])
    }

    /// Starts capture; while a session is open, that one is the answer, with the tag that it has.
    func startCapture(tag: String? = nil) throws(StoreFailure) -> Session? {
        isUnstoredWanted = unstoredSession != nil
        if session == nil {
            try ports.store.setState(.stopped, "")
            try beginSession(tag: tag)
            saveSnapshot()
        }
        return session
    }

    /// Ends the session for good: it is not gone on with after a restart. `nil` when there is none.
    func stopCapture() throws(StoreFailure) -> Session? {
        flushJournal()
        guard var ended = session else { return nil }
        ended.endedAt = utcNow
        // In this order: a power cut between the two must not let the next start go on.
        try ports.store.setState(.stopped, "1")
        try ports.store.end(sessionID: ended.id, at: utcNow)
        closedSession = ended
        session = nil
        log(.notice, "session.closed", [("session", .text(ended.id)), ("points", .int(sessionPoints))])
        leaveSession()
        return ended
    }

    /// What follows when there is no session any more.
    func leaveSession() {
        step(.sessionClosed)
        accelerometer?.setMoving(false)
        watchStop(.stopped)
        emit(.enabledChange(false))
        saveSnapshot()
    }

    /// The session ends by itself. A store that refuses keeps it open; the error says so.
    func endSession() {
        do throws(StoreFailure) { _ = try stopCapture() } catch {
            emit(.error(ErrorCode(error), "the session cannot be closed: \(error.message)"))
        }
    }

    /// The operator's word on movement (spec api §2, `changePace`).
    /// - Returns: false without an open session.
    func changePace(isMoving: Bool) -> Bool {
        guard session != nil else { return false }
        step(.paceChanged(isMoving: isMoving))
        return true
    }
}
