import TrackerModel

/// What is remembered of an epoch after it was handed out: enough to recognise latecomers and repetitions.
struct ClosedEpoch {
    /// On a clock of 24 h: a leap second is the first of the next day.
    let clock: Int?
    /// What was handed out.
    let hadFix: Bool
    /// Latecomers included: from it the receiver's habit is learned.
    private(set) var tally: SentenceTally
    /// Of the burst, which may go on after the epoch was closed.
    private(set) var lastByteAt: Instant
    private var talkers: SentenceTalkers
    /// Of what has come of another epoch with the same time.
    private var copy: SentenceTalkers?

    @inline(__always)
    init(_ epoch: NavigationEpoch, hadFix: Bool) {
        clock = epoch.clock
        self.hadFix = hadFix
        tally = epoch.tally
        lastByteAt = epoch.lastByteAt
        talkers = epoch.talkers
    }

    /// A sentence of this epoch that came too late to be used.
    mutating func trail(_ mark: SentenceMark) {
        lastByteAt = mark.at
        if copy == nil { add(mark) }
    }

    /// Takes a sentence with a position of the same time; true when it begins another epoch with that time.
    mutating func repeats(_ mark: SentenceMark) -> Bool {
        lastByteAt = mark.at
        switch (copy ?? talkers).presence(of: mark) {
        case .beside: return false
        case .missing:
            if copy == nil { add(mark) } else { copy?.add(mark) }
            return false
        case .repeated:
            var fresh = SentenceTalkers()
            fresh.add(mark)
            copy = fresh
            return true
        }
    }

    private mutating func add(_ mark: SentenceMark) {
        tally.count(mark.kind)
        talkers.add(mark)
    }
}
