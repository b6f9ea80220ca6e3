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
    /// The epoch whose sentences come in; without one the last that was closed, not to be used.
    private var open = NavigationEpoch(timeOfDay: nil, firstByteAt: .zero)
    private var isOpen = false
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
    @inline(__always)
    var deadline: Instant {
        guard isOpen else { return .never }
        let patient = max(
            open.firstByteAt.advanced(byMillis: Self.longestWaitMillis),
            lastByteAt.advanced(byMillis: Self.idleMillis))
        return min(patient, open.firstByteAt.advanced(byMillis: Self.longestBurstMillis))
    }

    /// Bytes arrived, of whatever kind: the line is talking.
    mutating func noteBytes(at instant: Instant) { lastByteAt = instant }

    /// Takes the sentence whose fields these are.
    /// - Parameter mark: what is known of it without its fields.
    mutating func accept(
        _ mark: SentenceMark, _ fields: inout NMEAFields, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) throws(MalformedSentence) {
        switch mark.kind {
        case .rmc:
            let rmc = try NMEASentence.RMC(&fields)
            place(mark.with(rmc.timeOfDay, claimsFix: rmc.claimsFix), &counters, emit) { $0.rmc = rmc }
        case .gga:
            let gga = try NMEASentence.GGA(&fields)
            place(mark.with(gga.timeOfDay, claimsFix: gga.quality != 0), &counters, emit) { $0.gga = gga }
        case .gns:
            let gns = try NMEASentence.GNS(&fields)
            place(mark.with(gns.timeOfDay, claimsFix: gns.isFix), &counters, emit) { $0.gns = gns }
        case .gll: take(try NMEASentence.GLL(&fields), mark, &counters, emit)
        case .gst:
            let gst = try NMEASentence.GST(&fields)
            attach(mark.with(gst.timeOfDay)) { $0.gst = gst }
        case .gbs:
            let gbs = try NMEASentence.GBS(&fields)
            attach(mark.with(gbs.timeOfDay)) { $0.gbs = gbs }
        case .zda:
            let zda = try NMEASentence.ZDA(&fields)
            attach(mark.with(zda.timeOfDay)) { $0.zda = zda }
        case .gsa:
            let gsa = try NMEASentence.GSA(&fields)
            sky.take(gsa)
            attachUntimed(mark) { $0.gsa.merge(gsa) }
        case .vtg:
            let vtg = try NMEASentence.VTG(&fields)
            attachUntimed(mark) { $0.vtg = vtg }
        case .pubx: take(try NMEASentence(ublox: &fields), mark, &counters, emit)
        case .gsv: return sky.take(try NMEASentence.GSV(&fields), emit)
        case .txt, .answer, .other: return
        }
        if isOpen, habit.isComplete(open.tally) { close(&counters, emit) }
    }

    /// Closes the open epoch if its deadline has come.
    mutating func expire(at instant: Instant, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void) {
        if instant >= deadline { close(&counters, emit) }
    }

    /// Closes the open epoch with what it has.
    mutating func close(_ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void) {
        guard isOpen else { return }
        isOpen = false
        let hasFix = open.hasFix
        closed = ClosedEpoch(open, hadFix: hasFix)
        let time = timekeeper.resolve(open.timeClaim, hasFix: hasFix, at: open.firstByteAt) { emit(.diagnostic($0)) }
        if hasFix, let position = open.position {
            let fix = open.fix(at: position, time: time, config: config, carried: &carried)
            if frozen.observe(fix) { emit(.diagnostic("gnss_position_frozen")) }
            counters.epochsWithFix += 1
            emit(.fix(fix))
        } else {
            carried = CarriedQuality()
            counters.noFixEpochs += 1
            emit(.noFix(time: time, at: open.firstByteAt))
        }
    }

    /// The input has ended: gives out the last epoch and the last sky.
    mutating func finish(_ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void) {
        close(&counters, emit)
        sky.finish(emit)
    }
}

// Where a sentence goes. `store` puts its content into the epoch that takes it, if one does: content is large, and
// this way it is copied once.
extension EpochAssembler {
    private mutating func take(
        _ gll: NMEASentence.GLL, _ mark: SentenceMark, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        let mark = mark.with(gll.timeOfDay, claimsFix: gll.isActive)
        if gllInARow >= Self.gllAlone {
            place(mark, &counters, emit) { $0.gll = gll }
        } else {
            gllInARow += 1
            attach(mark) { $0.gll = gll }
        }
    }

    /// PUBX,00 has a position, PUBX,04 is as good as ZDA.
    private mutating func take(
        _ sentence: NMEASentence, _ mark: SentenceMark, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        var mark = mark
        switch sentence {
        case .pubx(let pubx):
            place(mark.with(pubx.timeOfDay, claimsFix: pubx.status?.isFix ?? false), &counters, emit) { $0.pubx = pubx }
        case .zda(let zda):
            mark.kind = .zda
            attach(mark.with(zda.timeOfDay)) { $0.zda = zda }
        default: break
        }
    }

    /// A sentence with a position: into the open epoch, or away with it and into a new one.
    @inline(__always)
    private mutating func place(
        _ mark: SentenceMark, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void,
        _ store: (inout NavigationEpoch) -> Void
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
        if begin(with: mark, &counters, emit) { open.add(mark, store) }
    }

    /// Closes the open epoch and opens one for a sentence; false when the sentence only repeats what was closed.
    private mutating func begin(
        with mark: SentenceMark, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) -> Bool {
        close(&counters, emit)
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
        open = NavigationEpoch(timeOfDay: mark.timeOfDay, firstByteAt: mark.startedAt)
        isOpen = true
        if let last = ahead?.lastByteAt {
            if mark.startedAt.millis(since: last) <= Self.longestWaitMillis, let ahead { open.adopt(ahead) }
            ahead = nil
        }
        return true
    }

    /// GST, GBS, ZDA or GLL: they have a time but open nothing; some receivers' ZDA has a time of its own.
    @inline(__always)
    private mutating func attach(_ mark: SentenceMark, _ store: (inout NavigationEpoch) -> Void) {
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
    private mutating func attachUntimed(_ mark: SentenceMark, _ store: (inout NavigationEpoch) -> Void) {
        if isOpen {
            open.add(mark, store)
        } else if ahead == nil, let last = closed?.lastByteAt,
            mark.startedAt.millis(since: last) <= Self.longestWaitMillis
        {
            closed?.trail(mark)
        } else {
            keepAhead(mark, store)
        }
    }

    private mutating func keepAhead(_ mark: SentenceMark, _ store: (inout NavigationEpoch) -> Void) {
        if let last = ahead?.lastByteAt, mark.startedAt.millis(since: last) > Self.longestWaitMillis { ahead = nil }
        if ahead == nil { ahead = NavigationEpoch(timeOfDay: nil, firstByteAt: mark.startedAt) }
        ahead?.add(mark, store)
    }
}
