import TrackerGeo
import TrackerModel

/// What became of a fix, and the numbers of the stage that decided.
struct PipelineAnswer: Equatable {
    var verdict: Verdict
    var reason: DecisionReason
    var distanceM: Double?
    var speedMps = 0.0
    var movement = MovementStatus.steady
    /// Seconds since the stored point, and without a received fix just before this one.
    var elapsed: Double?
    var silence: Double?
    /// Of the gate, when the fix came that far.
    var gate: GateReading?
    /// Distance from the last settled place, when a departure was weighed, metres.
    var netM: Double?
    var flags: DecisionFlags = []
}

/// How a fix fits what the filter predicts (spec capture §8.2, stage 5).
struct GateReading: Equatable {
    /// σ of the predicted position, metres.
    var sigmaM: Double
    /// To the predicted or the last corrected position, whichever is nearer, metres.
    var offsetM: Double
    /// The most that the gate allows, metres.
    var thresholdM: Double
}

/// The staged acceptance pipeline (spec capture §8): fix, last stored point, state and context in; verdict and new state
/// out. The order of the stages is fixed; the first that decides ends it. The state is always replaced, also on reject.
struct AcceptancePipeline {
    let config: PipelineConfig
    let geometry: Geometry
    var state = PipelineState()
    /// Of the fix that is being judged, for its answer.
    var gateReading: GateReading?
    var netM: Double?

    init(_ config: PipelineConfig) {
        self.config = config
        geometry = Geometry(ruleSet: config.ruleSet)
    }

    private typealias Limit = PipelineLimit
    var isDevice: Bool { config.ruleSet == .device }

    /// - Parameters:
    ///   - past: the last stored point; `nil` for the first of a session.
    ///   - elapsed: seconds from it to this fix.
    mutating func judge(
        _ fix: TrackFix, past: CaptureState.Anchor?, elapsed: Double, _ context: PipelineContext
    ) -> PipelineAnswer {
        gateReading = nil
        netM = nil
        if let last = state.lastAccept, case let since = fix.instant.seconds(since: last), since >= 0,
            since < Limit.burst
        {
            // The reference takes what it did not look at for a standstill (Δ5).
            if !isDevice { settle(fix, distance: 0, hardware: 0) }
            return PipelineAnswer(verdict: .reject, reason: .burst)
        }
        guard let past else {
            state.seed(fix)
            state.settle(at: fix.coordinate)
            return accepted(.initial, fix, nil)
        }
        resumeFilter(at: past, secondsBefore: elapsed, fix)
        var flags: DecisionFlags = []
        let features = FixFeatures(fix, past: past, elapsed: elapsed, context, geometry)
        let isBypassed = bypassesNetworkRules(features)
        if fix.looksLikeNetworkFix, fix.accuracyM > Limit.networkAccuracy {
            if !isBypassed { return rejected(.nlpFallback, features, isBeforeStage2: true) }
            flags.insert(.nlpBypass)
        }
        if features.dt > 0, features.d / features.dt * 3.6 > Limit.sanityKmh {
            return displaced(features) ?? rejected(.impossibleSpeed, features, flags)
        }
        state.displaced = nil
        if features.isVehicular || features.isMoving, fix.accuracyM > config.maxAccuracyM, !isBypassed {
            return rejected(.poorAccuracy, features, flags)
        }
        if let answer = recovery(features, context) { return answer }
        let reading = readGate(features)
        gateReading = reading
        if let reading, let answer = gate(features, reading) { return answer }
        return branch(features, flags)
    }

    /// A filter that a restart lost starts from the stored point; the fix is then judged by all stages (§6). After a
    /// reboot the point's instant means nothing: it lies as long before the fix as UTC says.
    private mutating func resumeFilter(at past: CaptureState.Anchor, secondsBefore elapsed: Double, _ fix: TrackFix) {
        guard state.filter == nil else { return }
        let accuracy = past.accuracyM > 0 ? past.accuracyM : Limit.resumeAccuracy
        let instant = fix.instant.advanced(byNanos: -Int64(min(elapsed, 1e9) * 1e9))
        state.seed(
            TrackFix(
                time: past.time, instant: instant, receivedAt: instant, coordinate: past.coordinate, accuracyM: accuracy
            ))
        state.settle(at: past.coordinate)
    }

    /// A tunnel: coarse fixes are believed as far as the vehicle could have come; only older facts count (stage 1.5).
    private func bypassesNetworkRules(_ f: FixFeatures) -> Bool {
        guard let seen = state.hardwareVehicularAt, f.fix.instant.seconds(since: seen) < Limit.nlpBypassWindow else {
            return false
        }
        let prior = max(state.filter?.speedMps ?? 0, f.past.speedMps)
        return prior >= Limit.vehicular && f.d <= prior * f.dt * 1.3 + 60
    }

    mutating func accepted(_ reason: DecisionReason, _ fix: TrackFix, _ f: FixFeatures?) -> PipelineAnswer {
        state.lastAccept = fix.instant
        state.measured = PipelineState.MeasuredVelocity(fix)
        if let heading = f?.heading ?? fix.courseDeg { state.capturedHeading = heading }
        state.hasArrived = reason == .arrival || (state.hasArrived && f?.movement != .moving)
        var answer = PipelineAnswer(verdict: .accept, reason: reason)
        answer.speedMps = f?.speed ?? fix.speedMps ?? 0
        answer.movement = f?.movement ?? ((fix.speedMps ?? 0) >= Limit.arrival ? .moving : .steady)
        return filled(answer, f)
    }

    func skipped(_ reason: DecisionReason, _ f: FixFeatures) -> PipelineAnswer {
        filled(PipelineAnswer(verdict: .skip, reason: reason), f)
    }

    /// A reject may end a latched movement (stage 7-C).
    /// - Parameter isBeforeStage2: it says nothing about movement; the reference takes it for a standstill (Δ5).
    mutating func rejected(
        _ reason: DecisionReason, _ f: FixFeatures, _ flags: DecisionFlags = [], isBeforeStage2: Bool = false
    ) -> PipelineAnswer {
        if !isBeforeStage2 {
            settle(f.fix, distance: f.d, hardware: f.hardware)
        } else if !isDevice {
            settle(f.fix, distance: 0, hardware: 0)
        }
        var answer = PipelineAnswer(verdict: .reject, reason: reason)
        answer.flags = flags
        return filled(answer, f)
    }

    /// Two rejects near the last point and without speed end the movement.
    private mutating func settle(_ fix: TrackFix, distance: Double, hardware: Double) {
        guard state.isLatched, distance < Limit.jitter, hardware < Limit.walk else { return }
        state.settle += 1
        guard state.settle >= Limit.settleCount else { return }
        state.isLatched = false
        state.settle = 0
        state.origin = fix.coordinate
    }

    private func filled(_ answer: PipelineAnswer, _ f: FixFeatures?) -> PipelineAnswer {
        guard let f else { return answer }
        var answer = answer
        answer.distanceM = f.d
        answer.speedMps = f.speed
        answer.movement = f.movement
        answer.flags.formUnion(f.flags)
        answer.gate = gateReading
        answer.netM = netM
        if state.isLatched { answer.flags.insert(.latched) }
        return answer
    }
}

extension TrackFix {
    /// Cell and network positions have neither speed nor course; dead reckoning counts as one (spec capture §2.1).
    var looksLikeNetworkFix: Bool {
        (speedMps == nil && courseDeg == nil) || provider == .deadReckoning || provider == .cell
    }

    /// Speed, course and how well the speed is known.
    var measuresVelocity: Bool { speedMps != nil && courseDeg != nil && speedAccuracyMps != nil }
}
