import TrackerModel

/// The sentences of one solution, gathered.
struct NavigationEpoch {
    /// Milliseconds of the day, a leap second is its 86 400th; `nil` while the receiver does not know the time.
    var timeOfDay: Int?
    var firstByteAt: Instant
    var lastByteAt: Instant
    var tally = SentenceTally()
    var rmc: NMEASentence.RMC?
    var gga: NMEASentence.GGA?
    var gns: NMEASentence.GNS?
    var gll: NMEASentence.GLL?
    var pubx: NMEASentence.PUBX?
    var gst: NMEASentence.GST?
    var gbs: NMEASentence.GBS?
    var vtg: NMEASentence.VTG?
    var zda: NMEASentence.ZDA?
    /// Of all GSA of the epoch: the best mode, the sum of the satellites, the last dilutions given.
    var gsa: NMEASentence.GSA?

    init(timeOfDay: Int?, firstByteAt: Instant, lastByteAt: Instant) {
        self.timeOfDay = timeOfDay
        self.firstByteAt = firstByteAt
        self.lastByteAt = lastByteAt
    }

    /// The time of day on a clock of 24 h: a leap second is the first of the next day, and no epoch beside it (E-012).
    var clock: Int? { timeOfDay.map { $0 % 86_400_000 } }

    mutating func add(_ sentence: NMEASentence) {
        tally.count(sentence)
        switch sentence {
        case .rmc(let rmc): self.rmc = rmc
        case .gga(let gga): self.gga = gga
        case .gns(let gns): self.gns = gns
        case .gll(let gll): self.gll = gll
        case .pubx(let pubx): self.pubx = pubx
        case .gst(let gst): self.gst = gst
        case .gbs(let gbs): self.gbs = gbs
        case .vtg(let vtg): self.vtg = vtg
        case .zda(let zda): self.zda = zda
        case .gsa(let gsa): merge(gsa)
        case .gsv, .other: break
        }
    }

    /// Whether a sentence with a position like this one is in already.
    func presence(of sentence: NMEASentence) -> SentencePresence {
        switch sentence {
        case .rmc(let new): SentencePresence(new.talker, beside: rmc?.talker)
        case .gga(let new): SentencePresence(new.talker, beside: gga?.talker)
        case .gns(let new): SentencePresence(new.talker, beside: gns?.talker)
        case .gll(let new): SentencePresence(new.talker, beside: gll?.talker)
        case .pubx: pubx == nil ? .missing : .repeated
        default: .missing
        }
    }

    /// Takes over what came ahead of the first sentence with a position: those without a time, and those of the same.
    mutating func adopt(_ ahead: NavigationEpoch) {
        firstByteAt = min(firstByteAt, ahead.firstByteAt)
        if let gsa = ahead.gsa {
            self.gsa = gsa
            tally.gsa = ahead.tally.gsa
        }
        if let vtg = ahead.vtg { add(.vtg(vtg)) }
        if let gll = ahead.gll, gll.timeOfDay == timeOfDay { add(.gll(gll)) }
        if let gst = ahead.gst, gst.timeOfDay == timeOfDay { add(.gst(gst)) }
        if let gbs = ahead.gbs, gbs.timeOfDay == timeOfDay { add(.gbs(gbs)) }
        if let zda = ahead.zda, zda.timeOfDay == timeOfDay { add(.zda(zda)) }
    }

    /// What the epoch says about its time.
    var timeClaim: TimeClaim {
        var date = rmc?.date ?? .absent
        if date == .absent, let zda { date = zda.date }
        return TimeClaim(
            timeOfDay: timeOfDay, date: date, isVouched: rmc?.isActive ?? true,
            isFullyResolved: zda?.isFullyResolved ?? true)
    }

    private mutating func merge(_ new: NMEASentence.GSA) {
        guard var merged = gsa else {
            gsa = new
            return
        }
        if let mode = new.mode { merged.mode = max(mode, merged.mode ?? mode) }
        // Some receivers repeat the GSA of GPS under a second talker.
        if !new.used.isSubset(of: merged.used) || new.used.isEmpty { merged.satellites += new.satellites }
        merged.used.formUnion(new.used)
        merged.pdop = new.pdop ?? merged.pdop
        merged.hdop = new.hdop ?? merged.hdop
        merged.vdop = new.vdop ?? merged.vdop
        gsa = merged
    }
}

/// How a sentence stands to those of the same kind and time.
enum SentencePresence {
    case missing
    /// From another talker: receivers send one GGA for each constellation; the first counts.
    case beside
    /// From the same talker: another epoch with the same time.
    case repeated

    init(_ talker: UInt16, beside other: UInt16?) {
        guard let other else {
            self = .missing
            return
        }
        self = talker == other ? .repeated : .beside
    }
}
