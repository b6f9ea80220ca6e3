/// Which sentences with a position an epoch has, and from whom: the two letters ahead of `RMC` and so on.
struct SentenceTalkers {
    private var rmc: UInt16?
    private var gga: UInt16?
    private var gns: UInt16?
    private var gll: UInt16?
    private var hasPUBX = false

    mutating func add(_ sentence: NMEASentence) {
        switch sentence {
        case .rmc(let new): rmc = new.talker
        case .gga(let new): gga = new.talker
        case .gns(let new): gns = new.talker
        case .gll(let new): gll = new.talker
        case .pubx: hasPUBX = true
        case .gsa, .gsv, .gst, .gbs, .vtg, .zda, .other: break
        }
    }

    /// Whether a sentence like this one is in already.
    func presence(of sentence: NMEASentence) -> SentencePresence {
        switch sentence {
        case .rmc(let new): SentencePresence(new.talker, beside: rmc)
        case .gga(let new): SentencePresence(new.talker, beside: gga)
        case .gns(let new): SentencePresence(new.talker, beside: gns)
        case .gll(let new): SentencePresence(new.talker, beside: gll)
        case .pubx: hasPUBX ? .repeated : .missing
        case .gsa, .gsv, .gst, .gbs, .vtg, .zda, .other: .missing
        }
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
