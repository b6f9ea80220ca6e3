/// How many sentences of each kind an epoch has.
struct SentenceTally {
    var rmc: UInt8 = 0
    var gga: UInt8 = 0
    var gsa: UInt8 = 0
    var gst: UInt8 = 0
    var vtg: UInt8 = 0
    var zda: UInt8 = 0

    mutating func count(_ sentence: NMEASentence) {
        switch sentence {
        case .rmc: rmc.increment()
        case .gga: gga.increment()
        case .gsa: gsa.increment()
        case .gst: gst.increment()
        case .vtg: vtg.increment()
        case .zda: zda.increment()
        case .gns, .gsv, .other: break
        }
    }
}

extension UInt8 {
    fileprivate mutating func increment() { self = self == .max ? .max : self + 1 }
}

/// What this receiver regularly sends in an epoch, learned from the last five.
///
/// RMC and GGA are awaited until five epochs in a row lacked one of them, GST once one of five had it (spec capture
/// §2.2). GSA is awaited as often as it came in every one of the five; VTG and ZDA, which repeat what RMC says, only
/// from a receiver without RMC. What comes after is not worth a delay.
struct SentenceHabit {
    private static let memory = 5
    private var recent = [SentenceTally](repeating: SentenceTally(), count: memory)
    private var known = 0
    private var next = 0

    mutating func learn(_ tally: SentenceTally) {
        recent[next] = tally
        next = (next + 1) % Self.memory
        known = min(known + 1, Self.memory)
    }

    func isComplete(_ tally: SentenceTally) -> Bool {
        let (sendsRMC, sendsGGA) = (sends(\.rmc), sends(\.gga))
        if tally.rmc == 0, sendsRMC { return false }
        if tally.gga == 0, sendsGGA { return false }
        guard known > 0 else { return true }
        if tally.gst == 0, any(\.gst) { return false }
        if tally.gsa < always(\.gsa) { return false }
        return sendsRMC || (tally.vtg >= always(\.vtg) && tally.zda >= always(\.zda))
    }

    /// In doubt, yes.
    private func sends(_ kind: KeyPath<SentenceTally, UInt8>) -> Bool { known < Self.memory || any(kind) }

    private func any(_ kind: KeyPath<SentenceTally, UInt8>) -> Bool {
        recent[..<known].contains { $0[keyPath: kind] > 0 }
    }

    private func always(_ kind: KeyPath<SentenceTally, UInt8>) -> UInt8 {
        recent[..<known].reduce(UInt8.max) { min($0, $1[keyPath: kind]) }
    }
}
