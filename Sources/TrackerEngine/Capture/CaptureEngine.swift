public import TrackerModel

/// The capture plane: from fixes and what the sensors say to points, motion and cadence. It owns no clock, file or
/// device; time comes with each event and leaves as `.wake(at:)`.
public struct CaptureEngine {
    let config: CaptureConfig
    let boundary: BoundaryRules
    var gate = CadenceGate()
    var pipeline: AcceptancePipeline
    var initial = InitialFix()
    var turns: TurnDetector
    var retro = RetroBuffer()
    var corners = GeometryCapture()
    var follower = FixFollower()
    var motion: MotionMachine
    public private(set) var powerTier = PowerTier.normal
    var clock: ClockGuard
    var gaps = GapWatch()
    var evidence = MotionEvidence()
    var wakes = WakeWatch()
    var watchdog: CaptureWatchdog
    var significant = SignificantStop()
    var oneShot: OneShotMachine
    public internal(set) var isOpen = false
    /// When the last session was closed: what was determined before is told to have come too late.
    var closedAt: Instant?
    var isSameBoot = true
    var isReceiverOn = true
    var anchor: CaptureState.Anchor?
    var odometerMM: Int64 = 0
    /// Fixes in a row that measured the speed of a vehicle.
    var fastRun = 0
    /// The longest silence since the last judged fix, seconds: the fix that ended it may not have been due.
    var silence = 0.0
    /// The same without the rests that the receiver was meant to have.
    var unwantedSilence = 0.0
    /// The last judged fix was a point under way: where a stop that has come since is, is not known.
    public internal(set) var wasSeenMoving = false
    /// The newest fix that the pipeline has seen.
    var newestJudged: Instant?
    /// The last valid fix.
    var lastFix: TrackFix?
    /// Moving, about to stop, or shaken a moment ago.
    public internal(set) var isAlert = false
    public internal(set) var cadence: Cadence

    public init(_ config: CaptureConfig) {
        self.config = config
        boundary = BoundaryRules(stalenessMillis: config.deliveryStalenessMillis, mockPolicy: config.mockPolicy)
        turns = TurnDetector(ruleSet: config.pipeline.ruleSet)
        motion = MotionMachine(config)
        pipeline = AcceptancePipeline(config.pipeline)
        clock = ClockGuard(knowsBoots: config.knowsBoots)
        watchdog = CaptureWatchdog(config)
        oneShot = OneShotMachine(config)
        cadence = Cadence.choose(config, isUnderWay: false, power: .normal)
    }

    /// Stops take longer to believe while the sensors are short of something (spec capture §11).
    var motionQuality = MotionQuality.full

    public var motionState: MotionState { motion.state }
    public var motionSince: Instant { motion.since }
    /// The session has stored a point.
    public var hasPoint: Bool { anchor != nil }
    /// Where the present stop began.
    public var stop: Coordinate? { motion.stop }
    public var activity: ActivityLabel? { evidence.activity }

    public mutating func handle(_ event: CaptureEvent, at now: Instant, into actions: inout [CaptureAction]) {
        switch event {
        case .sessionOpened(let saved, let isSameBoot): open(saved, isSameBoot: isSameBoot, now)
        case .sessionClosed: close(now)
        case .rebooted: rebooted(&actions)
        case .fixDetermined(let fix): determined(fix, isOffered: false, now, &actions)
        case .fixOffered(let fix): determined(fix, isOffered: true, now, &actions)
        case .oneShotRequested(let request): requested(request, now, &actions)
        case .receiverChanged(let state): receiverChanged(state)
        case .receiverPowered(let isOn): receiverPowered(isOn, now)
        case .receiverReset: oneShot.closeCircuit()
        case .stillnessRead(let reading): read(reading, now, &actions)
        case .stillnessLost: evidence.lost()
        case .motionQualityChanged(let quality): motionQualityChanged(quality)
        case .stepsCounted(let reading): counted(reading, now, &actions)
        case .activityLabelled(let label): labelled(label, now, &actions)
        case .verticalSpeedRead(let mps): evidence.take(verticalMps: mps, at: now)
        case .paceChanged(let isMoving): paceChanged(isMoving, now, &actions)
        case .healthChecked: healthChecked(now, &actions)
        case .powerTierChanged(let tier): powerTier = tier
        case .timerFired:
            wakes.timerFired(now)
            announce(motion.timerFired(now), &actions)
            answer(oneShot.timerFired(now), now, &actions)
        case .stationaryFenceLeft: stationaryFenceLeft(now, &actions)
        }
        retune(now, &actions)
        let burstEnd = turns.isBursting(at: now) ? turns.burstUntil ?? .never : .never
        let next = min(min(motion.deadline, oneShot.deadline), min(wakes.until ?? .never, burstEnd))
        if next < .never { actions.append(.wake(at: next)) }
    }

    /// What to commit so that a restart continues here.
    public var state: CaptureState {
        var state = CaptureState(
            anchor: anchor, odometerMM: odometerMM, motion: motion.state, motionSince: motion.since,
            stopLatitudeE7: motion.stop?.latitudeE7, stopLongitudeE7: motion.stop?.longitudeE7)
        state.lastReceivedAt = gaps.lastAt
        state.lastReceivedTime = gaps.lastTime
        return state
    }

    private mutating func open(_ saved: CaptureState?, isSameBoot: Bool, _ now: Instant) {
        isOpen = true
        closedAt = nil
        self.isSameBoot = isSameBoot
        anchor = saved?.anchor
        odometerMM = saved?.odometerMM ?? 0
        motion = makeMotion()
        forgetTrack()
        gaps = GapWatch()
        significant = SignificantStop()
        clock = ClockGuard(knowsBoots: config.knowsBoots, newest: isSameBoot ? saved?.anchor?.instant : nil)
        watchdog.heard(at: now)
        oneShot.closeCircuit()
        guard let saved else { return }
        gaps.resume(at: saved.lastReceivedAt, time: saved.lastReceivedTime, isSameBoot: isSameBoot)
        guard isSameBoot else { return }
        wasSeenMoving = anchor?.movement == .moving
        motion.resume(saved.motion, since: saved.motionSince, stop: saved.stop)
        if let anchor { significant.stored(at: anchor.instant, distanceM: nil, isMoving: false) }
    }

    private mutating func close(_ now: Instant) {
        guard isOpen else { return }
        isOpen = false
        closedAt = now
        motion = makeMotion()
        wakes.sleep()
        forgetTrack()
    }

    /// The clock restarted within the session. The stored point stays as an anchor by its UTC; the reference drops it.
    mutating func rebooted(_ actions: inout [CaptureAction]) {
        actions.append(.diagnosed("Reboot Boundary"))
        isSameBoot = false
        if config.pipeline.ruleSet == .reference { anchor = nil }
        forgetTrack()
        lastFix = nil
        gaps.rebooted()
        significant.rebooted()
        clock = ClockGuard(knowsBoots: config.knowsBoots)
        evidence.lost()
    }

    /// Nothing of the way so far is left but the stored point.
    private mutating func forgetTrack() {
        pipeline = AcceptancePipeline(config.pipeline)
        initial = InitialFix()
        turns = TurnDetector(ruleSet: config.pipeline.ruleSet)
        retro = RetroBuffer()
        corners = GeometryCapture()
        follower = FixFollower()
        gate = CadenceGate()
        newestJudged = nil
        fastRun = 0
        (silence, unwantedSilence, wasSeenMoving) = (0, 0, false)
    }

    /// Standing, or so slow that a stop may be beginning: then the interval must not be the long one.
    private var isSlow: Bool { (lastFix?.speedMps ?? 0) < PipelineLimit.vehicular }

    func announce(_ transition: MotionState?, _ actions: inout [CaptureAction]) {
        guard let transition else { return }
        actions.append(.motionChanged(transition))
        if transition == .stationary, config.stopOnStationary { actions.append(.endSession) }
    }

    mutating func retune(_ now: Instant, _ actions: inout [CaptureAction]) {
        if motion.state == .moving { wakes.sleep() }
        let underWay = motion.state == .moving || motion.state == .stopPending || wakes.until != nil
        let wanted = Cadence.choose(
            config, isUnderWay: underWay, isTurning: turns.isBursting(at: now) && motion.state == .moving,
            isFollowed: motion.state == .moving && !isSlow, power: powerTier)
        if wanted != cadence {
            cadence = wanted
            actions.append(.cadenceChanged(wanted))
        }
        if underWay != isAlert {
            isAlert = underWay
            actions.append(.alertnessChanged(isAlert: underWay))
        }
    }
}
