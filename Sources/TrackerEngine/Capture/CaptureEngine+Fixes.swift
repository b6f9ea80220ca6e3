import TrackerGeo
import TrackerModel

/// The way of a fix: boundary, one-shot, clock guard, turn detector, cadence, pipeline (spec capture §5).
extension CaptureEngine {
    /// The smoother needs what comes later, and a choice. Chosen on recordings with known truth, see docs/notes/09.
    private static let smoothingLagMillis: Int64 = 12_000
    private static let smoothingWindowMillis: Int64 = 12_000
    /// A due fix must not cut off a corner by more than this, nor by more than its accuracy.
    private static let cutCornerM = 7.0
    /// Fixes in a row with the speed of a vehicle.
    private static let fastRunToWake = 3
    /// So much of the reported radius may be common to all fixes, which no averaging shows.
    private static let commonShare = 0.3
    /// Points of a walk are this many σ of their own error apart, and at least so many metres.
    private static let spacingSigmas = 1.2
    private static let leastSpacingM = 5.0

    /// A fix that takes this much longer than its interval is late: a start that was not a hot one, not a search in vain.
    private static let lateShare = 1.5

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
        let received = gaps.received(fix, sinceStored: elapsedSeconds(to: fix))
        silence = max(silence, received)
        if !isWanted(silence: received, before: fix) { unwantedSilence = max(unwantedSilence, received) }
        lastFix = fix
        // Until there is a first point every fix is a candidate for it.
        if anchor == nil { gate.expedite() }
        retro.add(fix)
        let isFollowed = config.pipeline.ruleSet == .device && follower.take(fix)
        if isFollowed { lookMoreOften(at: fix, now) }
        let isTurnBegun = turns.handle(fix)
        if isTurnBegun { captureApex(before: fix, beyond: RetroBuffer.worthM, now, &actions) }
        retune(now, &actions)
        if config.rule == .geometry, isFollowed { captureCorner(fix, now, &actions) }
        if isOffered {
            judge(fix, now, &actions)
            gate.offered(at: fix.instant)
        } else if let chosen = gate.take(fix, cadence: cadence) {
            // A corner may lie between two due fixes before the detector is sure of it.
            if chosen.speedMps != nil {
                captureApex(before: chosen, beyond: max(Self.cutCornerM, chosen.accuracyM), now, &actions)
            }
            judgeDue(chosen, newest: fix, now, &actions)
        }
        answer(oneShot.offer(fix, now), now, &actions)
    }

    /// Under way the receiver rests between the fixes that are judged: as long as it gives them that is no gap (E-030). A
    /// vehicle may be anywhere by then, and is found by the rules for gaps.
    private func isWanted(silence: Double, before fix: TrackFix) -> Bool {
        motion.state == .moving && gaps.wasRest && fix.speedMps ?? 0 < PipelineLimit.vehicular
            && silence * 1_000 <= min(Self.lateShare * Double(cadence.intervalMillis), Double(GapWatch.gapMillis))
    }

    /// A decision without judging: while a session is open, or for what came too late for it.
    private mutating func refuse(_ fix: TrackFix, _ reason: DecisionReason, _ actions: inout [CaptureAction]) {
        guard isOpen || reason == .sessionClosed else { return }
        let decision = decision(fix, PipelineAnswer(verdict: .reject, reason: reason), motion: motion.state)
        actions.append(.commit(Judgement(decision: decision, received: fix), state: state))
    }

    /// A stored point from before a reboot serves only when UTC has gone on since (§6).
    private mutating func dropUselessAnchor(before fix: TrackFix, _ actions: inout [CaptureAction]) {
        guard !isSameBoot, let anchor, let time = fix.time, time <= anchor.time else { return }
        self.anchor = nil
        actions.append(.diagnosed("anchor_dropped: the time before the reboot was later than now"))
    }

    /// The apex that lies behind, where the line from the stored point to the fix would cut it off by more than `metres`:
    /// it is offered first, with its own time (§12.2).
    private mutating func captureApex(
        before fix: TrackFix, beyond metres: Double, _ now: Instant, _ actions: inout [CaptureAction]
    ) {
        guard let anchor, isSameBoot, motion.state == .moving, config.turnBurst, config.rule == .interval,
            powerTier == .normal, let apex = retro.apex(from: anchor, to: fix, beyond: metres)
        else { return }
        judge(apex, now, &actions)
        gate.offered(at: apex.instant)
    }

    /// A resting tracker that is seen moving looks more often: by the smoother, or by a measured speed that is held for
    /// some fixes. It is no proof: the next fix is judged as any other, only sooner.
    private mutating func lookMoreOften(at fix: TrackFix, _ now: Instant) {
        let isFast = (fix.speedMps ?? 0) >= PipelineLimit.vehicular && fix.accuracyM <= config.pipeline.maxAccuracyM
        fastRun = isFast ? fastRun + 1 : 0
        guard isResting, wakes.until == nil, anchor != nil else { return }
        let smoothed = fix.instant.advanced(byMillis: -Self.smoothingLagMillis)
        guard fastRun >= Self.fastRunToWake || (fix.speedMps == nil && follower.isMoving(at: smoothed)) else { return }
        _ = wakes.wake(now)
        gate.expedite()
    }

    /// A fix is due. Where the receiver measures no speed and its errors are independent, the one that fits the smoothed
    /// way best is judged, with the speed that the smoother found.
    private mutating func judgeDue(
        _ chosen: TrackFix, newest: TrackFix, _ now: Instant, _ actions: inout [CaptureAction]
    ) {
        guard newest.speedMps == nil, anchor != nil, isSameBoot, follower.hasIndependentErrors else {
            return judge(chosen, now, &actions)
        }
        let latest = newest.instant.advanced(byMillis: -Self.smoothingLagMillis)
        let window = min(cadence.intervalMillis, Self.smoothingWindowMillis)
        let earliest = max(latest.advanced(byMillis: -window), newestJudged ?? latest.advanced(byMillis: -window))
        guard let best = follower.best(after: earliest, to: latest, mostAccuracyM: mostAccuracyM) else { return }
        judge(best.fix, derived: best, now, &actions)
    }

    /// Above this a fix cannot pass for an accurate one even when averaged.
    private var mostAccuracyM: Double { config.pipeline.maxAccuracyM / Self.commonShare }

    /// While moving, the fix that the drawn line needs is judged with its own time.
    private mutating func captureCorner(_ fix: TrackFix, _ now: Instant, _ actions: inout [CaptureAction]) {
        guard let anchor, isSameBoot, motion.state == .moving, powerTier == .normal,
            let position = follower.position
        else {
            corners = GeometryCapture()
            return
        }
        let tolerance = config.geometryToleranceM
        guard let corner = corners.take(fix, at: position, from: anchor, toleranceM: tolerance) else { return }
        judge(corner, now, &actions)
        gate.offered(at: corner.instant)
    }

    mutating func judge(
        _ fix: TrackFix, derived: FixFollower.Estimate? = nil, _ now: Instant,
        _ actions: inout [CaptureAction]
    ) {
        let received = fix
        var fix = fix
        newestJudged = max(newestJudged ?? fix.instant, fix.instant)
        let (silence, unwantedSilence) = (silence, unwantedSilence)
        (self.silence, self.unwantedSilence) = (0, 0)
        if anchor == nil {
            let trust = config.pipeline.recoveryTrustM
            guard let first = initial.choose(fix, trustM: trust, ruleSet: config.pipeline.ruleSet) else {
                return record(fix, received, PipelineAnswer(verdict: .skip, reason: .initHeld), &actions)
            }
            fix = first
            // Nothing was good enough at once: the smoother knows better than the reported accuracy, and begins early.
            let early = fix.instant.advanced(byMillis: Self.smoothingWindowMillis - InitialFix.budgetMillis)
            if fix.speedMps == nil, first.accuracyM > trust, follower.hasIndependentErrors,
                let best = follower.best(to: early, mostAccuracyM: mostAccuracyM)
            {
                fix = best.fix
            }
        }
        retro.judged(at: fix.instant)
        corners.judged(at: fix.instant)
        var context = PipelineContext()
        context.receptionGap = unwantedSilence
        evidence.weigh(fix, since: isSameBoot ? anchor?.instant : nil, config, into: &context)
        let elapsed = elapsedSeconds(to: fix)
        var evident = fix
        if let derived, fix.speedMps == nil {
            evident.take(derived, commonShare: Self.commonShare)
            context.isSpeedProven = true
            context.minimumMoveM = max(Self.leastSpacingM, Self.spacingSigmas * derived.noiseM)
        }
        var answer = pipeline.judge(evident, past: anchor, elapsed: elapsed, context)
        answer.elapsed = anchor == nil ? nil : elapsed
        answer.silence = silence
        // What the smoother knows serves to judge; the track goes through the fixes themselves.
        if derived != nil, let anchor { answer.distanceM = Geodesic.distanceM(anchor.coordinate, fix.coordinate) }
        guard answer.verdict == .accept else {
            if answer.verdict == .reject { wasSeenMoving = false }
            record(fix, received, answer, &actions)
            noticeStop(fix, answer, &actions)
            return
        }
        accept(fix, received, answer, now, &actions)
    }

    /// Seconds since the stored point: on the boot clock, across a reboot by UTC.
    private func elapsedSeconds(to fix: TrackFix) -> Double {
        guard let anchor else { return 0 }
        if isSameBoot { return max(0, fix.instant.seconds(since: anchor.instant)) }
        return max(0, Double(fix.time?.millis(since: anchor.time) ?? 0) / 1_000)
    }

    private mutating func noticeStop(_ fix: TrackFix, _ answer: PipelineAnswer, _ actions: inout [CaptureAction]) {
        guard let distance = answer.distanceM, let anchor else { return }
        let isMoving = answer.movement == .moving
        if significant.passed(
            at: fix.instant, distanceM: distance, speedMps: answer.speedMps, isMoving: isMoving)
        {
            actions.append(.markSignificantStop(at: anchor.instant))
        }
    }

    private mutating func accept(
        _ fix: TrackFix, _ received: TrackFix, _ answer: PipelineAnswer, _ now: Instant,
        _ actions: inout [CaptureAction]
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
        wasSeenMoving = movement == .moving
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
        let judgement = Judgement(
            decision: decision(fix, answer, motion: before), received: received,
            judged: JudgedFix(fix: fix, movement: movement), accepted: accepted)
        actions.append(.commit(judgement, state: state))
        announce(transition, &actions)
    }

    private func record(
        _ fix: TrackFix, _ received: TrackFix, _ answer: PipelineAnswer, _ actions: inout [CaptureAction]
    ) {
        let judgement = Judgement(
            decision: decision(fix, answer, motion: motion.state), received: received,
            judged: JudgedFix(fix: fix, movement: answer.movement))
        actions.append(.commit(judgement, state: state))
    }

    private func decision(_ fix: TrackFix, _ answer: PipelineAnswer, motion: MotionState) -> Decision {
        let isPlaced = fix.coordinate.isValid
        var decision = Decision(
            time: fix.time, instant: fix.instant, latitudeE7: isPlaced ? fix.coordinate.latitudeE7 : nil,
            longitudeE7: isPlaced ? fix.coordinate.longitudeE7 : nil,
            accuracyMM: abs(fix.accuracyM) < 1e9 ? Int64((fix.accuracyM * 1_000).rounded()) : nil,
            verdict: answer.verdict, reason: answer.reason,
            distanceMM: answer.distanceM.map { Int64(($0 * 1_000).rounded()) },
            speedMMps: answer.distanceM == nil ? nil : Int64((answer.speedMps * 1_000).rounded()),
            motion: motion)
        decision.evidence = DecisionEvidence(answer, filter: pipeline.state.filter)
        return decision
    }
}

extension TrackFix {
    /// The fix as the smoother knows it. A speed that is told apart from standing is one; below that the fix stands.
    fileprivate mutating func take(_ derived: FixFollower.Estimate, commonShare: Double) {
        coordinate = derived.position
        accuracyM = max(derived.accuracyM, accuracyM * commonShare)
        let isMoving = derived.speedMps > FixFollower.provenSigmas * derived.speedSigmaMps
        speedMps = isMoving ? derived.speedMps : 0
        courseDeg = isMoving ? derived.courseDeg : nil
        speedAccuracyMps = derived.speedSigmaMps
    }
}
