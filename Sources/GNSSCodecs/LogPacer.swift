/// Gives every byte of a recorded log the offset at which it was received, from the times in its sentences and frames.
///
/// A chunk begins with the first RMC, GGA, GNS, PUBX or GST (GLL where there is none of these) that has another time of
/// day than the one before, and with the first UBX navigation message that has another time of week. The spacing is the
/// difference of the two, or 1 s where that is not above 0 or over 1 h. In a log with both, whichever of the two is
/// first begins the chunk and the other, of the same solution, joins it.
public struct LogPacer {
    /// ZDA comes first in some cycles, but may have a time of its own: it leads a chunk only if the next sentence with
    /// a time has the same, and ends this close behind its beginning.
    private static let leadReach = 1_024

    /// Of the chunk at the end of what was split so far.
    public private(set) var offsetMillis: Int64 = 0
    private var timeOfDay = LogPacerClock(periodMillis: LogPacerClock.dayMillis)
    /// GPS time, which differs from the times of day by leap seconds that a log need not tell.
    private var timeOfWeek = LogPacerClock(periodMillis: 7 * LogPacerClock.dayMillis)
    /// GLL, whose time differs from that of the others in some receivers, counts only without them.
    private var hasOnlyGLL = true

    /// What is known while a block is split.
    private struct Position {
        var framer = NMEAFramer()
        var chunkStart = 0
        var sentenceStart = 0
        var lead: (start: Int, timeOfDay: Int)?
    }

    public init() {}

    /// Splits a block; a sentence or frame that the block cuts off is held back.
    /// - Parameter isLast: nothing follows, hold nothing back.
    /// - Returns: how many bytes were given out; begin the next block with the rest (less than 2 200 bytes).
    public mutating func split(
        _ block: UnsafeBufferPointer<UInt8>, isLast: Bool, _ emit: (_ offsetMillis: Int64, _ range: Range<Int>) -> Void
    ) -> Int {
        var position = Position()
        let decided = RawFrameWalk.pieces(of: block, isLast: isLast) { piece in
            switch piece {
            case .text(let range): takeText(block, range, &position, emit)
            case .ubx(let range):
                endSentence(&position)
                takeFrame(UBXFrame(whole: UnsafeBufferPointer(rebasing: block[range])), range, &position, emit)
            case .rtcm, .damagedUBX: endSentence(&position)
            }
        }
        var end = decided
        if !isLast {
            if position.framer.isInside { end = position.sentenceStart }
            if let lead = position.lead, decided - lead.start < Self.leadReach { end = min(end, lead.start) }
        }
        if end > position.chunkStart { emit(offsetMillis, position.chunkStart..<end) }
        return end
    }

    private func endSentence(_ position: inout Position) {
        if position.framer.isInside { _ = position.framer.push(UBXFrame.sync.0) }
    }

    private mutating func takeFrame(
        _ frame: UBXFrame, _ range: Range<Int>, _ position: inout Position, _ emit: (Int64, Range<Int>) -> Void
    ) {
        guard frame.messageClass == UBXMessage.navigationClass,
            let message = try? UBXMessage(id: frame.messageID, frame.payload)
        else { return }
        if let offset = timeOfWeek.read(Int(message.iTOW), inChunkAt: offsetMillis) {
            begin(at: range.lowerBound, offset, &position, emit)
        }
    }

    private mutating func takeText(
        _ block: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ position: inout Position,
        _ emit: (Int64, Range<Int>) -> Void
    ) {
        let ours = UnsafeBufferPointer(rebasing: block[..<range.upperBound])
        var index = range.lowerBound
        while index < range.upperBound {
            if !position.framer.isInside, let text = SentenceText(in: ours, at: index) {
                position.sentenceStart = index
                index += text.length
                takeSentence(text, endingAt: index - 1, &position, emit)
                continue
            }
            switch position.framer.push(block[index]) {
            case .began, .restarted: position.sentenceStart = index
            case .sentence:
                let whole = position.framer
                whole.withText { takeSentence($0, endingAt: index, &position, emit) }
            default: break
            }
            index += 1
        }
    }

    private mutating func takeSentence(
        _ text: SentenceText, endingAt index: Int, _ position: inout Position, _ emit: (Int64, Range<Int>) -> Void
    ) {
        guard let sentence = Self.timed(text) else { return }
        if case .zda(let zda) = sentence, let time = zda.timeOfDay, !timeOfDay.stands(at: time) {
            position.lead = (position.sentenceStart, time)
        }
        guard let time = chunkTime(of: sentence), !timeOfDay.stands(at: time) else { return }
        let offset = timeOfDay.read(time, inChunkAt: offsetMillis)
        let lead = position.lead
        position.lead = nil
        guard let offset else { return }
        if let lead, lead.timeOfDay == time, index - lead.start < Self.leadReach {
            begin(at: lead.start, offset, &position, emit)
        } else {
            begin(at: position.sentenceStart, offset, &position, emit)
        }
    }

    private mutating func begin(
        at start: Int, _ offset: Int64, _ position: inout Position, _ emit: (Int64, Range<Int>) -> Void
    ) {
        if start > position.chunkStart { emit(offsetMillis, position.chunkStart..<start) }
        position.chunkStart = start
        position.lead = nil
        offsetMillis = offset
    }

    /// Reads a sentence that may have a time; the others are not worth it.
    private static func timed(_ text: SentenceText) -> NMEASentence? {
        let kind = text.kind
        switch kind {
        case .rmc, .gga, .gns, .gll, .gst, .zda, .pubx: return try? text.sentence(kind)
        case .gsa, .gsv, .gbs, .vtg, .txt, .answer, .other: return nil
        }
    }

    /// The time of day that can begin a chunk.
    private mutating func chunkTime(of sentence: NMEASentence) -> Int? {
        let time: Int?
        switch sentence {
        case .rmc(let rmc): time = rmc.timeOfDay
        case .gga(let gga): time = gga.timeOfDay
        case .gns(let gns): time = gns.timeOfDay
        case .pubx(let pubx): time = pubx.timeOfDay
        case .gst(let gst): time = gst.timeOfDay
        case .gll(let gll): return hasOnlyGLL ? gll.timeOfDay : nil
        case .gbs, .gsa, .vtg, .zda, .gsv, .other: return nil
        }
        hasOnlyGLL = false
        return time
    }
}
