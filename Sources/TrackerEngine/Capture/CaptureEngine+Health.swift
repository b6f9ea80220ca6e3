import TrackerModel

/// One-shots, the receiver's state and the health loop.
extension CaptureEngine {
    mutating func requested(_ request: OneShotRequest, _ now: Instant, _ actions: inout [CaptureAction]) {
        if let refusal = oneShot.take(request, now) {
            return actions.append(.oneShotAnswered(id: request.id, refusal))
        }
        // What arrived a moment ago may do.
        if let lastFix { answer(oneShot.offer(lastFix, now), now, &actions) }
    }

    mutating func answer(
        _ answer: (request: OneShotRequest, result: OneShotResult)?, _ now: Instant, _ actions: inout [CaptureAction]
    ) {
        guard let answer else { return }
        actions.append(.oneShotAnswered(id: answer.request.id, answer.result))
        guard case .fix(let fix) = answer.result, answer.request.feedsTrack, isOpen else { return }
        // Not one that came before the newest judged, nor that one again.
        guard newestJudged.map({ fix.instant > $0 }) ?? true else { return }
        judge(fix, now, &actions)
        gate.offered(at: fix.instant)
    }

    mutating func receiverChanged(_ state: ReceiverState) {
        gaps.receiverChanged(state)
        if state != .silent && state != .off { oneShot.closeCircuit() }
    }

    mutating func receiverPowered(_ isOn: Bool, _ now: Instant) {
        isReceiverOn = isOn
        gaps.receiverPowered(isOn)
        // Its silence counts from when it could speak.
        if isOn { watchdog.heard(at: now) }
    }

    mutating func healthChecked(_ now: Instant, _ actions: inout [CaptureAction]) {
        guard isOpen else { return }
        if isReceiverOn {
            let isMoving = motion.state == .moving || motion.state == .stopPending
            let verdict = watchdog.check(now, isMoving: isMoving, isSaving: powerTier != .normal)
            if case .dead(let silenceMillis, let isRepeated) = verdict {
                if isRepeated { actions.append(.diagnosed("receiver_power_cycle_failed")) }
                actions.append(.restartReceiver(silenceMillis: silenceMillis))
            }
        }
        actions.append(.beat)
    }
}
