import TrackerModel

/// What becomes due, and what follows from it.
extension ReceiverFinder {
    /// The dwell grows to at most eight times its length: 8.8 s.
    private static let widestWidening = 3

    /// When `.timerFired` is due next; `.never` when only an event can change anything.
    var deadline: Instant {
        switch state {
        case .off, .opening, .resting: .never
        case .closed(let retryAt): retryAt
        case .listening(let dwell): min(end(of: dwell), complaintDue)
        case .locked(let watch): min(silenceDue(watch), noiseDue(watch))
        }
    }

    private func end(of dwell: ReceiverDwell) -> Instant {
        let end = dwell.end(widening: widening, periodMillis: periodMillis)
        guard order.count == 1 else { return end }
        // With one speed there is nothing to sweep.
        return max(end, dwell.since.advanced(byMillis: Self.silenceMillis))
    }

    private var complaintDue: Instant {
        guard let silentSince, !hasComplained else { return .never }
        return silentSince.advanced(byMillis: Self.silenceMillis)
    }

    private func silenceDue(_ watch: Watch) -> Instant {
        watch.lastFrameAt.advanced(byMillis: max(Self.silenceMillis, Self.missedPeriods * periodMillis))
    }

    private func noiseDue(_ watch: Watch) -> Instant {
        guard fixedBaud == nil, let noiseSince = watch.noiseSince else { return .never }
        return max(
            watch.lastFrameAt.advanced(byMillis: Self.missedPeriods * periodMillis),
            noiseSince.advanced(byMillis: periodMillis))
    }

    mutating func listened(_ dwell: ReceiverDwell, at now: Instant, into actions: inout [Action]) {
        if now >= complaintDue {
            hasComplained = true
            actions.append(.complain(hasHeardBytes ? .onlyNoise : .nothingHeard))
        }
        if now >= end(of: dwell) { leave(dwell, at: now, into: &actions) }
    }

    /// Goes on with the next speed; after the last one with the next candidate. Noise on the only candidate is a reason
    /// to keep listening: the receiver is there.
    mutating func leave(_ dwell: ReceiverDwell, at now: Instant, into actions: inout [Action]) {
        if dwell.index + 1 < order.count {
            state = .listening(ReceiverDwell(index: dwell.index + 1, since: now))
            return actions.append(.setBaud(order[dwell.index + 1]))
        }
        widening = min(widening + 1, Self.widestWidening)
        if candidateCount == 1, hasHeardBytes, order.count > 1 {
            state = .listening(ReceiverDwell(index: 0, since: now))
            actions.append(.setBaud(order[0]))
        } else {
            actions.append(.close)
            tryNextCandidate(at: now)
        }
    }

    mutating func watched(_ watch: Watch, at now: Instant, into actions: inout [Action]) {
        if now >= silenceDue(watch) {
            actions += [.unlock, .complain(watch.noiseSince == nil ? .fellSilent : .onlyNoise), .close]
            return closeRound(at: now)
        }
        guard now >= noiseDue(watch) else { return }
        if now.millis(since: watch.lastByteAt) > 2 * periodMillis {
            // The noise has stopped: silence, so far.
            var quiet = watch
            quiet.noiseSince = nil
            state = .locked(quiet)
            return
        }
        // The speed is wrong now; whatever it was, it is tried last (E-005).
        order = Self.rates.filter { $0 != watch.baud } + [watch.baud]
        hasHeardBytes = true
        silentSince = watch.lastFrameAt
        hasComplained = false
        state = .listening(ReceiverDwell(index: 0, since: now))
        actions += [.unlock, .setBaud(order[0])]
    }
}

extension ReceiverFinder.Watch {
    /// Bytes soon after a frame are its tail.
    mutating func note(frames: Int, at now: Instant, periodMillis: Int64) {
        defer { lastByteAt = now }
        if frames > 0 {
            lastFrameAt = now
            noiseSince = nil
        } else if now.millis(since: lastFrameAt) > periodMillis / 2,
            noiseSince == nil || now.millis(since: lastByteAt) > 2 * periodMillis
        {
            noiseSince = now
        }
    }
}
