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
    // Of the others nothing is known before they come; the tally says whether they did.
    var pubx = NMEASentence.PUBX()
    var gst = NMEASentence.GST()
    var gbs = NMEASentence.GBS()
    var vtg = NMEASentence.VTG()
    var zda = NMEASentence.ZDA()
    /// Of all GSA of the epoch.
    var gsa = NMEASentence.GSA()

    init() { (firstByteAt, lastByteAt) = (.zero, .zero) }

    /// Begins anew in place: to make another epoch and to copy it takes longer.
    mutating func begin(timeOfDay: Int?, firstByteAt: Instant) {
        self.timeOfDay = timeOfDay
        (self.firstByteAt, lastByteAt) = (firstByteAt, firstByteAt)
        (tally, talkers) = (SentenceTally(), SentenceTalkers())
        rmc = nil
        gga = nil
        gns = nil
        gll = nil
        pubx = NMEASentence.PUBX()
        gst = NMEASentence.GST()
        gbs = NMEASentence.GBS()
        vtg = NMEASentence.VTG()
        zda = NMEASentence.ZDA()
        gsa = NMEASentence.GSA()
    }

    /// The time of day on a clock of 24 h: a leap second is the first of the next day, and no epoch beside it (E-012).
    var clock: Int? { timeOfDay.map { $0 % 86_400_000 } }

    /// Takes one sentence.
    /// - Parameter store: puts its content into the epoch that it is given.
    @inline(__always)
    mutating func add(_ mark: SentenceMark, _ store: (inout NavigationEpoch) -> Void) {
        tally.count(mark.kind)
        talkers.add(mark)
        lastByteAt = mark.at
        store(&self)
    }

    /// Takes over what came ahead of the first sentence with a position: those without a time, and those of the same.
    @inline(__always)
    mutating func adopt(_ ahead: NavigationEpoch) {
        firstByteAt = min(firstByteAt, ahead.firstByteAt)
        (gsa, tally[.gsa]) = (ahead.gsa, ahead.tally.gsa)
        if ahead.tally.vtg > 0 {
            vtg = ahead.vtg
            tally.count(.vtg)
        }
        if let gll = ahead.gll, gll.timeOfDay == timeOfDay {
            self.gll = gll
            // Nothing else that has a talker comes ahead.
            talkers = ahead.talkers
        }
        if ahead.tally.gst > 0, ahead.gst.timeOfDay == timeOfDay {
            gst = ahead.gst
            tally.count(.gst)
        }
        if ahead.tally.gbs > 0, ahead.gbs.timeOfDay == timeOfDay {
            gbs = ahead.gbs
            tally.count(.gbs)
        }
        if ahead.tally.zda > 0, ahead.zda.timeOfDay == timeOfDay {
            zda = ahead.zda
            tally.count(.zda)
        }
    }

    /// What the epoch says about its time.
    @inline(__always)
    var timeClaim: TimeClaim {
        var date = rmc?.date ?? .absent
        if date == .absent { date = zda.date }
        return TimeClaim(
            timeOfDay: timeOfDay, date: date, isVouched: rmc?.isActive ?? true,
            isFullyResolved: zda.isFullyResolved)
    }
}

extension NMEASentence.GSA {
    /// Of several of one epoch: the best mode, the sum of the satellites, the last dilutions given.
    mutating func merge(_ new: NMEASentence.GSA) {
        if let newMode = new.mode { mode = max(newMode, mode ?? newMode) }
        if new.used.isEmpty {
            satellites += new.satellites
        } else {
            // Some receivers repeat the GSA of GPS under a second talker.
            if !new.used.isSubset(of: used) { satellites += new.satellites }
            used.formUnion(new.used)
        }
        pdop = new.pdop ?? pdop
        hdop = new.hdop ?? hdop
        vdop = new.vdop ?? vdop
    }
}
