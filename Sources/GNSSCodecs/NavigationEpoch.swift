import TrackerModel

/// The sentences of one solution, gathered.
struct NavigationEpoch {
    /// Milliseconds of the day, a leap second is its 86 400th; `nil` while the receiver does not know the time.
    var timeOfDay: Int?
    var firstByteAt: Instant
    var lastByteAt: Instant
    var tally = SentenceTally()
    var talkers = SentenceTalkers()
    var rmc: NMEASentence.RMC?
    var gga: NMEASentence.GGA?
    var gns: NMEASentence.GNS?
    var gll: NMEASentence.GLL?
    var pubx: NMEASentence.PUBX?
    var gst: NMEASentence.GST?
    var gbs: NMEASentence.GBS?
    var vtg: NMEASentence.VTG?
    var zda: NMEASentence.ZDA?
    /// Of all GSA of the epoch.
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
        talkers.add(sentence)
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
        case .gsa(let gsa): if self.gsa == nil { self.gsa = gsa } else { self.gsa?.merge(gsa) }
        case .gsv, .other: break
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
}

extension NMEASentence.GSA {
    /// Of several of one epoch: the best mode, the sum of the satellites, the last dilutions given.
    fileprivate mutating func merge(_ new: NMEASentence.GSA) {
        if let newMode = new.mode { mode = max(newMode, mode ?? newMode) }
        // Some receivers repeat the GSA of GPS under a second talker.
        if !new.used.isSubset(of: used) || new.used.isEmpty { satellites += new.satellites }
        used.formUnion(new.used)
        pdop = new.pdop ?? pdop
        hdop = new.hdop ?? hdop
        vdop = new.vdop ?? vdop
    }
}
