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

    init(_ epoch: NavigationEpoch, hadFix: Bool) {
        clock = epoch.clock
        self.hadFix = hadFix
        tally = epoch.tally
        lastByteAt = epoch.lastByteAt
        talkers = epoch.talkers
    }

    /// A sentence of this epoch that came too late to be used.
    mutating func trail(_ sentence: NMEASentence, at instant: Instant) {
        lastByteAt = instant
        if copy == nil { add(sentence) }
    }

    /// Takes a sentence with a position of the same time; true when it begins another epoch with that time.
    mutating func repeats(_ sentence: NMEASentence, at instant: Instant) -> Bool {
        lastByteAt = instant
        switch (copy ?? talkers).presence(of: sentence) {
        case .beside: return false
        case .missing:
            if copy == nil { add(sentence) } else { copy?.add(sentence) }
            return false
        case .repeated:
            var fresh = SentenceTalkers()
            fresh.add(sentence)
            copy = fresh
            return true
        }
    }

    private mutating func add(_ sentence: NMEASentence) {
        tally.count(sentence)
        talkers.add(sentence)
    }
}
