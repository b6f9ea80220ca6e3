import TestKit
import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("Streams of bytes")
struct StreamTests {
    private static let capture: [UInt8] = {
        let bodies = (0..<3).flatMap { second in
            [
                "GPGGA,12000\(second).00,4807.038,N,01131.00\(second),E,1,08,0.9,545.4,M,46.9,M,,",
                "GPGSA,A,3,02,07,04,13,20,10,16,23,08,,,,1.5,0.9,1.2",
                "GPGSV,1,1,02,02,46,305,41,07,10,020,",
                "GNGNS,12000\(second).00,4807.038,N,01131.00\(second),E,AN,08,0.9,545.4,46.9,,",
                "GPGLL,4807.038,N,01131.00\(second),E,12000\(second).00,A,A",
                "GPTXT,01,01,02,ANTSTATUS=OPEN", "PMTK001,314,3", "PAIR001,062,0",
                "PUBX,00,12000\(second).00,4807.038,N,01131.00\(second),E,9,G3,2,3,0.1,39.6,0,,0.9,1,1,8,0,0",
                "GPRMC,12000\(second).00,A,4807.038,N,01131.00\(second),E,10.0,084.4,010126,,,A",
            ]
        }
        return Array(
            ("noise" + bodies.map { sentence($0) }.joined() + sentence("GPGST,120002.00,,,,,3.0,4.0,6.5")).utf8)
    }()

    private func decode(_ pieces: [ArraySlice<UInt8>]) -> ([GNSSOutput], GNSSCounters) {
        var outputs: [GNSSOutput] = []
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        for piece in pieces { decoder.feed(Array(piece), at: Instant(millis: 5)) { outputs.append($0) } }
        decoder.finish { outputs.append($0) }
        return (outputs, decoder.counters)
    }

    @Test("A capture split at any byte decodes alike (E-003)")
    func split() {
        let whole = decode([Self.capture[...]])
        #expect(whole.0.filter { $0.fix != nil }.count == 3)
        for at in 0...Self.capture.count {
            let parts = decode([Self.capture[..<at], Self.capture[at...]])
            #expect(parts.0 == whole.0 && parts.1 == whole.1, "split at \(at)")
        }
        let bytewise = decode(Self.capture.indices.map { Self.capture[$0...$0] })
        #expect(bytewise.0 == whole.0 && bytewise.1 == whole.1)
    }

    /// Sentences with flipped bits, cut ends and pure noise between them.
    private static func noisy(count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 1_000)
        while bytes.count < count {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                for _ in 0..<Int.random(in: 1..<200, using: &random) {
                    bytes.append(UInt8.random(in: 0...255, using: &random))
                }
            case 1: bytes += capture
            case 2:
                var damaged = capture
                for _ in 0..<8 {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
                bytes += damaged
            default: bytes += capture.prefix(Int.random(in: 0..<capture.count, using: &random))
            }
        }
        return bytes
    }

    @Test("One byte lost in 10 kB costs one sentence and makes no false fix", arguments: [21, 22, 23] as [UInt64])
    func resynchronisation(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var whole: [UInt8] = []
        while whole.count < 500_000 { whole += Self.capture }
        var damaged: [UInt8] = []
        var lost: Int64 = 0
        for start in stride(from: 0, to: whole.count, by: 10_000) {
            var block = whole[start..<min(start + 10_000, whole.count)]
            block.remove(at: Int.random(in: block.indices, using: &random))
            lost += 1
            damaged += block
        }
        let (clean, seen) = (decode([whole[...]]), decode([damaged[...]]))
        // The byte between two sentences that is lost costs none; a lost dollar or asterisk costs one.
        #expect(clean.1.sentences - seen.1.sentences <= lost, "seed \(seed)")
        let places = Set(clean.0.compactMap { $0.fix.map { "\($0.coordinate)" } })
        #expect(seen.0.compactMap(\.fix).allSatisfy { places.contains("\($0.coordinate)") }, "seed \(seed)")
    }

    @Test("No frame with a wrong checksum is accepted among 10^6 damaged bytes (E-002)", arguments: [1, 2] as [UInt64])
    func fuzzFrames(seed: UInt64) {
        let bytes = Self.noisy(count: 1_000_000, seed: seed)
        var framer = NMEAFramer()
        var (accepted, wrong) = (0, 0)
        for (index, byte) in bytes.enumerated() where framer.push(byte).isSentence {
            accepted += 1
            let body = framer.withText { Array($0.body) }
            let declared = UInt8(String(decoding: bytes[(index - 1)...index], as: UTF8.self), radix: 16)
            let before = index - 2 - body.count
            if declared != body.reduce(0, ^) || before < 0 || Array(bytes[before..<index - 2]) != body { wrong += 1 }
        }
        #expect(accepted > 1_000)
        #expect(wrong == 0, "seed \(seed)")
    }

    @Test("The decoder survives 10^6 damaged bytes and gives only fixes that are there", arguments: [3] as [UInt64])
    func fuzzDecoder(seed: UInt64) {
        let bytes = Self.noisy(count: 1_000_000, seed: seed)
        var random = SeededRandom(seed: seed)
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        var (at, now, wild) = (0, Int64(0), 0)
        let judge: (GNSSOutput) -> Void = { output in
            guard let fix = output.fix else { return }
            let good =
                fix.coordinate.isValid && (fix.accuracyM.isNaN || (1...10_000).contains(fix.accuracyM))
                && fix.courseDeg.map { (0..<360).contains($0) } ?? true && fix.speedMps ?? 0 >= 0
            if !good { wild += 1 }
        }
        while at < bytes.count {
            let end = min(bytes.count, at + Int.random(in: 1...700, using: &random))
            now += Int64.random(in: 0...300, using: &random)
            decoder.expire(at: Instant(millis: now), judge)
            decoder.feed(Array(bytes[at..<end]), at: Instant(millis: now), judge)
            at = end
        }
        decoder.finish(judge)
        let seen = decoder.counters
        #expect(wild == 0, "seed \(seed)")
        #expect(seen.bytes == Int64(bytes.count))
        let kinds = [
            seen.rmc, seen.gga, seen.gns, seen.gll, seen.gsa, seen.gst, seen.gbs, seen.vtg, seen.zda, seen.gsv,
            seen.txt, seen.other,
        ]
        #expect(kinds.reduce(0, +) == seen.sentences)
        #expect(seen.epochsWithFix > 100 && seen.checksumErrors > 100 && seen.garbageBytes > 100)
    }
}

extension NMEAFramer.Event {
    fileprivate var isSentence: Bool { if case .sentence = self { true } else { false } }
}
