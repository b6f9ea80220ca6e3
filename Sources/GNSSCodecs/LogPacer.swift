import TrackerModel

/// Gives every byte of a recorded log the offset at which it was received, from the times of day in its sentences.
///
/// A chunk begins with the first RMC, GGA, GNS, PUBX or GST (GLL where there is none of these) that has another time of day than the chunk before; the spacing
/// is the difference of the two, or 1 s where that is not above 0 or over 1 h.
public struct LogPacer {
    private static let dayMillis = 86_400_000
    private static let longestGapMillis = 3_600_000
    private static let defaultGapMillis = 1_000

    /// Of the chunk at the end of what was split so far.
    public private(set) var offsetMillis: Int64 = 0
    private var timeOfDay: Int?
    /// GLL, whose time differs from that of the others in some receivers, counts only without them.
    private var hasOnlyGLL = true

    public init() {}

    /// Splits a block; a sentence that the block cuts off is held back.
    /// - Parameter isLast: nothing follows, hold nothing back.
    /// - Returns: how many bytes were given out; begin the next block with the rest (at most 120 bytes).
    public mutating func split(
        _ block: UnsafeBufferPointer<UInt8>, isLast: Bool, _ emit: (_ offsetMillis: Int64, _ range: Range<Int>) -> Void
    ) -> Int {
        var framer = NMEAFramer()
        var (chunkStart, sentenceStart) = (0, 0)
        // ZDA comes first in some cycles, but may have a time of its own: it leads a chunk only if the next sentence
        // with a time has the same.
        var lead: (start: Int, timeOfDay: Int)?
        var index = 0
        while index < block.count {
            index += framer.absorb(block, from: index)
            guard index < block.count else { break }
            defer { index += 1 }
            switch framer.push(block[index]) {
            case .began, .restarted: sentenceStart = index
            case .sentence:
                let sentence = framer.sentence().1
                if case .zda(let zda)? = sentence, let time = zda.timeOfDay, time != timeOfDay {
                    lead = (sentenceStart, time)
                }
                guard let time = chunkTime(of: sentence), time != timeOfDay else { continue }
                guard timeOfDay != nil else {
                    // What is ahead of the first time belongs to the first chunk.
                    timeOfDay = time
                    continue
                }
                let start = lead?.timeOfDay == time ? lead?.start ?? sentenceStart : sentenceStart
                lead = nil
                if start > chunkStart { emit(offsetMillis, chunkStart..<start) }
                chunkStart = start
                advance(to: time)
            default: break
            }
        }
        let end = framer.isInside && !isLast ? sentenceStart : block.count
        if end > chunkStart { emit(offsetMillis, chunkStart..<end) }
        return end
    }

    private mutating func advance(to time: Int) {
        defer { timeOfDay = time }
        guard let timeOfDay else { return }
        var gap = time - timeOfDay
        if gap < -Self.dayMillis / 2 { gap += Self.dayMillis }
        offsetMillis += Int64((1...Self.longestGapMillis).contains(gap) ? gap : Self.defaultGapMillis)
    }

    /// The time of day that can begin a chunk.
    private mutating func chunkTime(of sentence: NMEASentence?) -> Int? {
        let time: Int?
        switch sentence {
        case .rmc(let rmc): time = rmc.timeOfDay
        case .gga(let gga): time = gga.timeOfDay
        case .gns(let gns): time = gns.timeOfDay
        case .pubx(let pubx): time = pubx.timeOfDay
        case .gst(let gst): time = gst.timeOfDay
        case .gll(let gll): return hasOnlyGLL ? gll.timeOfDay : nil
        case .gbs, .gsa, .vtg, .zda, .gsv, .other, nil: return nil
        }
        hasOnlyGLL = false
        return time
    }
}
