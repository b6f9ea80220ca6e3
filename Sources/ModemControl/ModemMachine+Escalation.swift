import TrackerModel

/// Mending a lost link: one rung after the other until it is back.
extension ModemMachine {
    /// Trouble that is known already runs on.
    mutating func trouble(_ now: Instant) {
        guard nextRung == .never else { return }
        nextRung = now.advanced(byMillis: config.rungMillis[0])
    }

    mutating func calm() {
        nextRung = .never
        rung = 0
        report.remedy = nil
        if report.stage == .up { report.fault = nil }
    }

    mutating func climb(_ now: Instant) {
        let remedy = remedy(at: now)
        rung = min(rung + 1, config.rungMillis.count - 1)
        nextRung = now.advanced(byMillis: config.rungMillis[rung])
        guard !config.isOwned || owned?.canBeAsked(for: remedy) ?? (remedy == .powerCycle) else { return }
        report.remedy = remedy
        actions.append(.escalated(remedy))
        switch remedy {
        case .reconnect: reconnect(now)
        case .reset: reset(now)
        case .powerCycle: powerCycle(now)
        }
    }

    /// The last rung is a reset where power cannot be switched, or was switched often enough today.
    private mutating func remedy(at now: Instant) -> ModemRemedy {
        powerCycledAt.removeAll { now.millis(since: $0) >= Self.dayMillis }
        report.powerCycles = powerCycledAt.count
        switch rung {
        case 0: return .reconnect
        case 1: return .reset
        default:
            return config.hasPowerControl && powerCycledAt.count < config.powerCyclesPerDay ? .powerCycle : .reset
        }
    }

    /// Leaves the packet service and joins it again; the answer to the one sends the other. Without an answering modem
    /// the next rung has to do.
    private mutating func reconnect(_ now: Instant) {
        if config.isOwned { return actions.append(.reconnect) }
        guard isPortOpen, isGreeted else { return }
        if report.stage != .sim { enterUnlessUp(.registering, now) }
        ask(.detach, now)
    }

    private mutating func reset(_ now: Instant) {
        if config.isOwned { return actions.append(.reset) }
        guard isPortOpen else { return }
        enterUnlessUp(.starting, now)
        isGreeted = false
        ask(.reset, now)
    }

    private mutating func powerCycle(_ now: Instant) {
        powerCycledAt.append(now)
        report.powerCycles = powerCycledAt.count
        if isPortOpen { actions.append(.closePort) }
        closePort()
        actions.append(.powerCycle)
        enterUnlessUp(knownStage, now)
        read(owned, now)
        nextPoll = now.advanced(byMillis: Self.eagerPollMillis)
    }

    /// While there is a route only silence over it is the trouble, and the stage stays what the route says.
    private mutating func enterUnlessUp(_ stage: ModemReport.Stage, _ now: Instant) {
        if !isRouteUp { enter(stage, now) }
    }
}
