import TrackerModel

extension GNSSDecoder {
    /// Decides on the bytes held back.
    /// - Parameter isLast: what was missing will not come.
    mutating func settle(isLast: Bool, _ emit: (GNSSOutput) -> Void) {
        var work = HeldBytes()
        swap(&work, &held)
        let decided = work.withBytes { scan($0, $1, isLast: isLast, emit) }
        work.removeFirst(decided)
        swap(&work, &held)
    }

    /// Takes text and frames in the order of the stream, up to the first beginning of a frame that goes on beyond
    /// these bytes.
    /// - Parameter isLast: nothing follows, so that such a beginning is none.
    /// - Returns: how many bytes were decided on.
    mutating func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, _ times: ReadTimes, isLast: Bool, _ emit: (GNSSOutput) -> Void
    ) -> Int {
        // Most of what receivers send is sentences: in these no frame can begin.
        var index = takeSentences(bytes, from: 0, times, emit)
        var textStart = index
        while index < bytes.count {
            index = bytes.binaryStart(from: index)
            guard index < bytes.count else { break }
            let rest = UnsafeBufferPointer(rebasing: bytes[index...])
            switch FrameVerdict(rest) {
            case .ubx(let length):
                takeText(bytes, textStart..<index, times, emit)
                takeUBX(UnsafeBufferPointer(rebasing: rest[..<length]), at: index, times, emit)
                index += length
                textStart = index
                continue
            case .rtcm(let length):
                takeText(bytes, textStart..<index, times, emit)
                breakSentence()
                tally.rtcmFrames += 1
                onFrame?(FrameNote(kind: .rtcm, offset: scanned + Int64(index), length: length))
                index += length
                textStart = index
                continue
            case .undecided where !isLast:
                takeText(bytes, textStart..<index, times, emit)
                scanned += Int64(index)
                return index
            case .badChecksum: tally.ubxChecksumErrors += 1
            case .overlong: tally.ubxOverlong += 1
            case .none, .undecided: break
            }
            index += 1
        }
        takeText(bytes, textStart..<bytes.count, times, emit)
        scanned += Int64(bytes.count)
        return bytes.count
    }

    private mutating func takeUBX(
        _ whole: UnsafeBufferPointer<UInt8>, at index: Int, _ times: ReadTimes, _ emit: (GNSSOutput) -> Void
    ) {
        breakSentence()
        let frame = UBXFrame(whole: whole)
        let (startedAt, endedAt) = (times[index], times[index + whole.count - 1])
        if let onFrame {
            let kind = FrameNote.Kind.ubx(messageClass: frame.messageClass, messageID: frame.messageID)
            onFrame(FrameNote(kind: kind, offset: scanned + Int64(index), length: whole.count))
        }
        ubx.accept(frame, startedAt: startedAt, at: endedAt, &sentences.timekeeper, &gate, &tally, emit)
    }

    /// A binary frame has begun: a sentence that was being read has lost its end.
    private mutating func breakSentence() {
        guard text.isInside else { return }
        _ = text.push(UBXFrame.sync.0)
        tally.resyncs += 1
    }

    /// Takes bytes that belong to no binary frame.
    private mutating func takeText(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ times: ReadTimes, _ emit: (GNSSOutput) -> Void
    ) {
        let ours = UnsafeBufferPointer(rebasing: bytes[..<range.upperBound])
        var index = takeSentences(ours, from: range.lowerBound, times, emit)
        while index < range.upperBound {
            takeBytes(ours, from: &index, times, emit)
            index = takeSentences(ours, from: index, times, emit)
        }
    }

    /// Takes whole sentences that follow one another, and the line ends behind them.
    /// - Returns: where something else begins.
    private mutating func takeSentences(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ times: ReadTimes, _ emit: (GNSSOutput) -> Void
    ) -> Int {
        var index = start
        while index < bytes.count, !text.isInside, let sentence = SentenceText(in: bytes, at: index) {
            sentenceStart = (times[index], scanned + Int64(index))
            index += sentence.length
            takeSentence(sentence, times[index - 1], emit)
            while index < bytes.count, bytes[index].isLineEnd { index += 1 }
        }
        return index
    }

    /// Takes at least one byte where there is no sentence, or one that is not whole here, and all up to where another may
    /// begin.
    @inline(never)
    private mutating func takeBytes(
        _ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int, _ times: ReadTimes, _ emit: (GNSSOutput) -> Void
    ) {
        repeat {
            let event = text.next(bytes, from: &index)
            let last = index - 1
            switch event {
            case .nothing: break
            case .began: sentenceStart = (times[last], scanned + Int64(last))
            case .restarted:
                tally.resyncs += 1
                sentenceStart = (times[last], scanned + Int64(last))
            case .garbage: tally.garbageBytes += 1
            case .broken:
                tally.resyncs += 1
                tally.garbageBytes += 1
            case .badChecksum: tally.checksumErrors += 1
            case .overlong: tally.overlong += 1
            case .sentence:
                let whole = text
                whole.withText { takeSentence($0, times[last], emit) }
            }
        } while index < bytes.count && !SentenceText.begins(with: bytes[index])
    }

    /// Takes the sentence that began at `sentenceStart`.
    @inline(__always)
    private mutating func takeSentence(_ text: SentenceText, _ instant: Instant, _ emit: (GNSSOutput) -> Void) {
        let kind = text.kind
        tally.count(kind)
        if let onFrame { onFrame(FrameNote(kind: .nmea, offset: sentenceStart.offset, length: text.length)) }
        switch kind {
        case .other: return
        case .txt, .answer: return talk.take(kind, text, emit)
        case .gsv where !sentences.sky.wantsMore(at: instant): return
        default: break
        }
        let fields = text.fields
        let mark = SentenceMark(kind: kind, talker: fields.talker, startedAt: sentenceStart.at, at: instant)
        let interference = ubx.interference
        do throws(MalformedSentence) {
            try sentences.accept(mark, fields, &gate, &tally) { interference.pass($0, at: instant, emit) }
        } catch {
            tally.malformed += 1
        }
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n") }
}
