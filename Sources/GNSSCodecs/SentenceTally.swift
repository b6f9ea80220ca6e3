/// How many sentences of each kind an epoch has, one byte for each kind: compared and copied at once.
struct SentenceTally: Equatable {
    private var counts: UInt64 = 0

    var rmc: UInt8 { self[.rmc] }
    var gga: UInt8 { self[.gga] }
    var gns: UInt8 { self[.gns] }
    var gsa: UInt8 { self[.gsa] }
    var gst: UInt8 { self[.gst] }
    var gbs: UInt8 { self[.gbs] }
    var vtg: UInt8 { self[.vtg] }
    var zda: UInt8 { self[.zda] }

    /// Of a kind that is counted, 255 at most.
    subscript(kind: NMEASentence.Kind) -> UInt8 {
        @inline(__always)
        get { UInt8(truncatingIfNeeded: counts &>> kind.shift) }
        @inline(__always)
        set { counts = counts & ~(0xFF &<< kind.shift) | UInt64(newValue) &<< kind.shift }
    }

    @inline(__always)
    mutating func count(_ kind: NMEASentence.Kind) {
        guard kind.isCounted, self[kind] < .max else { return }
        counts &+= 1 &<< kind.shift
    }

    /// The larger count of each kind.
    fileprivate func most(_ other: SentenceTally) -> SentenceTally {
        let isOurs = isAtLeast(other)
        return SentenceTally(counts: counts & isOurs | other.counts & ~isOurs)
    }

    /// The smaller count of each kind.
    fileprivate func least(_ other: SentenceTally) -> SentenceTally {
        let isOurs = other.isAtLeast(self)
        return SentenceTally(counts: counts & isOurs | other.counts & ~isOurs)
    }

    /// All bits of those kinds that have no fewer than the other.
    private func isAtLeast(_ other: SentenceTally) -> UInt64 {
        let ours = unsafeBitCast(counts, to: SIMD8<UInt8>.self)
        let theirs = unsafeBitCast(other.counts, to: SIMD8<UInt8>.self)
        return unsafeBitCast(ours .>= theirs, to: UInt64.self)
    }
}

extension NMEASentence.Kind {
    @inline(__always)
    fileprivate var isCounted: Bool { rawValue < 8 }
    @inline(__always)
    fileprivate var shift: UInt64 { UInt64(rawValue) &* 8 }
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
        let place = next
        next = place + 1 < Self.memory ? place + 1 : 0
        // Where the one that is forgotten was like it, which is the rule, nothing changes.
        if known == Self.memory, recent[place] == tally { return }
        recent[place] = tally
        known = min(known + 1, Self.memory)
        (most, least) = (recent[0], recent[0])
        for index in 1..<max(1, known) {
            most = most.most(recent[index])
            least = least.least(recent[index])
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
