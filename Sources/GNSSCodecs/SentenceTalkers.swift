/// Which sentences with a position an epoch has, and from whom: the two letters ahead of `RMC` and so on.
struct SentenceTalkers {
    private var rmc: UInt16?
    private var gga: UInt16?
    private var gns: UInt16?
    private var gll: UInt16?
    private var pubx: UInt16?

    mutating func add(_ mark: SentenceMark) {
        switch mark.kind {
        case .rmc: rmc = mark.talker
        case .gga: gga = mark.talker
        case .gns: gns = mark.talker
        case .gll: gll = mark.talker
        case .pubx: pubx = mark.talker
        case .gsa, .gsv, .gst, .gbs, .vtg, .zda, .txt, .answer, .other: break
        }
    }

    /// Whether a sentence like this one is in already.
    func presence(of mark: SentenceMark) -> SentencePresence {
        switch mark.kind {
        case .rmc: SentencePresence(mark.talker, beside: rmc)
        case .gga: SentencePresence(mark.talker, beside: gga)
        case .gns: SentencePresence(mark.talker, beside: gns)
        case .gll: SentencePresence(mark.talker, beside: gll)
        case .pubx: SentencePresence(mark.talker, beside: pubx)
        case .gsa, .gsv, .gst, .gbs, .vtg, .zda, .txt, .answer, .other: .missing
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
