/// How many sentences of each kind an epoch has.
struct SentenceTally: Equatable {
    var rmc: UInt8 = 0
    var gga: UInt8 = 0
    var gns: UInt8 = 0
    var gsa: UInt8 = 0
    var gst: UInt8 = 0
    var gbs: UInt8 = 0
    var vtg: UInt8 = 0
    var zda: UInt8 = 0

    mutating func count(_ kind: NMEASentence.Kind) {
        switch kind {
        case .rmc: rmc.increment()
        case .gga: gga.increment()
        case .gns: gns.increment()
        case .gsa: gsa.increment()
        case .gst: gst.increment()
        case .gbs: gbs.increment()
        case .vtg: vtg.increment()
        case .zda: zda.increment()
        case .gll, .pubx, .gsv, .txt, .answer, .other: break
        }
    }

    fileprivate mutating func merge(_ other: SentenceTally, by choose: (UInt8, UInt8) -> UInt8) {
        rmc = choose(rmc, other.rmc)
        gga = choose(gga, other.gga)
        gns = choose(gns, other.gns)
        gsa = choose(gsa, other.gsa)
        gst = choose(gst, other.gst)
        gbs = choose(gbs, other.gbs)
        vtg = choose(vtg, other.vtg)
        zda = choose(zda, other.zda)
    }
}

extension UInt8 {
    fileprivate mutating func increment() { self = self == .max ? .max : self + 1 }
}

/// What this receiver regularly sends in an epoch, learned from the last five.
///
/// RMC and GGA are awaited until five epochs in a row lacked one of them, GST once one of five had it (spec capture
/// §2.2). GNS and GSA are awaited as often as they came in every one of the five; VTG and ZDA, which repeat what RMC
/// says, only from a receiver without RMC; GBS, which repeats what GST says, only from one without GST. What comes after
/// is not worth a delay.
struct SentenceHabit {
    private static let memory = 5
    private var recent = [SentenceTally](repeating: SentenceTally(), count: memory)
    private var known = 0
    private var next = 0
    /// The most and the least of the known ones.
    private var most = SentenceTally()
    private var least = SentenceTally()

    mutating func learn(_ tally: SentenceTally) {
        // Where the one that is forgotten was like it, which is the rule, nothing changes.
        let changes = known < Self.memory || recent[next] != tally
        recent[next] = tally
        next = (next + 1) % Self.memory
        known = min(known + 1, Self.memory)
        guard changes else { return }
        (most, least) = (recent[0], recent[0])
        for index in 1..<max(1, known) {
            most.merge(recent[index]) { max($0, $1) }
            least.merge(recent[index]) { min($0, $1) }
        }
    }

    func isComplete(_ tally: SentenceTally) -> Bool {
        // In doubt RMC and GGA are sent.
        let (sendsRMC, sendsGGA) = (known < Self.memory || most.rmc > 0, known < Self.memory || most.gga > 0)
        if tally.rmc == 0, sendsRMC { return false }
        if tally.gga == 0, sendsGGA { return false }
        if tally.gst == 0, most.gst > 0 { return false }
        if tally.gbs == 0, most.gbs > 0, most.gst == 0 { return false }
        if tally.gsa < least.gsa || tally.gns < least.gns { return false }
        return sendsRMC || (tally.vtg >= least.vtg && tally.zda >= least.zda)
    }
}
