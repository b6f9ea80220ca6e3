import GNSSCodecs
import TrackerModel

/// Going through the plan, one request at a time.
extension ReceiverCareMachine {
    /// What the speed command needs to leave our UART and be obeyed: 28 bytes at 4 800 bit/s take 60 ms.
    private static let speedMillis: Int64 = 200
    /// Requests without any answer after which the receiver counts as deaf.
    private static let deafRequests = 2

    var request: ReceiverRequest? {
        guard let plan, step < plan.requests.count else { return extra }
        return plan.requests[step]
    }

    /// Asks for what is wanted beyond the plan and not so yet, where it can.
    mutating func adjust(at now: Instant, into actions: inout [Action]) {
        let request = ReceiverRequest.cyclic(wantsCyclic)
        guard plan != nil, wantsCyclic != isCyclic, !refusesCyclic, request.exists(in: dialect) else { return }
        extra = request
        send(tries: 1, at: now, into: &actions)
    }

    mutating func configure(at now: Instant, into actions: inout [Action]) {
        (step, failed, hasAnswered, isStale) = (0, [], false, false)
        configuredAt = now
        guard let identity, let spoken = ReceiverDialect(identity) else {
            plan = nil
            return finish(.refused("a receiver of a family without known commands"), at: now, into: &actions)
        }
        dialect = spoken
        // It may have forgotten, and is told again when the plan is done.
        if wantsCyclic { isCyclic = false }
        plan = ReceiverPlan(
            identity, dialect, rateHz: wishes.rateHz, baud: baud, mayChangeSpeed: wishes.mayChangeSpeed)
        if let plan, plan.rateHz < wishes.rateHz {
            failed.append("\(wishes.rateHz) Hz (\(baud) bit/s carry \(plan.rateHz) Hz)")
        }
        send(tries: 1, at: now, into: &actions)
    }

    mutating func send(tries: Int, at now: Instant, into actions: inout [Action]) {
        guard let request else { return finish(at: now, into: &actions) }
        actions.append(.send(request, dialect))
        if case .port = request {
            state = .changingSpeed(tries: tries, at: now.advanced(byMillis: Self.speedMillis))
        } else {
            state = .configuring(tries: tries, until: now.advanced(byMillis: Self.answerMillis))
        }
    }

    mutating func replied(_ reply: ReceiverReply, at now: Instant, into actions: inout [Action]) {
        guard case .configuring = state, let request, let isAccepted = request.verdict(of: reply, in: dialect) else {
            return
        }
        hasAnswered = true
        if isAccepted {
            if case .cyclic(let isOn) = request {
                isCyclic = isOn
                actions.append(.cyclicChanged)
            }
            return next(at: now, into: &actions)
        }
        if let identity, let other = dialect.fallback(for: identity) {
            dialect = other
            return send(tries: 1, at: now, into: &actions)
        }
        stepFailed(at: now, into: &actions)
    }

    /// Frames came at some speed after one was ordered.
    mutating func speedProven(tries: Int, at now: Instant, into actions: inout [Action]) {
        guard case .port(let wanted) = request else { return state = .watching }
        if baud == wanted {
            next(at: now, into: &actions)
        } else if tries < Self.tries {
            send(tries: tries + 1, at: now, into: &actions)
        } else if let identity {
            // The rate must fit the speed that there is.
            failed.append(ReceiverRequest.port(baud: wanted).name)
            plan = ReceiverPlan(identity, dialect, rateHz: wishes.rateHz, baud: baud, mayChangeSpeed: false)
            step = 0
            send(tries: 1, at: now, into: &actions)
        }
    }

    private mutating func next(at now: Instant, into actions: inout [Action]) {
        if let plan, step < plan.requests.count { step += 1 } else { extra = nil }
        send(tries: 1, at: now, into: &actions)
    }

    mutating func stepFailed(at now: Instant, into actions: inout [Action]) {
        if let request { failed.append(request.name) }
        if case .cyclic = request { refusesCyclic = true }
        if !hasAnswered, failed.count >= Self.deafRequests {
            return finish(.refused("the receiver answers no command"), at: now, into: &actions)
        }
        next(at: now, into: &actions)
    }

    private mutating func finish(at now: Instant, into actions: inout [Action]) {
        finish(failed.isEmpty ? .done : .partly(failed), at: now, into: &actions)
    }

    private mutating func finish(_ result: Outcome, at now: Instant, into actions: inout [Action]) {
        let isNews = outcome != result
        outcome = result
        state = .watching
        configuredAt = now
        watch.start(plan)
        if let reason, plan != nil { actions.append(.diagnose("receiver_reconfigured: \(reason)")) }
        reason = nil
        if isNews, case .partly(let names) = result {
            actions.append(.diagnose("receiver_partly_configured: \(names.joined(separator: ", "))"))
        }
        if isStale { forgot("it restarted", at: now) } else { adjust(at: now, into: &actions) }
    }

    /// For `status`.
    var configured: String {
        guard wishes.configure else { return "no: gnss.configure is false" }
        switch outcome {
        case .open: return "no: not asked yet"
        case .done: return "yes"
        case .partly(let names): return "partly: without \(names.joined(separator: ", "))"
        case .refused(let why): return "no: \(why); it runs on what the receiver sends"
        }
    }
}
