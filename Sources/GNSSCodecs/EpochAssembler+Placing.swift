import TrackerModel

// Where a sentence goes. `store` puts its content into the epoch that takes it, if one does: content is large, and
// this way it is copied once.
extension EpochAssembler {
    mutating func take(
        _ gll: NMEASentence.GLL, _ mark: SentenceMark, _ gate: inout EpochGate, _ counters: inout GNSSCounters,
        _ emit: (GNSSOutput) -> Void
    ) {
        let mark = mark.with(gll.timeOfDay, claimsFix: gll.isActive)
        if gllInARow >= Self.gllAlone {
            place(mark, &gate, &counters, emit) { $0.gll = gll }
        } else {
            gllInARow += 1
            attach(mark) { $0.gll = gll }
        }
    }

    /// PUBX,00 has a position, PUBX,04 is as good as ZDA.
    mutating func take(
        _ sentence: NMEASentence, _ mark: SentenceMark, _ gate: inout EpochGate, _ counters: inout GNSSCounters,
        _ emit: (GNSSOutput) -> Void
    ) {
        var mark = mark
        switch sentence {
        case .pubx(let pubx):
            place(mark.with(pubx.timeOfDay, claimsFix: pubx.status?.isFix ?? false), &gate, &counters, emit) {
                $0.pubx = pubx
            }
        case .zda(let zda):
            mark.kind = .zda
            attach(mark.with(zda.timeOfDay)) { $0.zda = zda }
        default: break
        }
    }

    /// A sentence with a position: into the open epoch, or away with it and into a new one.
    @inline(__always)
    mutating func place(
        _ mark: SentenceMark, _ gate: inout EpochGate, _ counters: inout GNSSCounters,
        _ emit: (GNSSOutput) -> Void, _ store: (inout NavigationEpoch) -> Void
    ) {
        if mark.kind != .gll { gllInARow = 0 }
        if isOpen, open.clock == mark.clock {
            switch open.talkers.presence(of: mark) {
            case .missing: return open.add(mark, store)
            case .beside:
                open.lastByteAt = mark.at
                return
            case .repeated: break
            }
        }
        if begin(with: mark, &gate, &counters, emit) { open.add(mark, store) }
    }

    /// Closes the open epoch and opens one for a sentence; false when the sentence only repeats what was closed.
    private mutating func begin(
        with mark: SentenceMark, _ gate: inout EpochGate, _ counters: inout GNSSCounters,
        _ emit: (GNSSOutput) -> Void
    ) -> Bool {
        close(at: mark.at, &gate, &counters, emit)
        if mark.clock != nil, closed?.clock == mark.clock {
            guard closed?.repeats(mark) == true else { return false }
            // A clock that stands still repeats a fix, but a lost fix must be heard (F-02).
            if closed?.hadFix == true, mark.claimsFix {
                counters.duplicateEpochs += 1
                timekeeper.noteRepeated(at: mark.at) { emit(.diagnostic($0)) }
                return false
            }
        }
        if let tally = closed?.tally { habit.learn(tally) }
        closed = nil
        sky.epochBegan(emit)
        open.begin(timeOfDay: mark.timeOfDay, firstByteAt: mark.startedAt)
        isOpen = true
        if hasAhead, mark.startedAt.millis(since: ahead.lastByteAt) <= Self.longestWaitMillis { open.adopt(ahead) }
        hasAhead = false
        return true
    }

    /// GST, GBS, ZDA or GLL: they have a time but open nothing; some receivers' ZDA has a time of its own.
    @inline(__always)
    mutating func attach(_ mark: SentenceMark, _ store: (inout NavigationEpoch) -> Void) {
        if isOpen, open.clock == mark.clock {
            open.add(mark, store)
        } else if !isOpen, closed != nil, closed?.clock == mark.clock {
            closed?.trail(mark)
        } else {
            keepAhead(mark, store)
        }
    }

    /// GSA or VTG, which have no time.
    @inline(__always)
    mutating func attachUntimed(_ mark: SentenceMark, _ store: (inout NavigationEpoch) -> Void) {
        if isOpen {
            open.add(mark, store)
        } else if !hasAhead, let last = closed?.lastByteAt,
            mark.startedAt.millis(since: last) <= Self.longestWaitMillis
        {
            closed?.trail(mark)
        } else {
            keepAhead(mark, store)
        }
    }

    private mutating func keepAhead(_ mark: SentenceMark, _ store: (inout NavigationEpoch) -> Void) {
        if !hasAhead || mark.startedAt.millis(since: ahead.lastByteAt) > Self.longestWaitMillis {
            ahead.begin(timeOfDay: nil, firstByteAt: mark.startedAt)
            hasAhead = true
        }
        ahead.add(mark, store)
    }
}
