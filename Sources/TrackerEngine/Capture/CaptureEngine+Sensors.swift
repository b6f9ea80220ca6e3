import TrackerModel

/// What the sensors and the operator say about movement (spec capture §11).
extension CaptureEngine {
    /// A still accelerometer speaks with full confidence after this long (spec capture §13.5: still, 100).
    static let stillLabelMillis: Int64 = 10_000

    mutating func read(_ reading: StillnessReading, _ now: Instant, _ actions: inout [CaptureAction]) {
        evidence.take(reading)
        if let since = reading.stillSince, reading.instant.millis(since: since) >= Self.stillLabelMillis,
            isSpeedQuiet(now)
        {
            announce(motion.stillLabelled(at: lastFix?.coordinate, now), &actions)
        }
        if wakes.isTriggered(by: reading), isResting { wake(now, &actions) }
    }

    mutating func motionQualityChanged(_ quality: MotionQuality) {
        motionQuality = quality
        motion.stopTimeoutMillis = stopTimeoutMillis
    }

    /// A machine at its start, with the patience that the sensors call for.
    func makeMotion() -> MotionMachine {
        var machine = MotionMachine(config)
        machine.stopTimeoutMillis = stopTimeoutMillis
        return machine
    }

    private var stopTimeoutMillis: Int64 { config.stopTimeoutMillis * (motionQuality == .degraded ? 2 : 1) }

    mutating func counted(_ reading: StepReading, _ now: Instant, _ actions: inout [CaptureAction]) {
        evidence.take(reading)
        if isResting, config.usesSteps, wakes.hasWalked(reading) { announce(motion.movementProven(now), &actions) }
    }

    /// Labels may only accelerate: they never veto a transition that a fix justifies.
    mutating func labelled(_ label: ActivityLabel, _ now: Instant, _ actions: inout [CaptureAction]) {
        guard config.usesActivity else { return }
        if evidence.take(label) { actions.append(.activityChanged(label)) }
        guard label.confidence >= config.activityConfidenceMin else { return }
        if label.activity == .still {
            guard label.confidence >= config.stillConfidenceMin, isSpeedQuiet(now) else { return }
            announce(motion.stillLabelled(at: lastFix?.coordinate, now), &actions)
        } else if label.activity.isMovement {
            announce(motion.movementLabelled(now), &actions)
            if isResting {
                _ = wakes.wake(now)
                gate.expedite()
            }
        }
    }

    mutating func paceChanged(_ isMoving: Bool, _ now: Instant, _ actions: inout [CaptureAction]) {
        guard isOpen else { return }
        announce(motion.paceChanged(toMoving: isMoving, at: lastFix?.coordinate, now), &actions)
    }

    /// A position may wander away from a device that does not move (E-072).
    mutating func stationaryFenceLeft(_ now: Instant, _ actions: inout [CaptureAction]) {
        guard isOpen, !(config.usesAccelerometerVeto && evidence.isStill(at: now)) else { return }
        announce(motion.stationaryFenceLeft(now), &actions)
    }

    var isResting: Bool { isOpen && (motion.state == .stopped || motion.state == .stationary) }

    /// The second shaking within a minute is movement; the first is worth a look.
    private mutating func wake(_ now: Instant, _ actions: inout [CaptureAction]) {
        if wakes.wake(now) { announce(motion.movementProven(now), &actions) }
        gate.expedite()
    }

    /// No speed is known, or it is below walking: a smooth road must not look like a stop (F-38).
    private func isSpeedQuiet(_ now: Instant) -> Bool {
        guard let fix = lastFix, now.millis(since: fix.instant) <= 5_000, let speed = fix.speedMps else { return true }
        return speed < 0.5
    }
}
