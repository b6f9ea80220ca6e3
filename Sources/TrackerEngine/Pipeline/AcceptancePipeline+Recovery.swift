import TrackerGeo
import TrackerModel

/// Stages 4 and 5: gaps are bridged by evidence, jumps are stopped by the filter (spec capture §8.2).
extension AcceptancePipeline {
    private typealias Limit = PipelineLimit

    /// Stage 4; `nil`: judge on.
    mutating func recovery(_ f: FixFeatures, _ context: PipelineContext) -> PipelineAnswer? {
        if let held = state.recovery {
            let isNear = geometry.distanceM(held.position, f.fix.coordinate) <= Limit.confirm
            if isNear, f.fix.instant.seconds(since: held.instant) <= Limit.hold {
                // The original stays: a chain of poor fixes must not walk the anchor away.
                if f.fix.accuracyM >= config.recoveryTrustM { return skipped(.recoveryHeld, f) }
                state.seed(f.fix)
                state.settle(at: f.fix.coordinate)
                return accepted(.recoveryConfirmed, f.fix, f)
            }
            state.recovery = nil
        }
        let gap = isDevice ? context.receptionGap : state.filter.map { f.fix.instant.seconds(since: $0.instant) } ?? 0
        guard !f.isVetoedThroughout, needsRecovery(f, gap: gap) else { return nil }
        let isFarBehindTheWheel = gap > Limit.gap && f.isVehicular && f.d > Limit.recoveryVehicular
        if f.fix.accuracyM < config.recoveryTrustM, f.d >= Limit.immediate || isFarBehindTheWheel {
            state.seed(f.fix)
            state.settle(at: f.fix.coordinate)
            state.rejects = 0
            return accepted(.recoveryReset, f.fix, f)
        }
        state.seed(f.fix)
        state.recovery = .init(position: f.fix.coordinate, instant: f.fix.instant)
        return skipped(.recoveryHeld, f)
    }

    private func needsRecovery(_ f: FixFeatures, gap: Double) -> Bool {
        guard f.fix.accuracyM < Limit.mediumAccuracy else { return false }
        return (gap > Limit.recovery && f.d > Limit.wakeUp)
            || (gap > Limit.gap && f.isVehicular && f.d > Limit.recoveryVehicular)
            || (gap > Limit.gap && f.d > Limit.wakeUp && f.fix.accuracyM < Limit.highAccuracy)
    }

    /// Stage 3 against a wedge the specification leaves open: a tracker that was flown, or whose stored point is the wrong
    /// one, must not wait hours until the average speed is credible. Three fixes that could follow each other, over 30 s
    /// and trusted, are the new truth; fewer are an outlier.
    mutating func displaced(_ f: FixFeatures) -> PipelineAnswer? {
        guard isDevice, f.fix.accuracyM < config.recoveryTrustM else { return nil }
        let now = f.fix.instant
        guard var run = state.displaced, isCredible(from: run, to: f.fix) else {
            state.displaced = .init(position: f.fix.coordinate, since: now, instant: now, count: 1)
            return nil
        }
        run.position = f.fix.coordinate
        run.instant = now
        run.count += 1
        state.displaced = run
        guard run.count >= Limit.displacedCount, now.seconds(since: run.since) >= Limit.displacedSpan else {
            return nil
        }
        state.displaced = nil
        state.seed(f.fix)
        state.settle(at: f.fix.coordinate)
        state.rejects = 0
        return accepted(.recoveryReset, f.fix, f)
    }

    private func isCredible(from run: PipelineState.DisplacedRun, to fix: TrackFix) -> Bool {
        let seconds = fix.instant.seconds(since: run.instant)
        return seconds > 0 && geometry.distanceM(run.position, fix.coordinate) / seconds * 3.6 <= Limit.sanityKmh
    }

    /// Where the fix lies in the gate; `nil` without a filter.
    func readGate(_ f: FixFeatures) -> GateReading? {
        guard let filter = state.filter else { return nil }
        let predicted = filter.predicted(to: f.fix.instant, q: f.q, geometry)
        let offset = min(
            geometry.distanceM(filter.position, f.fix.coordinate),
            geometry.distanceM(predicted.position, f.fix.coordinate))
        let most = f.isVehicular ? 2_500.0 : f.isMoving ? 800.0 : 400.0 + 200.0 * Double(state.rejects)
        let wanted = 3 * predicted.sigmaM + 1.5 * f.fix.accuracyM + 200 + 1.2 * f.speed * f.dt
        return GateReading(sigmaM: predicted.sigmaM, offsetM: offset, thresholdM: min(most, max(50, wanted)))
    }

    /// Stage 5; `nil`: inside the gate.
    mutating func gate(_ f: FixFeatures, _ reading: GateReading) -> PipelineAnswer? {
        guard reading.offsetM > reading.thresholdM || contradictsVelocity(f) else { return nil }
        state.rejects += 1
        if state.rejects < rejectLimit(f) { return rejected(.sigmaGateOutlier, f) }
        if f.fix.accuracyM > Limit.vehicularAccuracy { return rejected(.sigmaJunkFail, f) }
        state.seed(f.fix)
        state.rejects = 0
        return f.d > Limit.minimumMove ? accepted(.sigmaForcedReset, f.fix, f) : rejected(.sigmaForcedReset, f)
    }

    /// Does a fix contradict the measured velocities at both ends of its step? Between two known velocities nothing gets
    /// farther from their mean than `a·t²/4` with an acceleration of `a`, in whatever direction. (The filter's velocity will
    /// not do: it begins at nothing, and follows late where the receiver does not tell how well it measures.)
    ///
    /// The threshold above cannot see this: it grows with the effective speed, which a spike makes itself. What the
    /// specification proposes instead, a bound on the normalised innovation, rejects every corner; the numbers are in
    /// docs/notes/09-pipeline-candidates.md.
    private func contradictsVelocity(_ f: FixFeatures) -> Bool {
        guard isDevice, config.velocityGate, !f.hasGap, let before = state.measured,
            let now = PipelineState.MeasuredVelocity(f.fix)
        else { return false }
        let seconds = now.instant.seconds(since: before.instant)
        guard seconds > 0 else { return false }
        let step = LocalFrame(origin: before.position).offset(of: now.position)
        let east = step.east - (before.east + now.east) / 2 * seconds
        let north = step.north - (before.north + now.north) / 2 * seconds
        let allowed = Limit.hardestAcceleration / 4 * seconds * seconds
        let noise = 2 * (before.accuracyM * before.accuracyM + now.accuracyM * now.accuracyM).squareRoot()
        return (east * east + north * north).squareRoot() > allowed + noise + Limit.velocitySlack
    }

    private func rejectLimit(_ f: FixFeatures) -> Int {
        if f.hasGap { return 2 }
        if f.isStill, f.speed < Limit.virtuallyStopped { return 4 }
        return f.isVehicular ? 2 : 3
    }
}
