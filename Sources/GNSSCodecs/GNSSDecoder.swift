public import TrackerModel

/// Bytes of a receiver in, one output for each epoch out: NMEA 0183, UBX, and RTCM to be skipped, in any mixture.
///
/// Pure and synchronous; in the steady state no sentence and no frame with a position allocates memory. The caller sets
/// a timer to `deadline` after every call and answers it with `expire`. Where a receiver sends both protocols UBX wins:
/// for 5 s after each of its epochs those of NMEA are ignored.
///
///     var decoder = GNSSDecoder(config: GNSSDecoderConfig())
///     decoder.feed(bytes, at: now) { output in … }
public struct GNSSDecoder {
    var tally = GNSSCounters()
    var text = NMEAFramer()
    var sentences: EpochAssembler
    var ubx: UBXDecoder
    var gate = EpochGate()
    var talk = NMEATalk()
    var held = HeldBytes.withRoom()
    /// Where the sentence in `text` began: when it was read, and its place in the stream.
    var sentenceStart = (at: Instant.zero, offset: Int64(0))
    private var lastFedAt = Instant.zero
    /// Bytes that have been decided on.
    var scanned: Int64 = 0

    /// Called for every frame with a right checksum, in the order of the stream; costs nothing while it is `nil`.
    public var onFrame: ((FrameNote) -> Void)?

    /// Called ahead of the first epoch, and of the first that comes in another protocol than the one before.
    public var onSource: ((EpochSource) -> Void)? {
        get { gate.onSource }
        set { gate.onSource = newValue }
    }

    public init(config: GNSSDecoderConfig) {
        sentences = EpochAssembler(config: config)
        ubx = UBXDecoder(config: config)
    }

    /// The protocol of the newest epoch; `nil` before the first.
    public var lastSource: EpochSource? { gate.source }

    public var counters: GNSSCounters {
        var counters = tally
        counters.epochsWithFix -= gate.supersededFixes
        counters.noFixEpochs -= gate.supersededNoFixes
        counters.supersededEpochs = gate.supersededFixes + gate.supersededNoFixes
        return counters
    }

    /// When `expire` must be called: an epoch must be closed though something is missing (spec capture §2.2), or the
    /// end of a frame is overdue. `.never` when nothing waits.
    public private(set) var deadline = Instant.never

    /// Takes what one read returned.
    /// - Parameters:
    ///   - instant: when it was read; not before that of the call before.
    ///   - emit: called for every epoch that these bytes close, oldest first.
    public mutating func feed(
        _ bytes: UnsafeBufferPointer<UInt8>, at instant: Instant, _ emit: (GNSSOutput) -> Void
    ) {
        guard !bytes.isEmpty else { return }
        defer { noteDeadline() }
        tally.bytes += Int64(bytes.count)
        if instant >= held.deadline { settle(isLast: true, emit) }
        lastFedAt = instant
        sentences.noteBytes(at: instant)
        ubx.noteBytes(at: instant)
        var used = 0
        while !held.isEmpty {
            let missing = held.missing
            let end = min(bytes.count, used + missing)
            held.append(UnsafeBufferPointer(rebasing: bytes[used..<end]), at: instant)
            if end < used + missing { return }
            used = end
            if held.missing == 0 { settle(isLast: false, emit) }
        }
        let rest = UnsafeBufferPointer(rebasing: bytes[used...])
        let decided = scan(rest, .all(instant), isLast: false, emit)
        if decided < rest.count {
            held.append(UnsafeBufferPointer(rebasing: rest[decided...]), at: instant)
        }
    }

    /// The same for bytes in an array.
    public mutating func feed(_ bytes: [UInt8], at instant: Instant, _ emit: (GNSSOutput) -> Void) {
        bytes.withUnsafeBufferPointer { feed($0, at: instant, emit) }
    }

    /// Gives up what waits and whose deadline has come.
    public mutating func expire(at instant: Instant, _ emit: (GNSSOutput) -> Void) {
        guard instant >= deadline else { return }
        defer { noteDeadline() }
        if instant >= held.deadline { settle(isLast: true, emit) }
        ubx.expire(at: instant, &sentences.timekeeper, &gate, &tally, emit)
        let interference = ubx.interference
        sentences.expire(at: instant, &gate, &tally) { interference.pass($0, at: instant, emit) }
    }

    /// The input has ended: closes the open epochs with what they have.
    public mutating func finish(_ emit: (GNSSOutput) -> Void) {
        defer { noteDeadline() }
        let instant = lastFedAt
        settle(isLast: true, emit)
        ubx.close(at: instant, &sentences.timekeeper, &gate, &tally, emit)
        let interference = ubx.interference
        sentences.finish(at: instant, &gate, &tally) { interference.pass($0, at: instant, emit) }
    }

    private mutating func noteDeadline() {
        deadline = min(sentences.deadline, min(ubx.deadline, held.deadline))
    }
}
