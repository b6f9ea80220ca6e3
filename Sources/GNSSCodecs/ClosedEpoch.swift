import TrackerModel

/// What is remembered of an epoch after it was handed out: enough to recognise latecomers and repetitions.
struct ClosedEpoch {
    /// The epoch, latecomers included: from its tally the receiver's habit is learned.
    private var epoch: NavigationEpoch
    /// What has come of another epoch with the same time.
    private var copy: NavigationEpoch?

    /// What was handed out.
    let hadFix: Bool

    init(_ epoch: NavigationEpoch) {
        self.epoch = epoch
        hadFix = epoch.hasFix
    }

    /// On a clock of 24 h: a leap second is the first of the next day.
    var clock: Int? { epoch.clock }
    var tally: SentenceTally { epoch.tally }
    /// Of the burst, which may go on after the epoch was closed.
    var lastByteAt: Instant { epoch.lastByteAt }

    /// A sentence of this epoch that came too late to be used.
    mutating func trail(_ sentence: NMEASentence, at instant: Instant) {
        epoch.lastByteAt = instant
        if copy == nil { epoch.add(sentence) }
    }

    /// Takes a sentence with a position of the same time; true when it begins another epoch with that time.
    mutating func repeats(_ sentence: NMEASentence, at instant: Instant) -> Bool {
        epoch.lastByteAt = instant
        switch (copy ?? epoch).presence(of: sentence) {
        case .beside: return false
        case .missing:
            if copy == nil { epoch.add(sentence) } else { copy?.add(sentence) }
            return false
        case .repeated:
            var fresh = NavigationEpoch(timeOfDay: epoch.timeOfDay, firstByteAt: instant, lastByteAt: instant)
            fresh.add(sentence)
            copy = fresh
            return true
        }
    }
}
