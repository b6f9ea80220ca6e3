import TrackerModel

/// Groups sentences into epochs by their time of day and closes each at the right moment (spec capture §2.2).
///
/// RMC, GGA, GNS and PUBX open an epoch, GLL where none of these is sent. It closes when all that this receiver
/// regularly sends is in, when another time of day arrives, or at its deadline. Sentences without a time belong to the
/// burst in which they come: to the open epoch, to the closed one while its burst goes on, else to the next.
struct EpochAssembler {
    /// After the first byte of the epoch (spec capture §2.2).
    static let longestWaitMillis: Int64 = 150
    /// At 9 600 baud a burst of RMC, GGA, GSA and GSV takes longer than 150 ms, and RMC may be its last sentence: the
    /// epoch stays open while the line goes on talking. A line is idle after this long without a byte; readers of a
    /// serial port deliver at least every 20 ms.
    private static let idleMillis: Int64 = 50
    /// The line of an instrument bus never falls idle: by then the next epoch of a 1 Hz receiver is due.
    private static let longestBurstMillis: Int64 = 900

    /// So many GLL in a row without RMC, GGA, GNS or PUBX and they are what this receiver sends: in others the time of
    /// GLL may be another one.
    static let gllAlone = 3

    private let config: GNSSDecoderConfig
    /// The epoch whose sentences come in; without one the last that was closed, not to be used.
    var open = NavigationEpoch()
    var isOpen = false
    /// What came between the bursts, ahead of the next epoch; not to be used without `hasAhead`.
    var ahead = NavigationEpoch()
    var hasAhead = false
    var closed: ClosedEpoch?
    var habit = SentenceHabit()
    private var carried = CarriedQuality()
    var sky: SkyAssembler
    private var frozen = FrozenPositionWatch()
    /// Judges what the epochs say about their time.
    var timekeeper: GNSSTimekeeper
    private var lastByteAt = Instant.zero
    var gllInARow = gllAlone

    init(config: GNSSDecoderConfig) {
        self.config = config
        sky = SkyAssembler(intervalMillis: config.skyIntervalMillis)
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
        _ mark: SentenceMark, _ fields: NMEAFields, _ gate: inout EpochGate, _ counters: inout GNSSCounters,
        _ emit: (GNSSOutput) -> Void
    ) throws(MalformedSentence) {
        switch mark.kind {
        case .rmc:
            let rmc = try NMEASentence.RMC(fields)
            place(mark.with(rmc.timeOfDay, claimsFix: rmc.claimsFix), &gate, &counters, emit) { $0.rmc = rmc }
        case .gga:
            let gga = try NMEASentence.GGA(fields)
            place(mark.with(gga.timeOfDay, claimsFix: gga.quality != 0), &gate, &counters, emit) { $0.gga = gga }
        case .gns:
            let gns = try NMEASentence.GNS(fields)
            place(mark.with(gns.timeOfDay, claimsFix: gns.isFix), &gate, &counters, emit) { $0.gns = gns }
        case .gll: take(try NMEASentence.GLL(fields), mark, &gate, &counters, emit)
        case .gst:
            let gst = try NMEASentence.GST(fields)
            attach(mark.with(gst.timeOfDay)) { $0.gst = gst }
        case .gbs:
            let gbs = try NMEASentence.GBS(fields)
            attach(mark.with(gbs.timeOfDay)) { $0.gbs = gbs }
        case .zda:
            let zda = try NMEASentence.ZDA(fields)
            attach(mark.with(zda.timeOfDay)) { $0.zda = zda }
        case .gsa:
            let wantsSky = sky.wantsMore(at: mark.at)
            let gsa = try NMEASentence.GSA(fields, listsUsed: wantsSky)
            if wantsSky { sky.take(gsa) }
            attachUntimed(mark) { $0.gsa.merge(gsa) }
        case .vtg:
            let vtg = try NMEASentence.VTG(fields)
            attachUntimed(mark) { $0.vtg = vtg }
        case .pubx: take(try NMEASentence(ublox: fields), mark, &gate, &counters, emit)
        case .gsv: return sky.take(try NMEASentence.GSV(fields), emit)
        case .txt, .answer, .other: return
        }
        if isOpen, habit.isComplete(open.tally) { close(at: mark.at, &gate, &counters, emit) }
    }

    /// Closes the open epoch if its deadline has come.
    mutating func expire(
        at instant: Instant, _ gate: inout EpochGate, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        if instant >= deadline { close(at: instant, &gate, &counters, emit) }
    }

    /// Closes the open epoch with what it has.
    mutating func close(
        at instant: Instant, _ gate: inout EpochGate, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        guard isOpen else { return }
        isOpen = false
        let hasFix = open.hasFix
        closed = ClosedEpoch(open, hadFix: hasFix)
        let time = timekeeper.resolve(open.timeClaim, hasFix: hasFix, at: open.firstByteAt) { emit(.diagnostic($0)) }
        if hasFix, let position = open.position {
            let isFrozen = frozen.observe(position, speedMps: open.speedMps, at: open.firstByteAt)
            if isFrozen { emit(.diagnostic("gnss_position_frozen")) }
            counters.epochsWithFix += 1
            let fix = open.fix(at: position, time: time, config: config, carried: &carried)
            if gate.admits(isFix: true, time: time, from: .nmea, at: instant) { emit(.fix(fix)) }
        } else {
            carried = CarriedQuality()
            counters.noFixEpochs += 1
            let isNew = gate.admits(isFix: false, time: time, from: .nmea, at: instant)
            if isNew { emit(.noFix(time: time, at: open.firstByteAt)) }
        }
    }

    /// The input has ended: gives out the last epoch and the last sky.
    mutating func finish(
        at instant: Instant, _ gate: inout EpochGate, _ counters: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) {
        close(at: instant, &gate, &counters, emit)
        sky.finish(emit)
    }
}
