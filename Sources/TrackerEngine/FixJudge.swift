import TrackerGeo
import TrackerModel

/// Decides what became of an admitted fix: plausible at all, and did it really move since the last stored point.
///
/// The questions and their constants are those of spec capture §8.1 and §8.2 stages 2 and 6; the stages that need the
/// filter's covariance stand behind the same call later.
struct FixJudge {
    /// Spec capture §8.5, in metres, seconds and m/s.
    private enum Limit {
        static let stillSpeed = 0.3
        static let walkSpeed = 0.6
        static let virtuallyStopped = 2.0
        static let vehicularSpeed = 3.0
        static let groundTrust = 1.5
        static let groundDerate = 0.85
        static let minimumMove = 10.0
        static let wobble = 40.0
        static let wobbleWithoutSpeed = 80.0
        static let movingMinimumSeconds = 50.0
        static let stationaryAccuracy = 40.0
        static let mediumAccuracy = 70.0
        static let vehicularAccuracy = 85.0
        static let arrivalSpeed = 0.5
        static let legSpeed = 45.0
        static let legSlack = 200.0
        /// Recovery trust of the balanced profile: who may be the first point (§8.2, Δ14).
        static let initialAccuracy = 25.0
        static let initialBudgetMillis: Int64 = 30_000
    }

    struct Answer {
        var verdict: Verdict
        var reason: DecisionReason
        var distanceM: Double?
        var effectiveSpeedMps: Double = 0
        var isMoving = false
        /// The fix to store, when it is not the one that was judged (the best of the initial wait).
        var substitute: TrackFix?
    }

    var plausibility = PlausibilityFilter()
    private var initialBest: TrackFix?
    private var initialSince: Instant?

    /// - Parameters:
    ///   - past: the last stored point; `nil` for the first of a session.
    ///   - elapsedSeconds: from the stored point to this fix.
    ///   - wasStill: the accelerometer has covered that whole interval and was still.
    mutating func judge(
        _ fix: TrackFix, past: CaptureState.Anchor?, elapsedSeconds: Double, wasStill: Bool
    ) -> (answer: Answer, wasReset: Bool) {
        let plausible = plausibility.judge(fix)
        if plausible == .implausible {
            let distance = past.map { Geodesic.distanceM($0.coordinate, fix.coordinate) }
            return (Answer(verdict: .reject, reason: .impossibleSpeed, distanceM: distance), false)
        }
        let answer = past.map { moved(fix, from: $0, elapsedSeconds, wasStill: wasStill) } ?? first(fix)
        return (answer, plausible == .plausibleAfterReset)
    }

    /// The first point of a session: accurate, or the best of 30 s.
    private mutating func first(_ fix: TrackFix) -> Answer {
        let since = initialSince ?? fix.instant
        initialSince = since
        if initialBest.map({ fix.accuracyM < $0.accuracyM }) ?? true { initialBest = fix }
        let settled = fix.instant.millis(since: since) >= Limit.initialBudgetMillis
        guard fix.accuracyM <= Limit.initialAccuracy || settled else {
            return Answer(verdict: .skip, reason: .initHeld)
        }
        defer {
            initialBest = nil
            initialSince = nil
        }
        let best = initialBest ?? fix
        return Answer(
            verdict: .accept, reason: .initial, effectiveSpeedMps: best.speedMps ?? 0,
            isMoving: (best.speedMps ?? 0) >= Limit.vehicularSpeed, substitute: best)
    }

    private func moved(
        _ fix: TrackFix, from past: CaptureState.Anchor, _ seconds: Double, wasStill: Bool
    ) -> Answer {
        let d = Geodesic.distanceM(past.coordinate, fix.coordinate)
        let measured = fix.speedMps != nil
        let hardware = fix.speedMps ?? 0
        let isStill = hardware < Limit.stillSpeed
        let ground = seconds >= 1 ? d / seconds : 0
        let unexplained = seconds >= 1 ? max(0, d - fix.accuracyM - past.accuracyM) / seconds : 0
        let speed = effectiveSpeed(hardware, ground: ground, unexplained: unexplained, distance: d)

        let veto = wasStill && isStill
        let vehicular = speed > Limit.vehicularSpeed && !veto
        let wobble = measured ? Limit.wobble : Limit.wobbleWithoutSpeed
        let walking = measured && hardware >= Limit.walkSpeed && ground >= Limit.walkSpeed
        let moving =
            !veto
            && ((speed > Limit.walkSpeed && (speed >= Limit.virtuallyStopped || d > wobble))
                || (d > Limit.wobble && !isStill && ground > Limit.stillSpeed) || walking)

        func answer(_ verdict: Verdict, _ reason: DecisionReason) -> Answer {
            Answer(
                verdict: verdict, reason: reason, distanceM: d, effectiveSpeedMps: speed,
                isMoving: isUnderWay(fix, moving: moving || vehicular))
        }
        if vehicular, fix.accuracyM < Limit.vehicularAccuracy, d < Limit.legSpeed * seconds + Limit.legSlack {
            return answer(.accept, .vehicular)
        }
        if moving, fix.accuracyM < (isStill ? Limit.stationaryAccuracy : Limit.mediumAccuracy),
            d > Limit.minimumMove || seconds > Limit.movingMinimumSeconds
        {
            return answer(.accept, .movingWalking)
        }
        if !moving, !vehicular, past.movement == .moving, past.speedMps > Limit.arrivalSpeed,
            hardware < Limit.arrivalSpeed, fix.accuracyM < Limit.stationaryAccuracy, d < Limit.wobble
        {
            return answer(.accept, .arrival)
        }
        return answer(.reject, .heuristicGate)
    }

    /// Spec capture §8.1 `eff`, device rules: Doppler and displacement correct each other.
    private func effectiveSpeed(_ hardware: Double, ground: Double, unexplained: Double, distance: Double) -> Double {
        if hardware < Limit.stillSpeed {
            return max(hardware, unexplained > Limit.groundTrust ? Limit.groundDerate * unexplained : unexplained)
        }
        if hardware > Limit.vehicularSpeed, ground < Limit.walkSpeed, distance < Limit.wobble { return ground }
        return max(hardware, ground)
    }

    /// Spec capture §10.1.
    private func isUnderWay(_ fix: TrackFix, moving: Bool) -> Bool {
        if let speed = fix.speedMps, speed < 5 { return speed >= Limit.arrivalSpeed }
        return moving
    }
}
