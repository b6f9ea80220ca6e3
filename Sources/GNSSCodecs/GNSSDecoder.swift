public import TrackerModel

/// Bytes of a receiver in, one output for each epoch out.
///
/// Pure and synchronous; in the steady state no sentence allocates memory. The caller sets a timer to `deadline` after
/// every call and answers it with `expire`.
///
///     var decoder = GNSSDecoder(config: GNSSDecoderConfig())
///     decoder.feed(bytes, at: now) { output in … }
public struct GNSSDecoder {
    public private(set) var counters = GNSSCounters()
    private var framer = NMEAFramer()
    private var sentenceStartedAt = Instant.zero
    private var epochs: EpochAssembler
    private var talk = NMEATalk()

    public init(config: GNSSDecoderConfig) { epochs = EpochAssembler(config: config) }

    /// When the open epoch must be closed though something is missing (spec capture §2.2); `.never` without one.
    public var deadline: Instant { epochs.deadline }

    /// Takes what one read returned.
    /// - Parameters:
    ///   - instant: when it was read; not before that of the call before.
    ///   - emit: called for every epoch that these bytes close, oldest first.
    public mutating func feed(
        _ bytes: UnsafeBufferPointer<UInt8>, at instant: Instant, _ emit: (GNSSOutput) -> Void
    ) {
        guard !bytes.isEmpty else { return }
        counters.bytes += Int64(bytes.count)
        epochs.noteBytes(at: instant)
        var index = 0
        while index < bytes.count {
            index += framer.absorb(bytes, from: index)
            guard index < bytes.count else { break }
            defer { index += 1 }
            switch framer.push(bytes[index]) {
            case .nothing: break
            case .began: sentenceStartedAt = instant
            case .restarted:
                counters.resyncs += 1
                sentenceStartedAt = instant
            case .garbage: counters.garbageBytes += 1
            case .broken:
                counters.resyncs += 1
                counters.garbageBytes += 1
            case .badChecksum: counters.checksumErrors += 1
            case .overlong: counters.overlong += 1
            case .sentence: take(at: instant, emit)
            }
        }
    }

    /// The same for bytes in an array.
    public mutating func feed(_ bytes: [UInt8], at instant: Instant, _ emit: (GNSSOutput) -> Void) {
        bytes.withUnsafeBufferPointer { feed($0, at: instant, emit) }
    }

    /// Closes the open epoch if its deadline has come.
    public mutating func expire(at instant: Instant, _ emit: (GNSSOutput) -> Void) {
        epochs.expire(at: instant, &counters, emit)
    }

    /// The input has ended: closes the open epoch with what it has.
    public mutating func finish(_ emit: (GNSSOutput) -> Void) { epochs.finish(&counters, emit) }

    private mutating func take(at instant: Instant, _ emit: (GNSSOutput) -> Void) {
        let (kind, sentence) = framer.sentence()
        counters.count(kind)
        if kind == .txt || kind == .answer { framer.withBody { talk.take(kind, body: $0, emit) } }
        guard let sentence else {
            counters.malformed += 1
            return
        }
        epochs.accept(sentence, startedAt: sentenceStartedAt, at: instant, &counters, emit)
    }
}

extension NMEAFramer {
    /// Decodes what `.sentence` announced; no sentence when its content is impossible.
    func sentence() -> (NMEASentence.Kind, NMEASentence?) {
        withBody { body in
            let kind = isEncapsulated ? .other : NMEASentence.Kind(address: body)
            return (kind, try? NMEASentence(kind, body: body))
        }
    }
}
