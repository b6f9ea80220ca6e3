import TrackerGeo
import TrackerModel

/// What is derived from a fix and the last stored point (spec capture §8.1), and the vetoes of stage 2.
struct FixFeatures {
    let fix: TrackFix
    let past: CaptureState.Anchor
    /// Since the stored point: seconds, metres, metres per second.
    let dt: Double
    let d: Double
    let ground: Double
    let hardware: Double
    let isStill: Bool
    let hasGap: Bool
    let speed: Double
    private(set) var isVehicular: Bool
    private(set) var isMoving: Bool
    let isArrivalTransition: Bool
    let heading: Double?
    let isHardwareVehicular: Bool
    /// No departure has to be proven.
    let isUnderWay: Bool
    let minimumMoveM: Double
    /// Which evidence kept the fix from counting as movement.
    private(set) var flags: DecisionFlags = []

    init(
        _ fix: TrackFix, past: CaptureState.Anchor, elapsed: Double, _ context: PipelineContext, _ geometry: Geometry
    ) {
        typealias Limit = PipelineLimit
        let isDevice = geometry.ruleSet == .device
        self.fix = fix
        self.past = past
        dt = elapsed
        d = geometry.distanceM(past.coordinate, fix.coordinate)
        ground = dt >= 1 ? d / dt : 0
        hardware = fix.speedMps ?? 0
        isStill = hardware < Limit.still
        hasGap = (isDevice ? context.receptionGap : dt) > Limit.gap
        let unexplained = dt >= 1 ? max(0, d - fix.accuracyM - past.accuracyM) / dt : 0
        speed = Self.effectiveSpeed(
            hardware, ground: ground, unexplained: isDevice ? unexplained : nil, distance: d, isStill: isStill)
        isVehicular = speed > Limit.vehicular
        let wobble = isStill && fix.speedMps == nil ? Limit.wobbleWithoutSpeed : Limit.wobble
        let isWalkConfirmed =
            context.isSpeedProven
            ? hardware >= Limit.still : fix.speedMps != nil && hardware >= Limit.walk && ground >= Limit.walk
        isMoving =
            (speed > Limit.walk && (speed >= Limit.virtuallyStopped || d > wobble))
            || (d > Limit.wobble && !isStill
                && (isDevice && hardware < Limit.walk ? unexplained : ground) > Limit.still)
            || isWalkConfirmed
        isArrivalTransition =
            hasGap && isStill && past.speedMps >= Limit.blackoutPast && dt > 0 && Limit.blackoutRange.contains(d / dt)
        heading = fix.courseDeg ?? (d >= Limit.jitter ? Geodesic.bearingDeg(past.coordinate, fix.coordinate) : nil)
        isHardwareVehicular = fix.speedMps != nil && hardware >= Limit.vehicular
        minimumMoveM = context.minimumMoveM
        isUnderWay = isHardwareVehicular || (context.isSpeedProven && hardware >= Limit.still)
        weigh(context, isDevice: isDevice)
        if isStill { flags.insert(.hwStill) }
        if isHardwareVehicular { flags.insert(.hwVehicular) }
        if hasGap { flags.insert(.gap) }
        // A speed that the smoother found is none of the receiver's.
        if fix.speedMps != nil, !context.isSpeedProven { flags.insert(.hasSpeed) }
        if isMoving { flags.insert(.moving) }
        if isVehicular { flags.insert(.vehicular) }
    }

    var isHighway: Bool { isVehicular && speed * 3.6 > PipelineLimit.highwayKmh }
    /// The accelerometer contradicts movement for the whole interval.
    var isVetoedThroughout: Bool { flags.contains(.stillVeto) }
    var hasVeto: Bool { !flags.isDisjoint(with: [.stepVeto, .accelVeto, .stillVeto]) }

    /// Acceleration density of the filter (spec capture §7).
    var q: Double {
        if isHighway { return 0.25 }
        if isVehicular { return 0.6 }
        if isStill { return 0.02 }
        if isMoving { return fix.accuracyM > PipelineLimit.splitAccuracy ? 0.2 : 0.45 }
        return 0.3
    }

    /// Spec capture §10.1.
    var movement: MovementStatus {
        if let speed = fix.speedMps, speed < 5 { return speed < PipelineLimit.arrival ? .steady : .moving }
        return isMoving || isVehicular ? .moving : .steady
    }

    private static func effectiveSpeed(
        _ hardware: Double, ground: Double, unexplained: Double?, distance: Double, isStill: Bool
    ) -> Double {
        typealias Limit = PipelineLimit
        // Without Doppler the displacement must speak, less what the accuracies explain (Δ6). Nor does a measured speed
        // below walking prove one: receivers in bad places show such speeds while they lie still.
        if isStill || (unexplained != nil && hardware < Limit.walk) {
            let evidence = unexplained ?? ground
            if evidence > Limit.groundTrust { return max(hardware, Limit.groundDerate * evidence) }
            if let unexplained { return max(hardware, unexplained) }
        }
        // Doppler without displacement is a phantom.
        if hardware > Limit.vehicular, ground < Limit.walk, distance < Limit.wobble { return ground }
        return max(hardware, ground)
    }

    /// Stages 2a to 2c: steps, accelerometer, lift.
    private mutating func weigh(_ context: PipelineContext, isDevice: Bool) {
        typealias Limit = PipelineLimit
        if let vertical = context.verticalSpeedMps, abs(vertical) >= Limit.lift {
            flags.insert(.liftSuppressed)
        } else if let steps = context.steps {
            if isStill, Limit.stepWindow.contains(d) {
                if steps == 0 {
                    isMoving = false
                    flags.insert(.stepVeto)
                } else if steps >= Limit.stepCount, d > Limit.jitter {
                    isMoving = true
                }
            }
        } else if let metric = context.stillMetricG, isStill, metric < 0.02 {
            isMoving = false
            flags.insert(.accelVeto)
        }
        if isDevice, context.wasStill, isStill {
            isMoving = false
            isVehicular = false
            flags.insert(.stillVeto)
        }
    }
}
