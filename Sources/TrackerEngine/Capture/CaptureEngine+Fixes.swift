import TrackerGeo
import TrackerModel

/// The way of a fix: boundary, one-shot, clock guard, turn detector, cadence, pipeline (spec capture §5).
extension CaptureEngine {
    /// The smoother needs what comes later, and a choice.
    private static let smoothingLagMillis: Int64 = 8_000
    private static let smoothingWindowMillis: Int64 = 12_000

    mutating func determined(
        _ raw: TrackFix, isOffered: Bool, _ now: Instant, _ actions: inout [CaptureAction]
    ) {
        watchdog.heard(at: now)
        if let reason = boundary.refusal(raw, at: now) {
            answer(oneShot.refused(reason), now, &actions)
            refuse(raw, reason, &actions)
            return
        }
        let fix = boundary.admitted(raw)
        guard isOpen else {
            lastFix = fix
            answer(oneShot.offer(fix, now), now, &actions)
            if let closedAt, fix.instant <= closedAt { refuse(fix, .sessionClosed, &actions) }
            return
        }
        switch clock.judge(fix.instant) {
        case .forward: break
        case .outOfOrder: return refuse(fix, .outOfOrder, &actions)
        case .reboot: rebooted(&actions)
        }
        dropUselessAnchor(before: fix, &actions)
        let silence = gaps.received(fix, sinceStored: elapsedSeconds(to: fix))
        lastFix = fix
        // Until there is a first point every fix is a candidate for it.
        if anchor == nil { gate.expedite() }
        retro.add(fix)
        if config.pipeline.ruleSet == .device { _ = follower.take(fix) }
        let isTurnBegun = turns.handle(fix)
        if isTurnBegun, config.turnBurst, power.tier == .normal, config.rule == .interval {
            captureApex(before: fix, now, &actions)
        }
        retune(now, &actions)
        if config.rule == .geometry { captureCorner(fix, now, &actions) }
        if isOffered {
            judge(fix, silence: silence, now, &actions)
            gate.offered(at: fix.instant)
        } else if let chosen = gate.take(fix, cadence: cadence) {
            judgeDue(chosen, newest: fix, silence: silence, now, &actions)
        }
        answer(oneShot.offer(fix, now), now, &actions)
    }

    /// A decision without judging: while a session is open, or for what came too late for it.
    private mutating func refuse(_ fix: TrackFix, _ reason: DecisionReason, _ actions: inout [CaptureAction]) {
        guard isOpen || reason == .sessionClosed else { return }
        record(fix, PipelineAnswer(verdict: .reject, reason: reason), &actions)
    }

    /// A stored point from before a reboot serves only when UTC has gone on since (§6).
    private mutating func dropUselessAnchor(before fix: TrackFix, _ actions: inout [CaptureAction]) {
        guard !isSameBoot, let anchor, let time = fix.time, time <= anchor.time else { return }
        self.anchor = nil
        actions.append(.diagnosed("anchor_dropped: the time before the reboot was later than now"))
    }

    /// The turn that armed a burst has its apex behind it: that fix is offered first, with its own time (§12.2).
    private mutating func captureApex(before fix: TrackFix, _ now: Instant, _ actions: inout [CaptureAction]) {
        guard let anchor, isSameBoot, motion.state == .moving, let apex = retro.apex(from: anchor, to: fix) else {
            return
        }
        judge(apex, silence: 0, now, &actions)
        gate.offered(at: apex.instant)
    }

    /// A fix is due. Where errors are independent, the one that fits the smoothed way best is judged, with the speed that
    /// the smoother found when the receiver measured none.
    private mutating func judgeDue(
        _ chosen: TrackFix, newest: TrackFix, silence: Double, _ now: Instant, _ actions: inout [CaptureAction]
    ) {
        guard anchor != nil, isSameBoot, follower.hasIndependentErrors else {
            return judge(chosen, silence: silence, now, &actions)
        }
        let latest = newest.instant.advanced(byMillis: -Self.smoothingLagMillis)
        let window = min(cadence.intervalMillis, Self.smoothingWindowMillis)
        let earliest = max(latest.advanced(byMillis: -window), newestJudged ?? .zero)
        guard
            let best = follower.best(after: earliest, to: latest, mostAccuracyM: config.pipeline.maxAccuracyM)
        else { return }
        judge(best.fix, derived: best, silence: silence, now, &actions)
    }

    /// While moving, the fix that the drawn line needs is judged with its own time.
    private mutating func captureCorner(_ fix: TrackFix, _ now: Instant, _ actions: inout [CaptureAction]) {
        guard let anchor, isSameBoot, motion.state == .moving else {
            corners = GeometryCapture()
            return
        }
        guard let corner = corners.take(fix, from: anchor, toleranceM: config.geometryToleranceM) else { return }
        judge(corner, silence: 0, now, &actions)
        gate.offered(at: corner.instant)
    }

    mutating func judge(
        _ fix: TrackFix, derived: FixFollower.Estimate? = nil, silence: Double, _ now: Instant,
        _ actions: inout [CaptureAction]
    ) {
        var fix = fix
        newestJudged = max(newestJudged ?? fix.instant, fix.instant)
        if anchor == nil {
            let trust = config.pipeline.recoveryTrustM
            guard let first = initial.choose(fix, trustM: trust, ruleSet: config.pipeline.ruleSet) else {
                return record(fix, PipelineAnswer(verdict: .skip, reason: .initHeld), &actions)
            }
            fix = first
        }
        var context = PipelineContext()
        context.receptionGap = silence
        evidence.weigh(fix, since: isSameBoot ? anchor?.instant : nil, config, into: &context)
        let elapsed = elapsedSeconds(to: fix)
        var evident = fix
        if let derived, fix.speedMps == nil { evident.take(derived) }
        var answer = pipeline.judge(evident, past: anchor, elapsed: elapsed, context)
        answer.elapsed = anchor == nil ? nil : elapsed
        answer.silence = silence
        guard answer.verdict == .accept else {
            record(fix, answer, &actions)
            noticeStop(fix, answer, &actions)
            return
        }
        accept(fix, answer, now, &actions)
    }

    /// Seconds since the stored point: on the boot clock, across a reboot by UTC.
    private func elapsedSeconds(to fix: TrackFix) -> Double {
        guard let anchor else { return 0 }
        if isSameBoot { return max(0, fix.instant.seconds(since: anchor.instant)) }
        return max(0, Double((fix.time?.millis ?? 0) - anchor.time.millis) / 1_000)
    }

    private mutating func noticeStop(_ fix: TrackFix, _ answer: PipelineAnswer, _ actions: inout [CaptureAction]) {
        guard let distance = answer.distanceM else { return }
        let isMoving = answer.movement == .moving
        if significant.passed(
            at: fix.instant, distanceM: distance, speedMps: answer.speedMps, isMoving: isMoving)
        {
            actions.append(.markSignificantStop)
        }
    }

    private mutating func accept(
        _ fix: TrackFix, _ answer: PipelineAnswer, _ now: Instant, _ actions: inout [CaptureAction]
    ) {
        guard let time = fix.time else { return }
        let legMM = answer.distanceM.map { Int64(($0 * 1_000).rounded()) } ?? 0
        odometerMM += legMM
        let movement = answer.movement
        anchor = CaptureState.Anchor(
            time: time, instant: fix.instant, latitudeE7: fix.coordinate.latitudeE7,
            longitudeE7: fix.coordinate.longitudeE7, accuracyMM: Int64((fix.accuracyM * 1_000).rounded()),
            speedMMps: Int64((answer.speedMps * 1_000).rounded()), movement: movement)
        isSameBoot = true
        let before = motion.state
        let transition = motion.fixAccepted(at: fix.coordinate, isMoving: movement == .moving, now)
        let gap = gaps.stored(distanceM: answer.distanceM)
        significant.stored(at: fix.instant, distanceM: answer.distanceM, isMoving: movement == .moving)
        evidence.pointStored()
        let accepted = AcceptedFix(
            fix: fix, time: time, reason: answer.reason, movement: movement,
            effectiveSpeedMps: answer.speedMps, odometerMM: odometerMM, legMM: legMM,
            silenceMillis: gap.silenceMillis, gapCause: gap.cause,
            activity: config.usesActivity ? evidence.activity : nil,
            isMock: fix.isMock && config.mockPolicy == .flag)
        let judgement = Judgement(decision: decision(fix, answer, motion: before), accepted: accepted)
        actions.append(.commit(judgement, state: state))
        announce(transition, &actions)
    }

    private func record(_ fix: TrackFix, _ answer: PipelineAnswer, _ actions: inout [CaptureAction]) {
        let judgement = Judgement(decision: decision(fix, answer, motion: motion.state), accepted: nil)
        actions.append(.commit(judgement, state: state))
    }

    private func decision(_ fix: TrackFix, _ answer: PipelineAnswer, motion: MotionState) -> Decision {
        let isPlaced = fix.coordinate.isValid
        var decision = Decision(
            time: fix.time, instant: fix.instant, latitudeE7: isPlaced ? fix.coordinate.latitudeE7 : nil,
            longitudeE7: isPlaced ? fix.coordinate.longitudeE7 : nil,
            accuracyMM: fix.accuracyM.isFinite && fix.accuracyM < 1e9 ? Int64((fix.accuracyM * 1_000).rounded()) : nil,
            verdict: answer.verdict, reason: answer.reason,
            distanceMM: answer.distanceM.map { Int64(($0 * 1_000).rounded()) },
            speedMMps: answer.distanceM == nil ? nil : Int64((answer.speedMps * 1_000).rounded()),
            motion: motion)
        decision.evidence = DecisionEvidence(answer, filter: pipeline.state.filter)
        return decision
    }
}

extension TrackFix {
    /// A speed that is told apart from standing by twice its σ is one; below it the fix stands.
    fileprivate mutating func take(_ derived: FixFollower.Estimate) {
        let isMoving = derived.speedMps > 2 * derived.speedSigmaMps
        speedMps = isMoving ? derived.speedMps : 0
        courseDeg = isMoving ? derived.courseDeg : nil
        speedAccuracyMps = derived.speedSigmaMps
    }
}
