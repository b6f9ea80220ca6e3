import TrackerModel

/// Groups sentences into epochs by their time of day and closes each at the right moment (spec capture §2.2).
///
/// RMC, GGA and GNS open an epoch. It closes when all that this receiver regularly sends is in, when another time of
/// day arrives, or at its deadline. Sentences without a time belong to the burst in which they come: to the open
/// epoch, to the closed one while its burst goes on, else to the next.
struct EpochAssembler {
    /// After the first byte of the epoch (spec capture §2.2).
    private static let longestWaitMillis: Int64 = 150
    /// At 9 600 baud a burst of RMC, GGA, GSA and GSV takes longer than 150 ms, and RMC may be its last sentence: the
    /// epoch stays open while the line goes on talking. A line is idle after this long without a byte; readers of a
    /// serial port deliver at least every 20 ms.
    private static let idleMillis: Int64 = 50
    /// The line of an instrument bus never falls idle: by then the next epoch of a 1 Hz receiver is due.
    private static let longestBurstMillis: Int64 = 900

    private let config: GNSSDecoderConfig
    private var open: NavigationEpoch?
    /// What came between the bursts, ahead of the next epoch.
    private var ahead: NavigationEpoch?
    private var closed: ClosedEpoch?
    private var habit = SentenceHabit()
    private var calendar = EpochCalendar()
    private var lastByteAt = Instant.zero

    init(config: GNSSDecoderConfig) { self.config = config }

    /// When the open epoch must be closed though something is missing; `.never` without one. Later bytes move it.
    var deadline: Instant {
        guard let open else { return .never }
        let patient = max(
            open.firstByteAt.advanced(byMillis: Self.longestWaitMillis),
            lastByteAt.advanced(byMillis: Self.idleMillis))
        return min(patient, open.firstByteAt.advanced(byMillis: Self.longestBurstMillis))
    }

    /// Bytes arrived, of whatever kind: the line is talking.
    mutating func noteBytes(at instant: Instant) { lastByteAt = instant }

    /// Takes one decoded sentence; its first byte was read at `startedAt`, its last at `instant`.
    mutating func accept(
        _ sentence: NMEASentence, startedAt: Instant, at instant: Instant, _ counters: inout GNSSCounters,
        _ emit: (GNSSOutput) -> Void
    ) {
        switch sentence {
        case .rmc(let rmc): place(sentence, rmc.timeOfDay, startedAt, instant, &counters, emit)
        case .gga(let gga): place(sentence, gga.timeOfDay, startedAt, instant, &counters, emit)
        case .gns(let timeOfDay): place(sentence, timeOfDay, startedAt, instant, &counters, emit)
        case .gst(let gst): attach(sentence, timeOfDay: gst.timeOfDay, startedAt, instant)
        case .zda(let zda): attach(sentence, timeOfDay: zda.timeOfDay, startedAt, instant)
        case .gsa, .vtg: attach(sentence, startedAt, instant)
        case .gsv, .other: return
        }
        if let open, habit.isComplete(open.tally) { close(&counters, emit) }
    }

    /// Closes the open epoch if its deadline has come.
    mutating func expire(at instant: Instant, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void) {
        if instant >= deadline { close(&counters, emit) }
    }

    /// Closes the open epoch with what it has.
    mutating func close(_ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void) {
        guard let epoch = open else { return }
        open = nil
        closed = ClosedEpoch(epoch)
        // GNS alone opened it: nothing to say.
        guard epoch.rmc != nil || epoch.gga != nil else { return }
        let hasFix = epoch.hasFix
        let time = calendar.time(of: epoch, hasFix: hasFix)
        if hasFix, let fix = epoch.fix(time: time, config: config) {
            counters.epochsWithFix += 1
            emit(.fix(fix))
        } else {
            counters.noFixEpochs += 1
            emit(.noFix(time: time, at: epoch.firstByteAt))
        }
    }
}

extension EpochAssembler {
    /// RMC, GGA or GNS: into the open epoch, or away with it and into a new one.
    private mutating func place(
        _ sentence: NMEASentence, _ timeOfDay: Int?, _ startedAt: Instant, _ instant: Instant,
        _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        if let epoch = open {
            let presence = epoch.timeOfDay == timeOfDay ? epoch.presence(of: sentence) : .repeated
            if presence == .missing { open?.add(sentence) }
            if presence != .repeated {
                open?.lastByteAt = instant
                return
            }
            close(&counters, emit)
        }
        if timeOfDay != nil, closed?.timeOfDay == timeOfDay {
            guard closed?.repeats(sentence, at: instant) == true else { return }
            // A clock that stands still repeats a fix, but a lost fix must be heard (F-02).
            if closed?.hadFix == true, sentence.claimsFix {
                counters.duplicateEpochs += 1
                return
            }
        }
        if let closed { habit.learn(closed.tally) }
        closed = nil
        var epoch = NavigationEpoch(timeOfDay: timeOfDay, firstByteAt: startedAt, lastByteAt: instant)
        if let ahead, startedAt.millis(since: ahead.lastByteAt) <= Self.longestWaitMillis { epoch.adopt(ahead) }
        ahead = nil
        epoch.add(sentence)
        open = epoch
    }

    /// GST or ZDA: they have a time but open nothing; some receivers' ZDA has a time of its own.
    private mutating func attach(
        _ sentence: NMEASentence, timeOfDay: Int?, _ startedAt: Instant, _ instant: Instant
    ) {
        if let epoch = open, epoch.timeOfDay == timeOfDay {
            open?.add(sentence)
            open?.lastByteAt = instant
        } else if let epoch = closed, open == nil, epoch.timeOfDay == timeOfDay {
            closed?.trail(sentence, at: instant)
        } else {
            keepAhead(sentence, startedAt, instant)
        }
    }

    /// GSA or VTG, which have no time.
    private mutating func attach(_ sentence: NMEASentence, _ startedAt: Instant, _ instant: Instant) {
        if open != nil {
            open?.add(sentence)
            open?.lastByteAt = instant
        } else if ahead == nil, let epoch = closed, startedAt.millis(since: epoch.lastByteAt) <= Self.longestWaitMillis
        {
            closed?.trail(sentence, at: instant)
        } else {
            keepAhead(sentence, startedAt, instant)
        }
    }

    private mutating func keepAhead(_ sentence: NMEASentence, _ startedAt: Instant, _ instant: Instant) {
        if let kept = ahead, startedAt.millis(since: kept.lastByteAt) > Self.longestWaitMillis { ahead = nil }
        var kept = ahead ?? NavigationEpoch(timeOfDay: nil, firstByteAt: startedAt, lastByteAt: instant)
        kept.add(sentence)
        kept.lastByteAt = instant
        ahead = kept
    }
}
