import TrackerModel

/// Bringing up: what is asked when, and what the answers mean.
extension ModemMachine {
    mutating func begin(_ now: Instant) {
        closePort()
        enter(knownStage, now)
        nextPoll = now
        read(owned, now)
    }

    /// Where it is as far as is known before it is asked.
    var knownStage: ModemReport.Stage {
        if isRouteUp { return .up }
        return config.isOwned ? owned?.stage ?? .starting : isGreeted ? .registering : .starting
    }

    mutating func enter(_ stage: ModemReport.Stage, _ now: Instant) {
        report.stage = stage
        report.since = now
        report.fault = nil
        let limitMillis: Int64? =
            switch stage {
            case .off, .up: nil
            case .starting: config.powerLimitMillis
            case .sim: config.simLimitMillis
            case .registering: config.registrationLimitMillis
            case .routing: config.routeLimitMillis
            }
        limit = limitMillis.map(now.advanced(byMillis:)) ?? .never
    }

    /// The stage took longer than it may: it has a name now, and is waited for on.
    mutating func overdue(_ now: Instant) {
        limit = .never
        report.fault = stageFault
        trouble(now)
    }

    /// What the stage is overdue for.
    var stageFault: ModemReport.Fault? {
        switch report.stage {
        case .starting where config.isOwned: owned?.startingFault ?? .noModem
        case .starting: isPortOpen ? .silent : .noPort
        case .sim: report.sim == .locked ? .simLocked : .simAbsent
        case .registering: report.registration == .denied ? .denied : .notRegistered
        case .routing: .noRoute
        case .off, .up: nil
        }
    }

    mutating func poll(_ now: Instant) {
        guard !config.isOwned else { return nextPoll = .never }
        let interval =
            report.stage == .up
            ? Self.quietPollMillis : report.fault == nil ? Self.eagerPollMillis : Self.patientPollMillis
        nextPoll = now.advanced(byMillis: interval)
        guard isPortOpen else { return actions.append(.openPort) }
        guard isGreeted else { return ask(.attention, now) }
        switch report.stage {
        case .off: break
        case .starting, .sim: ask(.simState, now)
        case .registering: ask(asksRegistrationOf, now)
        case .routing, .up:
            askedSignal.toggle()
            ask(askedSignal ? .signal : report.network == nil ? .networkName : asksRegistrationOf, now)
        }
    }

    mutating func ask(_ command: ATCommand, _ now: Instant) {
        actions.append(.write(dialogue.send(command, at: now)))
    }

    mutating func hear(_ command: ATCommand, _ reply: ATReply, _ now: Instant) {
        if reply == .silence { countSilence(now) } else { silences = 0 }
        switch command {
        case .attention: if reply != .silence { ask(.echoOff, now) }
        // A modem that refuses either serves as it is.
        case .echoOff: if reply != .silence { ask(.numberedErrors, now) }
        case .numberedErrors:
            guard reply != .silence else { return }
            isGreeted = true
            if report.stage == .starting { enter(.sim, now) }
            nextPoll = now
        case .simState: hearSIM(SIMState(reply), now)
        case .epsRegistration, .packetRegistration: hearRegistration(command, reply, now)
        case .signal: if case .ok(let text?) = reply { report.quality = SignalQuality.percent(text) }
        case .networkName: if case .ok(let text?) = reply { report.network = NetworkName.name(text) }
        case .detach: ask(.attach, now)
        case .attach: nextPoll = now
        case .reset: resetDone(now)
        }
    }

    private mutating func hearSIM(_ state: SIMState, _ now: Instant) {
        report.sim = state
        guard report.stage == .sim else { return }
        switch state {
        case .ready:
            enter(.registering, now)
            nextPoll = now
        // Waiting unlocks no SIM.
        case .locked: if report.fault == nil { overdue(now) }
        // A SIM that is starting up is reported absent by some modems; the limit decides.
        case .absent, .busy: break
        }
    }

    private mutating func hearRegistration(_ command: ATCommand, _ reply: ATReply, _ now: Instant) {
        switch reply {
        case .refused where command == .epsRegistration:
            // A modem that knows no LTE.
            asksRegistrationOf = .packetRegistration
            nextPoll = now
        case .ok(let text?):
            guard let registration = Registration(text) else { return }
            report.registration = registration
            if report.stage == .registering, registration.isRegistered {
                enter(.routing, now)
                nextPoll = now
            } else if report.stage == .routing, !registration.isRegistered {
                enter(.registering, now)
            }
        case .ok, .refused, .silence: break
        }
    }

    /// It starts anew whatever it said: the port of a USB modem goes away, a serial one falls silent.
    private mutating func resetDone(_ now: Instant) {
        isGreeted = false
        report.sim = nil
        report.registration = nil
        report.quality = nil
        nextPoll = now.advanced(byMillis: Self.eagerPollMillis)
    }
}
