import Ports
import SyncEngine
import TrackerEngine
import TrackerModel
import WireText

/// Performing what the capture engine asks for.
extension Runtime {
    func perform(_ action: CaptureAction) {
        switch action {
        case .commit(let judgement, let state): commit(judgement, state)
        case .motionChanged(let state):
            log(.notice, "motion.changed", [("state", .text(state.rawValue))])
            watchStop(state)
            emit(.motionChange(state))
            uploader?.conditionsChanged()
        case .cadenceChanged(let cadence):
            log(
                .info, "cadence.changed",
                [("interval_ms", .int(cadence.intervalMillis)), ("tier", .text(cadence.tier.rawValue))])
        case .alertnessChanged(let isAlert):
            self.isAlert = isAlert
            accelerometer?.setMoving(isAlert)
            accountForDevices()
        case .activityChanged(let label): emit(.activityChange(label))
        case .oneShotAnswered(let id, let result): answerOneShot(id, result)
        case .markSignificantStop(let instant): markSignificantStop(at: instant)
        case .restartReceiver(let silenceMillis): receiverIsDead(silenceMillis)
        case .beat: emit(.heartbeat(utcNow))
        case .endSession: endSession()
        case .diagnosed(let message): diagnose(message)
        case .wake(let deadline): wake(at: deadline)
        }
    }

    /// The point of that instant; while the store refuses it may not be there yet, and no other may stand in for it.
    private func markSignificantStop(at instant: Instant) {
        guard let point = lastStored, point.instant == instant else {
            return diagnose("significant_stop_not_marked: its point is not stored yet")
        }
        let uuid = point.uuid
        do throws(StoreFailure) {
            try ports.store.markSignificantStop(uuid: uuid)
            lastStored?.isSignificantStop = true
            uploader?.noticeBacklog()
        } catch { diagnose("significant_stop_not_marked: \(error.cause)") }
    }

    private func receiverIsDead(_ silenceMillis: Int64) {
        // One that rests after searches in vain has its own waits, which must not become shorter by its being dead.
        let done = receiverRetryInWords ?? restartedReceiver
        emit(.error(.trackerDead, "no fix for \(silenceMillis / 60_000) min; \(done); check antenna and wiring"))
    }

    private var restartedReceiver: String {
        if let restarted = board?.supply.restart() {
            step(.receiverReset)
            return restarted
        }
        return switch resetReceiver("hot") {
        case .done(let message): message
        case .refused(let reason): "it cannot be started again: \(reason)"
        }
    }

    private func commit(_ judgement: Judgement, _ state: CaptureState) {
        guard let session = session ?? closedSession else { return }
        decisionCounts[judgement.decision.reason, default: 0] += 1
        if judgement.accepted == nil { droppedCounts[judgement.decision.reason, default: 0] += 1 }
        let saved = SavedCapture(sessionID: session.id, bootID: host.bootID, state: state)
        let point = judgement.accepted.map { makePoint(from: $0, session) }
        var record = FixRecord(
            sessionID: session.id, decision: judgement.decision, point: point, captureState: saved.text,
            legMM: judgement.accepted?.legMM ?? 0)
        // The lower the battery, the less is written beside the points (spec power §2).
        let tier = power.machine.tier
        record.keepsDecision = tier <= .saver
        if config.layers.keepsRawFixes, tier == .normal {
            record.rawFix = RawFix(judgement.received, bootID: host.bootID)
        }
        if config.layers.keepsRawPoints, tier == .normal {
            record.judged = judgedPoint(judgement, odometerMM: state.odometerMM, accepted: point, session)
        }
        journal.append(record)
        flushJournal()
    }

    func flushJournal() {
        guard storeSession() else { return }
        let hadFailed = journal.failure != nil
        journal.flush(to: ports.store, durable: becameDurable)
        if let failure = journal.failure, !hadFailed {
            // A damaged file is told of by itself, when the next call has set it aside.
            if failure.code != .corrupt {
                emit(.error(ErrorCode(failure), failure.message))
            }
            maintainStore()
            journal.flush(to: ports.store, durable: becameDurable)
        }
    }

    private func becameDurable(_ record: FixRecord, id: Int64?) {
        if let decision = record.decision { onDecision?(decision, id == nil ? nil : record.point) }
        if let point = record.point, let id {
            stored(point, id, legMM: record.legMM)
        } else if record.point == nil, let decision = record.decision {
            emit(.locationRejected(decision))
        }
    }

    private func stored(_ point: TrackPoint, _ id: Int64, legMM: Int64) {
        var point = point
        point.id = id
        lastStored = point
        sessionPoints += 1
        emit(.location(point))
        if let cause = point.gapCause {
            let gap = TrackingGap(durationMillis: point.silenceMillis, distanceMM: legMM, cause: cause)
            emit(.trackingGap(gap))
            if gap.isUrgent { uploader?.hurry(.trackingGap) }
        }
        uploader?.pointCommitted()
    }

    private func makePoint(from accepted: AcceptedFix, _ session: Session) -> TrackPoint {
        var point = makePoint(
            from: accepted.fix, accepted.time, movement: accepted.movement, reason: accepted.reason,
            odometerMM: accepted.odometerMM, session)
        point.speedMMps = Int64((accepted.effectiveSpeedMps * 1_000).rounded())
        point.isMock = accepted.isMock
        point.silenceMillis = accepted.silenceMillis
        point.gapCause = accepted.gapCause
        point.activity = accepted.activity?.activity
        point.activitySince = accepted.activity.map {
            accepted.time.advanced(byMillis: $0.since.millis(since: accepted.fix.instant))
        }
        return point
    }

    /// Layer 3: the point that was stored, or what would have been one.
    private func judgedPoint(
        _ judgement: Judgement, odometerMM: Int64, accepted: TrackPoint?, _ session: Session
    ) -> JudgedPoint? {
        let decision = judgement.decision
        if let accepted { return JudgedPoint(point: accepted, verdict: decision.verdict) }
        guard let judged = judgement.judged, let time = judged.fix.time else { return nil }
        var point = makePoint(
            from: judged.fix, time, movement: judged.movement, reason: decision.reason, odometerMM: odometerMM, session)
        point.speedMMps = decision.speedMMps ?? 0
        point.silenceMillis = decision.evidence.silenceMillis ?? 0
        return JudgedPoint(point: point, verdict: decision.verdict)
    }

    private func makePoint(
        from fix: TrackFix, _ time: UTCTime, movement: MovementStatus, reason: DecisionReason, odometerMM: Int64,
        _ session: Session
    ) -> TrackPoint {
        let identity = "\(session.id):\(host.bootID):\(fix.instant.nanos)"
        return TrackPoint(
            uuid: Hex.text(ports.digests.sha1(Array(identity.utf8))), sessionID: session.id, time: time,
            instant: fix.instant, bootID: host.bootID, localDate: ports.calendar.localDate(of: time),
            timeZone: ports.calendar.zoneID, latitudeE7: fix.coordinate.latitudeE7,
            longitudeE7: fix.coordinate.longitudeE7, accuracyMM: Int64((fix.accuracyM * 1_000).rounded()),
            altitudeMM: fix.altitudeM.map { Int64(($0 * 1_000).rounded()) }, speedMMps: 0,
            bearingCentideg: fix.courseDeg.map { Int64(($0 * 100).rounded()) % 36_000 } ?? 0,
            hasSpeed: fix.speedMps != nil, hasBearing: fix.courseDeg != nil, provider: fix.provider,
            isMock: fix.isMock, movement: movement, acceptReason: reason, odometerMM: odometerMM,
            batteryPercent: power.machine.reading.percent, isCharging: power.machine.reading.isCharging)
    }

    /// Tells listeners and the log; positions stay out of the log.
    func emit(_ event: TrackerEvent) {
        switch event {
        case .location(let point): log(.debug, "point.stored", [("reason", .text(point.acceptReason.rawValue))])
        case .locationRejected(let decision):
            log(
                .debug, "fix.rejected",
                [("reason", .text(decision.reason.rawValue)), ("verdict", .text(decision.verdict.rawValue))])
        case .providerChange(let state):
            var fields: [(String, LogValue)] = [("state", .text(state.rawValue)), ("device", .text(receiver.device))]
            if let problem = receiver.problem { fields.append(("problem", .text(problem))) }
            log(state == .silent ? .warning : .notice, "receiver.state", fields)
        case .error(let code, let message):
            log(.error, "error", [("code", .text(code.rawValue)), ("message", .text(message))])
        case .diagnostic(let message): log(.notice, "diagnostic", [("message", .text(message))])
        case .sessionInterrupted(let session, let cause):
            log(.notice, "session.interrupted", [("session", .text(session.id)), ("cause", .text(cause.rawValue))])
        case .activityChange(let label):
            log(
                .info, "activity.changed",
                [("activity", .text(label.activity.rawValue)), ("confidence", .int(Int64(label.confidence)))])
        case .trackingGap(let gap):
            log(
                .notice, "track.gap",
                [
                    ("cause", .text(gap.cause.rawValue)), ("duration_ms", .int(gap.durationMillis)),
                    ("distance_mm", .int(gap.distanceMM)),
                ])
        case .geofenceEnter(let crossing), .geofenceExit(let crossing), .geofenceDwell(let crossing):
            log(.notice, "fence.\(crossing.kind.rawValue)", [("fence", .text(crossing.fenceID))])
        case .geofenceAdded(let fence): log(.notice, "fence.added", [("fence", .text(fence.id))])
        case .geofenceRemoved(let id): log(.notice, "fence.removed", [("fence", .text(id))])
        case .upload(let event): logUpload(event)
        case .motionChange, .enabledChange, .powerSaveChange, .batteryChange, .heartbeat: break
        }
        publish(event)
        onEvent?(event)
        board?.light?.wake()
    }

    func log(_ level: LogLevel, _ event: String, _ fields: [(String, LogValue)]) {
        ports.log.write(level, event, fields)
    }
}

extension TrackingGap {
    /// A longer silence is told at once (spec power §6, rule 2).
    private static let urgentMillis: Int64 = 3_600_000
    /// What may be driven while a receiver that rested finds itself again, a minute at 120 km/h: no surprise.
    private static let wakingMM: Int64 = 2_000_000

    var isUrgent: Bool {
        durationMillis > Self.urgentMillis && !(cause == .powerSave && distanceMM < Self.wakingMM)
    }
}
