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
        var (index, textStart) = (0, 0)
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
        withGate { decoder, gate in
            decoder.ubx.accept(
                frame, startedAt: startedAt, at: endedAt, &decoder.tally, &decoder.sentences.timekeeper
            ) {
                if gate.admits($0, from: .ubx, at: endedAt) { emit($0) }
            }
        }
    }

    /// Takes the gate out, so that outputs may go through it while another part of the decoder makes them: taken out
    /// rather than copied, for this is done for every sentence.
    mutating func withGate<Result>(_ work: (inout GNSSDecoder, inout EpochGate) -> Result) -> Result {
        var taken = EpochGate()
        swap(&taken, &gate)
        defer { swap(&taken, &gate) }
        return work(&self, &taken)
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
        var index = range.lowerBound
        while index < range.upperBound {
            let event = text.next(ours, from: &index)
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
            case .sentence: takeSentence(endingAt: scanned + Int64(last), times[last], emit)
            }
        }
    }

    private mutating func takeSentence(
        endingAt offset: Int64, _ instant: Instant, _ emit: (GNSSOutput) -> Void
    ) {
        let kind = text.kind
        tally.count(kind)
        if kind == .txt || kind == .answer {
            text.withBody { talk.take(kind, body: $0, NMEAFields($0, commas: text.commas), emit) }
        }
        if let onFrame {
            let length = Int(offset - sentenceStart.offset) + 1
            onFrame(FrameNote(kind: .nmea, offset: sentenceStart.offset, length: length))
        }
        if kind == .gsv, !sentences.sky.wantsMore(at: instant) { return }
        let mark = SentenceMark(kind: kind, talker: 0, startedAt: sentenceStart.at, at: instant)
        if !Self.accept(mark, text, &sentences, &gate, ubx.interference, &tally, emit) { tally.malformed += 1 }
    }

    /// Gets the decoder's parts one by one and by reference, so that the text can be read and the gate be asked while
    /// the epochs change: without a copy, for a copy of what was just written has to wait.
    /// - Returns: false when the content is impossible.
    @inline(__always)
    private static func accept(
        _ mark: SentenceMark, _ text: NMEAFramer, _ sentences: inout EpochAssembler, _ gate: inout EpochGate,
        _ interference: UBXInterference, _ tally: inout GNSSCounters, _ emit: (GNSSOutput) -> Void
    ) -> Bool {
        text.withBody { body in
            var (mark, fields) = (mark, NMEAFields(body, commas: text.commas))
            mark.talker = fields.talker
            do throws(MalformedSentence) {
                try sentences.accept(mark, &fields, &tally) {
                    if gate.admits($0, from: .nmea, at: mark.at) { interference.pass($0, at: mark.at, emit) }
                }
                return true
            } catch {
                return false
            }
        }
    }
}

extension NMEAFramer {
    /// What kind of sentence `.sentence` announced.
    @inline(__always)
    var kind: NMEASentence.Kind { withBody { isEncapsulated ? .other : NMEASentence.Kind(address: $0) } }

    /// Decodes it.
    func sentence(_ kind: NMEASentence.Kind) throws(MalformedSentence) -> NMEASentence {
        try withBody { body throws(MalformedSentence) in
            try NMEASentence(kind, NMEAFields(body, commas: commas))
        }
    }

    /// Both; no sentence when its content is impossible.
    func sentence() -> (NMEASentence.Kind, NMEASentence?) {
        let kind = kind
        return (kind, try? sentence(kind))
    }
}
