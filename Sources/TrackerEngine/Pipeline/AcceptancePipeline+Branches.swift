import TrackerGeo
import TrackerModel

/// Stages 6 and 7: which kind of movement or stop it is, and whether a departure is proven (spec capture §8.2 to §8.4).
extension AcceptancePipeline {
    private typealias Limit = PipelineLimit

    mutating func branch(_ f: FixFeatures, _ flags: DecisionFlags) -> PipelineAnswer {
        var reason: DecisionReason?
        if f.isVehicular {
            reason = isAcceptableVehicular(f) ? .vehicular : nil
        } else if f.isMoving {
            reason = isAcceptableWalk(f) ? .movingWalking : nil
        } else {
            reason = stillReason(f)
        }
        if reason == .stationaryRecovery, isDevice, let held = confirmStationary(f) { return held }
        if reason == nil, isTurnCapture(f) { reason = .bearingChange }
        guard let reason else {
            if isDevice, f.fix.speedMps != nil, f.isStill { state.filter = state.filter?.standing() }
            return rejected(.heuristicGate, f, flags)
        }

        let isTurning = isTurning(f)
        let r = noise(f)
        let q = isTurning ? max(f.q, Limit.turningQ) : f.q
        if isTurning, isDevice, isBehindCorner(f, q: q) { state.seed(f.fix) }
        if f.isVehicular || f.isMoving, !f.isArrivalTransition, !state.isLatched {
            if f.isUnderWay {
                state.isLatched = true
                state.settle = 0
            } else if let held = departure(f) {
                update(f, r: r, q: q)
                return skipped(held, f)
            }
        }
        var answer = route(reason, f, r: r, q: q)
        answer.flags.formUnion(flags)
        if isTurning { answer.flags.insert(.turning) }
        return answer
    }

    /// Stage 7-B.
    private mutating func route(_ reason: DecisionReason, _ f: FixFeatures, r: Double, q: Double) -> PipelineAnswer {
        switch reason {
        case .heartbeat:
            update(f, r: r, q: q)
            state.heartbeatAt = f.fix.instant
            return config.persistHeartbeat ? accepted(.heartbeat, f.fix, f) : skipped(.heartbeatSkipped, f)
        case .stationaryRecovery: state.seed(f.fix)
        case .walkArrival:
            update(f, r: r, q: q)
            state.settle(at: f.fix.coordinate)
        default:
            update(f, r: r, q: q)
            if f.isArrivalTransition { state.settle(at: f.fix.coordinate) }
        }
        if f.fix.speedMps != nil || f.fix.courseDeg != nil, f.speed >= Limit.vehicular {
            state.hardwareVehicularAt = f.fix.instant
        }
        state.rejects = 0
        return accepted(reason, f.fix, f)
    }

    private mutating func update(_ f: FixFeatures, r: Double, q: Double) {
        guard let filter = state.filter else { return state.seed(f.fix) }
        let updated = filter.updated(with: f.fix, r: r, q: q, geometry)
        state.filter = isDevice ? updated.corrected(byDopplerOf: f.fix) : updated
    }

    private func isAcceptableVehicular(_ f: FixFeatures) -> Bool {
        let limit: Double
        if f.hasGap {
            limit = Limit.vehicularAccuracy
        } else if f.fix.looksLikeNetworkFix {
            limit = Limit.mediumAccuracy
        } else {
            limit = f.hardware < Limit.virtuallyStopped ? Limit.slowVehicularAccuracy : Limit.vehicularAccuracy
        }
        return f.fix.accuracyM < limit && f.d < Limit.legSpeed * f.dt + Limit.legSlack
    }

    private func isAcceptableWalk(_ f: FixFeatures) -> Bool {
        let limit =
            f.isArrivalTransition || !f.isStill ? Limit.mediumAccuracy : Limit.highAccuracy
        return f.fix.accuracyM < limit && (f.d > f.minimumMoveM || f.dt > Limit.movingMinimum)
    }

    private func stillReason(_ f: FixFeatures) -> DecisionReason? {
        let accuracy = f.fix.accuracyM
        let mayArrive = !isDevice || (f.past.movement == .moving && !state.hasArrived)
        if f.past.speedMps > Limit.arrival, f.hardware < Limit.arrival, accuracy < Limit.highAccuracy,
            f.d < Limit.wobble, mayArrive
        {
            return .arrival
        }
        let isElsewhere =
            (f.d > Limit.recoveryStill && accuracy < Limit.highAccuracy)
            || (f.d > Limit.recoveryLarge && accuracy < Limit.largeRecoveryAccuracy)
            || (f.hasGap && f.d > Limit.wakeUp && accuracy < config.recoveryTrustM)
        if isElsewhere, !f.isVetoedThroughout { return .stationaryRecovery }
        if f.isArrivalTransition, accuracy < Limit.mediumAccuracy, f.d > Limit.wobble { return .blackoutArrival }
        if state.departCount >= 1, accuracy < Limit.highAccuracy, f.speed < Limit.walk,
            let origin = state.origin, geometry.distanceM(origin, f.fix.coordinate) > Limit.persistenceMinimum
        {
            return .walkArrival
        }
        let sinceStored = f.dt
        let sinceBeat = isDevice ? state.heartbeatAt.map { f.fix.instant.seconds(since: $0) } : nil
        if min(sinceStored, sinceBeat ?? .infinity) > config.heartbeatSeconds, accuracy < Limit.mediumAccuracy,
            f.d < Limit.wakeUp
        {
            return .heartbeat
        }
        return nil
    }

    /// One spike at rest is no journey: a second fix must agree within 60 m and 300 s (Δ4), or lie farther out by more
    /// than both accuracies: somebody walks on without a measured speed. `nil`: it did.
    private mutating func confirmStationary(_ f: FixFeatures) -> PipelineAnswer? {
        if let held = state.stationary, case let seconds = f.fix.instant.seconds(since: held.instant),
            seconds <= Limit.stationaryConfirm
        {
            let apart = geometry.distanceM(held.position, f.fix.coordinate)
            let isFarther = f.d > geometry.distanceM(f.past.coordinate, held.position) + 2 * f.fix.accuracyM
            if apart <= Limit.confirm
                || (isFarther && seconds >= Limit.countSpacing && apart < Limit.legSpeed * seconds)
            {
                state.stationary = nil
                return nil
            }
        }
        state.stationary = .init(position: f.fix.coordinate, instant: f.fix.instant)
        return skipped(.recoveryHeld, f)
    }

    private func isTurnCapture(_ f: FixFeatures) -> Bool {
        guard config.bearingChangeDeg > 0, let heading = f.heading, let captured = state.capturedHeading else {
            return false
        }
        return f.speed >= Limit.turnCapture && f.d >= Limit.jitter && f.fix.accuracyM < Limit.turnAccuracy && !f.hasVeto
            && abs(Geodesic.wrappedDegrees(heading - captured)) >= config.bearingChangeDeg
    }

    private func isTurning(_ f: FixFeatures) -> Bool {
        guard let filter = state.filter, let heading = f.heading, let before = filter.headingDeg else { return false }
        return f.speed >= Limit.turnFilter && filter.speedMps >= Limit.turnFilter
            && abs(Geodesic.wrappedDegrees(before - heading)) >= Limit.turningDeg
    }

    /// A corner whose fix the old state cannot explain (99 % of the innovation, 2 degrees of freedom): what was known of
    /// the place is worthless, and the receiver says what the new velocity is.
    private func isBehindCorner(_ f: FixFeatures, q: Double) -> Bool {
        guard f.fix.measuresVelocity, let predicted = state.filter?.predicted(to: f.fix.instant, q: f.q, geometry)
        else {
            return false
        }
        let off = geometry.distanceM(predicted.position, f.fix.coordinate)
        return off * off > Limit.innovation99 * (predicted.p + f.fix.accuracyM * f.fix.accuracyM)
    }

    /// Measurement noise (§8.3): the reported accuracy, widened where the fix does not fit what is known.
    private func noise(_ f: FixFeatures) -> Double {
        var r = f.fix.accuracyM
        if r > Limit.badAccuracy { r *= f.isHighway ? 3 : 2.5 }
        guard let offset = gateReading?.offsetM else { return r }
        let tolerance: Double
        if f.isHighway {
            tolerance = max(25, 1.3 * f.speed * f.dt)
        } else {
            tolerance = f.isVehicular ? max(60, 1.3 * f.speed * f.dt) : 50
        }
        if offset > tolerance, !f.hasGap {
            r *= f.isHighway ? min(15, max(1, offset / 15)) : min(8, max(1, offset / 30))
        }
        if f.speed < Limit.virtuallyStopped,
            (f.isStill && f.d > Limit.minimumMove) || (!f.hasGap && f.d > Limit.jitter)
        {
            r *= min(100, max(1, f.d / 5))
        }
        return r
    }

    /// A departure counts when the distance from the settled place keeps growing (§8.4). `nil`: proven, latch.
    private mutating func departure(_ f: FixFeatures) -> DecisionReason? {
        guard let origin = state.origin else {
            state.origin = f.fix.coordinate
            return .originSet
        }
        let now = f.fix.instant
        let net = geometry.distanceM(origin, f.fix.coordinate)
        netM = net
        guard net > state.highWaterM + Limit.persistenceAdvance else {
            let since = state.highWaterAt ?? now
            if state.highWaterAt == nil { state.highWaterAt = now }
            if isDevice, now.seconds(since: since) < Limit.stall { return .departureHeld }
            state.origin = f.fix.coordinate
            state.highWaterM = 0
            state.highWaterAt = now
            state.departCount = 0
            state.countedAt = nil
            return .driftSuppressed
        }
        state.highWaterM = net
        state.highWaterAt = now
        guard net > Limit.persistenceMinimum else { return .departureHeld }
        let isSpaced = state.countedAt.map { now.seconds(since: $0) >= Limit.countSpacing } ?? true
        if !isDevice || isSpaced {
            state.departCount += 1
            state.countedAt = now
        }
        guard net > Limit.persistenceSure || state.departCount >= Limit.persistenceCount else { return .departureHeld }
        state.isLatched = true
        state.settle = 0
        return nil
    }
}
