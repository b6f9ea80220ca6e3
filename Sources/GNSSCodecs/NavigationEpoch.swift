import TrackerModel

/// The sentences of one solution, gathered.
struct NavigationEpoch {
    /// Milliseconds of the day; `nil` while the receiver does not know the time.
    var timeOfDay: Int?
    var firstByteAt: Instant
    var lastByteAt: Instant
    var tally = SentenceTally()
    var rmc: NMEASentence.RMC?
    var gga: NMEASentence.GGA?
    var gst: NMEASentence.GST?
    var vtg: NMEASentence.VTG?
    var zda: NMEASentence.ZDA?
    /// Of all GSA of the epoch: the best mode, the sum of the satellites, the last HDOP given.
    var gsa: NMEASentence.GSA?

    init(timeOfDay: Int?, firstByteAt: Instant, lastByteAt: Instant) {
        self.timeOfDay = timeOfDay
        self.firstByteAt = firstByteAt
        self.lastByteAt = lastByteAt
    }

    mutating func add(_ sentence: NMEASentence) {
        tally.count(sentence)
        switch sentence {
        case .rmc(let rmc): self.rmc = rmc
        case .gga(let gga): self.gga = gga
        case .gst(let gst): self.gst = gst
        case .vtg(let vtg): self.vtg = vtg
        case .zda(let zda): self.zda = zda
        case .gsa(let gsa): merge(gsa)
        case .gns, .gsv, .other: break
        }
    }

    /// Whether an RMC or GGA like this one is in already.
    func presence(of sentence: NMEASentence) -> SentencePresence {
        switch sentence {
        case .rmc(let new): SentencePresence(new.talker, beside: rmc?.talker)
        case .gga(let new): SentencePresence(new.talker, beside: gga?.talker)
        default: .missing
        }
    }

    /// Takes over what came ahead of the first RMC or GGA: sentences without a time, and those of the same time.
    mutating func adopt(_ ahead: NavigationEpoch) {
        firstByteAt = min(firstByteAt, ahead.firstByteAt)
        if let gsa = ahead.gsa {
            self.gsa = gsa
            tally.gsa = ahead.tally.gsa
        }
        if let vtg = ahead.vtg { add(.vtg(vtg)) }
        if let gst = ahead.gst, gst.timeOfDay == timeOfDay { add(.gst(gst)) }
        if let zda = ahead.zda, zda.timeOfDay == timeOfDay { add(.zda(zda)) }
    }

    private mutating func merge(_ new: NMEASentence.GSA) {
        guard var merged = gsa else {
            gsa = new
            return
        }
        if let mode = new.mode { merged.mode = max(mode, merged.mode ?? mode) }
        merged.satellites += new.satellites
        merged.hdop = new.hdop ?? merged.hdop
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
