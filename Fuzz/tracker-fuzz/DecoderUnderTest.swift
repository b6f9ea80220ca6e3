import GNSSCodecs
import TrackerModel

/// A decoder and all it said.
struct DecoderUnderTest {
    private(set) var decoder = GNSSDecoder(config: GNSSDecoderConfig())
    private(set) var outputs: [GNSSOutput] = []

    mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, at now: Instant) {
        var new: [GNSSOutput] = []
        decoder.feed(bytes, at: now) { new.append($0) }
        outputs += new
    }

    /// What the caller's timer does when it is due.
    mutating func expire(at now: Instant) {
        guard decoder.deadline <= now else { return }
        var new: [GNSSOutput] = []
        decoder.expire(at: now) { new.append($0) }
        outputs += new
    }

    mutating func finish() {
        var new: [GNSSOutput] = []
        decoder.finish { new.append($0) }
        outputs += new
    }
}
