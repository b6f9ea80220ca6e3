import GNSSCodecs
import TrackerModel
import WireText

/// The receiver's line: whatever comes in, nothing traps; how it is split does not matter; the counters add up.
///
/// The first byte of an input holds options, the second seeds the splitting, the rest is what the receiver sends.
enum GNSSProperties {
    /// Make checksums right before decoding: a mutation seldom does, and what is behind a checksum is to be tested too.
    private static let repairs: UInt8 = 1
    /// The line pauses between bursts, so that deadlines of epochs come.
    private static let pauses: UInt8 = 2

    static func check(_ input: UnsafeBufferPointer<UInt8>) {
        guard input.count > 2 else { return }
        var stream = Array(input[2...])
        if input[0] & repairs != 0 { Checksums.repair(&stream) }
        checkDecoder(stream, pauses: input[0] & pauses != 0, seed: UInt64(input[1]))
        checkPacing(stream)
    }

    private static func checkDecoder(_ stream: [UInt8], pauses: Bool, seed: UInt64) {
        var random = RandomSource(seed: seed)
        var (whole, split) = (DecoderUnderTest(), DecoderUnderTest())
        var now = Instant(millis: 1_000)
        var at = 0
        while at < stream.count {
            let end = pauses ? min(stream.count, at + 1 + random.below(512)) : stream.count
            whole.expire(at: now)
            split.expire(at: now)
            stream.withUnsafeBufferPointer { bytes in
                let burst = UnsafeBufferPointer(rebasing: bytes[at..<end])
                whole.feed(burst, at: now)
                var begin = 0
                while begin < burst.count {
                    let stop = min(burst.count, begin + 1 + random.below(random.below(4) == 0 ? 256 : 4))
                    split.feed(UnsafeBufferPointer(rebasing: burst[begin..<stop]), at: now)
                    begin = stop
                }
            }
            require(whole.outputs.count == split.outputs.count, "split pieces give as many outputs as one piece")
            require(whole.decoder.deadline == split.decoder.deadline, "splitting does not move a deadline")
            at = end
            now = now.advanced(byMillis: Int64([5, 40, 160, 1_000][random.below(4)]))
        }
        whole.finish()
        split.finish()
        compare(whole, split)
        checkCounters(whole, fed: stream.count)
    }

    private static func compare(_ whole: DecoderUnderTest, _ split: DecoderUnderTest) {
        for (one, other) in zip(whole.outputs, split.outputs) where one != other {
            // An unknown accuracy is NaN, which differs from itself: its text does not.
            require("\(one)" == "\(other)", "split pieces give the same: \(one) and \(other)")
        }
        require(whole.outputs.count == split.outputs.count, "split pieces give as many outputs as one piece")
        require(
            whole.decoder.counters == split.decoder.counters,
            "split pieces count the same: \(whole.decoder.counters) and \(split.decoder.counters)")
    }

    private static func checkCounters(_ run: DecoderUnderTest, fed: Int) {
        let counters = run.decoder.counters
        require(counters.bytes == Int64(fed), "every byte is counted: \(counters.bytes) of \(fed)")
        require(counters.garbageBytes <= counters.bytes, "not more garbage than bytes")
        let kinds = [
            counters.rmc, counters.gga, counters.gsa, counters.gst, counters.vtg, counters.zda, counters.gsv,
            counters.other,
        ]
        require(kinds.reduce(0, +) <= counters.sentences, "not more sentences by kind than in all: \(counters)")
        var (fixes, others): (Int64, Int64) = (0, 0)
        for output in run.outputs {
            switch output {
            case .fix(let fix):
                fixes += 1
                checkFix(fix)
            case .noFix: others += 1
            default: break
            }
            guard let line = FixLine.json(output) else { continue }
            require((try? JSONReader.parse(line)) != nil, "the line of an output is JSON: \(line)")
        }
        require(fixes == counters.epochsWithFix, "\(fixes) fixes came, \(counters.epochsWithFix) are counted")
        require(others == counters.noFixEpochs, "\(others) epochs without came, \(counters.noFixEpochs) are counted")
    }

    private static func checkFix(_ fix: TrackFix) {
        require(
            fix.coordinate.latitude.isFinite && fix.coordinate.longitude.isFinite, "a position is a number: \(fix)")
        require(fix.speedMps.map { $0 >= 0 && $0.isFinite } ?? true, "a speed is a number of at least 0: \(fix)")
        require(fix.courseDeg.map { (0..<360).contains($0) } ?? true, "a course is in 0..<360: \(fix)")
        require(fix.altitudeM?.isFinite ?? true, "an altitude is a number: \(fix)")
        require(fix.accuracyM.isNaN || fix.accuracyM > 0, "an accuracy is unknown or above 0: \(fix)")
    }

    private static func checkPacing(_ stream: [UInt8]) {
        let log = PacedLog(stream)
        var end = log.chunks.first?.range.lowerBound ?? stream.count
        var offset: Int64 = -1
        for chunk in log.chunks {
            require(chunk.range.lowerBound == end && !chunk.range.isEmpty, "the chunks of a log leave nothing out")
            require(chunk.offsetMillis > offset, "the chunks of a log come one after the other")
            (end, offset) = (chunk.range.upperBound, chunk.offsetMillis)
        }
        require(end == stream.count, "the chunks of a log reach its end")
    }
}
