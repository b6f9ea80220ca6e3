import TrackerGeo
public import TrackerModel

/// The capture plane: from fixes, stillness and battery to points, motion and cadence. It owns no clock, file or
/// device; time comes with each event and leaves as `.wake(at:)`.
public struct CaptureEngine {
    /// A still accelerometer speaks with full confidence after this long (spec capture §13.5: still, 100).
    static let stillLabelMillis: Int64 = 10_000
    /// Shaking this long is a wake trigger (spec capture §13.4), and the wake lasts this long (§11).
    static let wakeConfirmMillis: Int64 = 3_000
    static let wakeMillis: Int64 = 60_000

    private let config: CaptureConfig
    private let boundary: BoundaryRules
    private var gate = CadenceGate()
    private var pipeline: AcceptancePipeline
    private var initial = InitialFix()
    private var turns = TurnDetector()
    private var retro = RetroBuffer()
    private var motion: MotionMachine
    private var power: PowerTierMachine
    private var isOpen = false
    private var isSameBoot = true
    private var anchor: CaptureState.Anchor?
    private var odometerMM: Int64 = 0
    private var stillness: StillnessReading?
    private var lastFix: TrackFix?
    private var newestJudged: Instant?
    private var lastReceivedAt: Instant?
    private var awakeUntil: Instant?
    /// Start of the shaking that already woke the tracker, so that one shaking wakes it once.
    private var answeredShaking: Instant?
    public private(set) var cadence: Cadence

    public init(_ config: CaptureConfig) {
        self.config = config
        boundary = BoundaryRules(stalenessMillis: config.deliveryStalenessMillis, mockPolicy: config.mockPolicy)
        motion = MotionMachine(config)
        power = PowerTierMachine(config)
        pipeline = AcceptancePipeline(config.pipeline)
        cadence = Cadence.choose(config, isUnderWay: false, power: .normal)
    }

    public var motionState: MotionState { motion.state }
    public var motionSince: Instant { motion.since }
    public var powerTier: PowerTier { power.tier }
    public var battery: BatteryReading { power.reading }

    public mutating func handle(_ event: CaptureEvent, at now: Instant, into actions: inout [CaptureAction]) {
        switch event {
        case .sessionOpened(let saved, let isSameBoot): open(saved, isSameBoot: isSameBoot, now)
        case .sessionClosed:
            isOpen = false
            motion = MotionMachine(config)
        case .fixDetermined(let fix): determined(fix, now, &actions)
        case .stillnessRead(let reading): read(reading, now, &actions)
        case .stillnessLost: stillness = nil
        case .batteryRead(let reading):
            if let tier = power.handle(reading, at: now) { actions.append(.powerTierChanged(tier)) }
        case .timerFired:
            if let awakeUntil, awakeUntil <= now { self.awakeUntil = nil }
            announce(motion.timerFired(now), &actions)
        case .stationaryFenceLeft:
            // A position may wander away from a device that does not move (E-072).
            if stillness?.stillSince == nil { announce(motion.stationaryFenceLeft(now), &actions) }
        }
        retune(now, &actions)
        let burstEnd = turns.isBursting(at: now) ? turns.burstUntil ?? .never : .never
        let next = min(motion.deadline, awakeUntil ?? .never, burstEnd)
        if next < .never { actions.append(.wake(at: next)) }
    }

    /// What to commit so that a restart continues here.
    public var state: CaptureState {
        var state = CaptureState(
            anchor: anchor, odometerMM: odometerMM, motion: motion.state, motionSince: motion.since,
            stopLatitudeE7: motion.stop?.latitudeE7, stopLongitudeE7: motion.stop?.longitudeE7)
        state.lastReceivedAt = lastReceivedAt
        return state
    }

    private mutating func open(_ saved: CaptureState?, isSameBoot: Bool, _ now: Instant) {
        isOpen = true
        self.isSameBoot = isSameBoot
        anchor = saved?.anchor
        odometerMM = saved?.odometerMM ?? 0
        motion = MotionMachine(config)
        pipeline = AcceptancePipeline(config.pipeline)
        initial = InitialFix()
        turns = TurnDetector()
        retro = RetroBuffer()
        gate = CadenceGate()
        newestJudged = nil
        lastReceivedAt = nil
        guard let saved, isSameBoot else { return }
        if let latitude = saved.stopLatitudeE7, let longitude = saved.stopLongitudeE7 {
            let stop = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
            motion.resume(saved.motion, since: saved.motionSince, stop: stop)
        } else {
            motion.resume(saved.motion, since: saved.motionSince, stop: nil)
        }
        lastReceivedAt = saved.lastReceivedAt
        newestJudged = saved.anchor?.instant
    }

    private mutating func determined(_ raw: TrackFix, _ now: Instant, _ actions: inout [CaptureAction]) {
        guard isOpen else { return }
        if let reason = boundary.refusal(raw, at: now) {
            record(raw, PipelineAnswer(verdict: .reject, reason: reason), &actions)
            return
        }
        let fix = boundary.admitted(raw)
        let silence = lastReceivedAt.map { max(0, fix.instant.seconds(since: $0)) } ?? elapsedSeconds(to: fix)
        lastReceivedAt = max(fix.instant, lastReceivedAt ?? fix.instant)
        lastFix = fix
        // Until there is a first point every fix is a candidate for it.
        if anchor == nil { gate.expedite() }
        retro.add(fix)
        if turns.handle(fix), config.turnBurst, power.tier == .normal { captureApex(before: fix, now, &actions) }
        retune(now, &actions)
        guard let offered = gate.take(fix, cadence: cadence) else { return }
        if let newestJudged, offered.instant < newestJudged {
            record(offered, PipelineAnswer(verdict: .reject, reason: .outOfOrder), &actions)
            return
        }
        newestJudged = offered.instant
        judge(offered, silence: silence, now, &actions)
    }

    /// The turn that armed a burst has its apex behind it: that fix is offered first, with its own time (§12.2).
    private mutating func captureApex(before fix: TrackFix, _ now: Instant, _ actions: inout [CaptureAction]) {
        guard let anchor, isSameBoot, motion.state == .moving, let apex = retro.apex(from: anchor, to: fix) else {
            return
        }
        newestJudged = max(newestJudged ?? apex.instant, apex.instant)
        judge(apex, silence: 0, now, &actions)
        gate.offered(at: apex.instant)
    }

    private mutating func judge(_ fix: TrackFix, silence: Double, _ now: Instant, _ actions: inout [CaptureAction]) {
        var fix = fix
        if anchor == nil {
            let trust = config.pipeline.recoveryTrustM
            guard let first = initial.choose(fix, trustM: trust, ruleSet: config.pipeline.ruleSet) else {
                return record(fix, PipelineAnswer(verdict: .skip, reason: .initHeld), &actions)
            }
            fix = first
        }
        var context = PipelineContext()
        context.receptionGap = silence
        context.wasStill = wasStillSinceAnchor(fix)
        let answer = pipeline.judge(fix, past: anchor, elapsed: elapsedSeconds(to: fix), context)
        if answer.verdict == .accept { accept(fix, answer, now, &actions) } else { record(fix, answer, &actions) }
    }

    /// Seconds since the stored point: on the boot clock, across a reboot by UTC.
    private func elapsedSeconds(to fix: TrackFix) -> Double {
        guard let anchor else { return 0 }
        if isSameBoot { return max(0, fix.instant.seconds(since: anchor.instant)) }
        return max(0, Double((fix.time?.millis ?? 0) - anchor.time.millis) / 1_000)
    }

    private func wasStillSinceAnchor(_ fix: TrackFix) -> Bool {
        guard isSameBoot, let anchor, let stillness, let since = stillness.stillSince else { return false }
        // One window may still be open when the fix arrives.
        return since <= anchor.instant && fix.instant.millis(since: stillness.instant) <= 2_000
    }

    private mutating func accept(
        _ fix: TrackFix, _ answer: PipelineAnswer, _ now: Instant, _ actions: inout [CaptureAction]
    ) {
        guard let time = fix.time else { return }
        if let distance = answer.distanceM { odometerMM += Int64((distance * 1_000).rounded()) }
        let movement = answer.movement
        anchor = CaptureState.Anchor(
            time: time, instant: fix.instant, latitudeE7: fix.coordinate.latitudeE7,
            longitudeE7: fix.coordinate.longitudeE7, accuracyMM: Int64((fix.accuracyM * 1_000).rounded()),
            speedMMps: Int64((answer.speedMps * 1_000).rounded()), movement: movement)
        isSameBoot = true
        let before = motion.state
        let transition = motion.fixAccepted(at: fix.coordinate, isMoving: movement == .moving, now)
        let accepted = AcceptedFix(
            fix: fix, time: time, reason: answer.reason, movement: movement,
            effectiveSpeedMps: answer.speedMps, odometerMM: odometerMM,
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
        return Decision(
            time: fix.time, instant: fix.instant, latitudeE7: isPlaced ? fix.coordinate.latitudeE7 : nil,
            longitudeE7: isPlaced ? fix.coordinate.longitudeE7 : nil,
            accuracyMM: fix.accuracyM.isFinite && fix.accuracyM < 1e9 ? Int64((fix.accuracyM * 1_000).rounded()) : nil,
            verdict: answer.verdict, reason: answer.reason,
            distanceMM: answer.distanceM.map { Int64(($0 * 1_000).rounded()) },
            speedMMps: answer.distanceM == nil ? nil : Int64((answer.speedMps * 1_000).rounded()),
            motion: motion)
    }

    private mutating func read(_ reading: StillnessReading, _ now: Instant, _ actions: inout [CaptureAction]) {
        stillness = reading
        if let since = reading.stillSince, reading.instant.millis(since: since) >= Self.stillLabelMillis,
            isSpeedQuiet(now)
        {
            announce(motion.stillLabelled(at: lastFix?.coordinate, now), &actions)
        }
        guard let since = reading.shakenSince else { return answeredShaking = nil }
        let isResting = motion.state == .stopped || motion.state == .stationary
        if isResting, answeredShaking == nil, reading.instant.millis(since: since) >= Self.wakeConfirmMillis {
            answeredShaking = since
            awakeUntil = now.advanced(byMillis: Self.wakeMillis)
            gate.expedite()
        }
    }

    /// No speed is known, or it is below walking: a smooth road must not look like a stop (F-38).
    private func isSpeedQuiet(_ now: Instant) -> Bool {
        guard let fix = lastFix, now.millis(since: fix.instant) <= 5_000, let speed = fix.speedMps else { return true }
        return speed < 0.5
    }

    private func announce(_ transition: MotionState?, _ actions: inout [CaptureAction]) {
        if let transition { actions.append(.motionChanged(transition)) }
    }

    private mutating func retune(_ now: Instant, _ actions: inout [CaptureAction]) {
        let underWay = motion.state == .moving || motion.state == .stopPending || awakeUntil != nil
        let wanted = Cadence.choose(
            config, isUnderWay: underWay, isTurning: turns.isBursting(at: now) && motion.state == .moving,
            power: power.tier)
        if wanted != cadence {
            cadence = wanted
            actions.append(.cadenceChanged(wanted))
        }
    }
}
