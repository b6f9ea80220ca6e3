import TrackerModel

/// Groups sentences into epochs by their time of day and closes each at the right moment (spec capture §2.2).
///
/// RMC, GGA, GNS and PUBX open an epoch, GLL where none of these is sent. It closes when all that this receiver regularly sends is in, when another time of
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

    /// So many GLL in a row without RMC, GGA, GNS or PUBX and they are what this receiver sends: in others the time of
    /// GLL may be another one.
    private static let gllAlone = 3

    private let config: GNSSDecoderConfig
    private var open: NavigationEpoch?
    /// What came between the bursts, ahead of the next epoch.
    private var ahead: NavigationEpoch?
    private var closed: ClosedEpoch?
    private var habit = SentenceHabit()
    private var carried = CarriedQuality()
    private var sky = SkyAssembler()
    private var frozen = FrozenPositionWatch()
    /// Judges what the epochs say about their time.
    var timekeeper: GNSSTimekeeper
    private var lastByteAt = Instant.zero
    private var gllInARow = gllAlone

    init(config: GNSSDecoderConfig) {
        self.config = config
        timekeeper = GNSSTimekeeper(
            buildDate: config.buildDate, lastTrusted: config.lastTrusted, firstDay: config.firstDay)
    }

    /// When the open epoch must be closed though something is missing; `.never` without one. Later bytes move it.
    var deadline: Instant {
        guard let firstByteAt = open?.firstByteAt else { return .never }
        let patient = max(
            firstByteAt.advanced(byMillis: Self.longestWaitMillis), lastByteAt.advanced(byMillis: Self.idleMillis))
        return min(patient, firstByteAt.advanced(byMillis: Self.longestBurstMillis))
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
        case .gns(let gns): place(sentence, gns.timeOfDay, startedAt, instant, &counters, emit)
        case .pubx(let pubx): place(sentence, pubx.timeOfDay, startedAt, instant, &counters, emit)
        case .gll(let gll):
            if gllInARow >= Self.gllAlone {
                place(sentence, gll.timeOfDay, startedAt, instant, &counters, emit)
            } else {
                gllInARow += 1
                attach(sentence, timeOfDay: gll.timeOfDay, startedAt, instant)
            }
        case .gst(let gst): attach(sentence, timeOfDay: gst.timeOfDay, startedAt, instant)
        case .gbs(let gbs): attach(sentence, timeOfDay: gbs.timeOfDay, startedAt, instant)
        case .zda(let zda): attach(sentence, timeOfDay: zda.timeOfDay, startedAt, instant)
        case .gsa(let gsa):
            sky.take(gsa)
            attach(sentence, startedAt, instant)
        case .vtg: attach(sentence, startedAt, instant)
        case .gsv(let gsv): return sky.take(gsv, emit)
        case .other: return
        }
        if let tally = open?.tally, habit.isComplete(tally) { close(&counters, emit) }
    }

    /// Closes the open epoch if its deadline has come.
    mutating func expire(at instant: Instant, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void) {
        if instant >= deadline { close(&counters, emit) }
    }

    /// Closes the open epoch with what it has.
    mutating func close(_ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void) {
        guard let epoch = open else { return }
        open = nil
        let hasFix = epoch.hasFix
        closed = ClosedEpoch(epoch, hadFix: hasFix)
        let time = timekeeper.resolve(epoch.timeClaim, hasFix: hasFix, at: epoch.firstByteAt) { emit(.diagnostic($0)) }
        if hasFix, let fix = epoch.fix(time: time, config: config, carried: &carried) {
            if frozen.observe(fix) { emit(.diagnostic("gnss_position_frozen")) }
            counters.epochsWithFix += 1
            emit(.fix(fix))
        } else {
            carried = CarriedQuality()
            counters.noFixEpochs += 1
            emit(.noFix(time: time, at: epoch.firstByteAt))
        }
    }

    /// The input has ended: gives out the last epoch and the last sky.
    mutating func finish(_ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void) {
        close(&counters, emit)
        sky.finish(emit)
    }
}

extension EpochAssembler {
    /// A sentence with a position: into the open epoch, or away with it and into a new one.
    private mutating func place(
        _ sentence: NMEASentence, _ timeOfDay: Int?, _ startedAt: Instant, _ instant: Instant,
        _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        if !sentence.isGLL { gllInARow = 0 }
        let clock = timeOfDay.map { $0 % 86_400_000 }
        if open != nil {
            let presence = open?.clock == clock ? open?.talkers.presence(of: sentence) : .repeated
            if presence == .missing { open?.add(sentence) }
            if presence != .repeated {
                open?.lastByteAt = instant
                return
            }
            close(&counters, emit)
        }
        if clock != nil, closed?.clock == clock {
            guard closed?.repeats(sentence, at: instant) == true else { return }
            // A clock that stands still repeats a fix, but a lost fix must be heard (F-02).
            if closed?.hadFix == true, sentence.claimsFix {
                counters.duplicateEpochs += 1
                timekeeper.noteRepeated(at: instant) { emit(.diagnostic($0)) }
                return
            }
        }
        if let tally = closed?.tally { habit.learn(tally) }
        closed = nil
        sky.epochBegan(emit)
        var epoch = NavigationEpoch(timeOfDay: timeOfDay, firstByteAt: startedAt, lastByteAt: instant)
        if let last = ahead?.lastByteAt, startedAt.millis(since: last) <= Self.longestWaitMillis {
            if let ahead { epoch.adopt(ahead) }
        }
        if ahead != nil { ahead = nil }
        epoch.add(sentence)
        open = epoch
    }

    /// GST, GBS, ZDA or GLL: they have a time but open nothing; some receivers' ZDA has a time of its own.
    private mutating func attach(
        _ sentence: NMEASentence, timeOfDay: Int?, _ startedAt: Instant, _ instant: Instant
    ) {
        let clock = timeOfDay.map { $0 % 86_400_000 }
        if open != nil, open?.clock == clock {
            open?.add(sentence)
            open?.lastByteAt = instant
        } else if open == nil, closed != nil, closed?.clock == clock {
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
        } else if ahead == nil, let last = closed?.lastByteAt, startedAt.millis(since: last) <= Self.longestWaitMillis {
            closed?.trail(sentence, at: instant)
        } else {
            keepAhead(sentence, startedAt, instant)
        }
    }

    private mutating func keepAhead(_ sentence: NMEASentence, _ startedAt: Instant, _ instant: Instant) {
        if let last = ahead?.lastByteAt, startedAt.millis(since: last) > Self.longestWaitMillis { ahead = nil }
        if ahead == nil { ahead = NavigationEpoch(timeOfDay: nil, firstByteAt: startedAt, lastByteAt: instant) }
        ahead?.add(sentence)
        ahead?.lastByteAt = instant
    }
}
