import TestKit
import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("Finding binary frames in bytes")
struct UBXFramingTests {
    private static let gga = "GPGGA,120000.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
    /// RTCM 1005, the example of the standard.
    private static let rtcm: [UInt8] = [
        0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD, 0x62, 0xAC, 0x09,
        0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
    ]

    private func run(_ pieces: [ArraySlice<UInt8>]) -> ([GNSSOutput], GNSSCounters) {
        var bench = UBXBench()
        for piece in pieces { bench.feed(Array(piece), atMillis: 5) }
        bench.finish()
        return (bench.outputs, bench.decoder.counters)
    }

    @Test("F-10: a version reply of 220 bytes and NAV-PVT in one write are both decoded", arguments: [160, 220, 250])
    func longVersion(length: Int) {
        let version = UBXPart.version((0..<(length - 40) / 30).map { "EXTENSION \($0)" })
        #expect(version.count == length + 8)
        var bench = UBXBench()
        bench.feed(version + PVTSample().frame, atMillis: 1_000)
        #expect(bench.outputs.count == 2)
        #expect(bench.fixes.count == 1)
    }

    @Test("F-11: a sync pair read as a length costs no frame behind it")
    func syncAsLength() {
        var bench = UBXBench()
        bench.feed([0xB5, 0x62, 0x05, 0x01, 0x82] + PVTSample().frame, atMillis: 1_000)
        #expect(bench.fixes.count == 1)
        #expect(bench.decoder.counters.ubxOverlong == 1)
        #expect(bench.decoder.counters.garbageBytes == 5)
    }

    @Test("A frame that lost bytes costs no frame behind it, wherever they are missing (F-11)")
    func lostBytes() {
        let whole = PVTSample.second(0).frame
        for lost in 0..<whole.count {
            for count in [1, 2, 7] where lost + count <= whole.count {
                var damaged = whole
                damaged.removeSubrange(lost..<lost + count)
                let (outputs, counters) = run([(damaged + (1...9).flatMap { PVTSample.second($0).frame })[...]])
                #expect(outputs.compactMap(\.fix).count == 9, "\(count) lost at \(lost)")
                #expect(counters.ubxFrames == 9)
            }
        }
    }

    @Test("A corrupt length swallows nothing (E-002)", arguments: [0, 1, 83, 100, 1_024, 1_025, 46_466, 65_535])
    func corruptLength(length: Int) {
        var damaged = PVTSample.second(0).frame
        (damaged[4], damaged[5]) = (UInt8(length & 0xFF), UInt8(length >> 8))
        let (outputs, counters) = run([(damaged + (1...20).flatMap { PVTSample.second($0).frame })[...]])
        #expect(outputs.compactMap(\.fix).count == 20)
        #expect(counters.ubxChecksumErrors + counters.ubxOverlong == 1)
    }

    @Test("1 024 bytes of payload are a frame, 1 025 are overlong")
    func longest() {
        let longest = run([ubxFrame(0x02, 0x15, [UInt8](repeating: 7, count: 1_024))[...]]).1
        #expect(longest.ubxFrames == 1 && longest.garbageBytes == 0)
        let over = run([ubxFrame(0x02, 0x15, [UInt8](repeating: 7, count: 1_025))[...]]).1
        #expect(over.ubxFrames == 0 && over.ubxOverlong == 1)
        // 64 satellites.
        #expect(8 + 12 * 64 <= UBXFrame.longestPayload)
    }

    @Test("Sentences, UBX and RTCM interleaved decode alike however they are split (E-003, E-009)")
    func split() {
        var capture: [UInt8] = Array("noise".utf8) + [0xB5, 0xD3, 0x00]
        for second in 0..<3 {
            capture += PVTSample.second(second).frame + UBXPart.dop(PVTSample.second(second).iTOW)
            capture += Array(sentence(Self.gga).utf8) + Self.rtcm
            capture += UBXPart.hardware() + [0xB5, 0x62, 0x01] + UBXPart.end(PVTSample.second(second).iTOW)
        }
        let whole = run([capture[...]])
        #expect(whole.0.compactMap(\.fix).count == 3)
        #expect(whole.1.rtcmFrames == 3 && whole.1.ubxFrames == 12 && whole.1.gga == 3)
        for at in 0...capture.count {
            let parts = run([capture[..<at], capture[at...]])
            #expect(parts.0 == whole.0 && parts.1 == whole.1, "split at \(at)")
        }
        let bytewise = run(capture.indices.map { capture[$0...$0] })
        #expect(bytewise.0 == whole.0 && bytewise.1 == whole.1)
        for size in [2, 3, 5, 7, 64, 128] {
            let pieces = stride(from: 0, to: capture.count, by: size).map {
                capture[$0..<min(capture.count, $0 + size)]
            }
            let parts = run(pieces)
            #expect(parts.0 == whole.0 && parts.1 == whole.1, "pieces of \(size)")
        }
    }

    @Test("RTCM frames are skipped whole, whatever their message contains")
    func rtcmWithSentence() {
        #expect(run([Self.rtcm[...]]).1.rtcmFrames == 1)
        #expect(run([Self.rtcm[...]]).1.garbageBytes == 0)
        // A sentence inside a frame is data, not a sentence.
        let message = Array(sentence(Self.gga).utf8)
        let head: [UInt8] = [0xD3, 0, UInt8(message.count)] + message
        let crc = head.withUnsafeBufferPointer { RTCMFrame.checksum($0) }
        let counters = run([(head + [UInt8(crc >> 16), UInt8(crc >> 8 & 0xFF), UInt8(crc & 0xFF)])[...]]).1
        #expect(counters.rtcmFrames == 1 && counters.sentences == 0)
        let damaged = run([(head + [0, 0, 0])[...]]).1
        #expect(damaged.rtcmFrames == 0 && damaged.sentences == 1)
    }

    @Test("A frame without its end is given up when the line falls idle, and what is in it keeps its time")
    func idle() throws {
        var bench = UBXBench()
        // Claims 1 024 bytes.
        bench.feed([0xB5, 0x62, 0x01, 0x07, 0x00, 0x04] + PVTSample().frame, atMillis: 1_000)
        #expect(bench.fixes.isEmpty)
        #expect(bench.decoder.deadline == Instant(millis: 1_300))
        bench.expire(atMillis: 1_299)
        #expect(bench.fixes.isEmpty)
        bench.expire(atMillis: 1_300)
        #expect(try #require(bench.fixes.first).instant == Instant(millis: 1_000))
        // The same when nobody asks until the next bytes come.
        bench.feed([0xB5, 0x62, 0x01, 0x07, 0x00, 0x04] + PVTSample.second(1).frame, atMillis: 2_000)
        bench.feed(PVTSample.second(2).frame, atMillis: 3_000)
        #expect(bench.fixes.map(\.instant) == [1_000, 2_000, 3_000].map { Instant(millis: $0) })
        #expect(bench.decoder.deadline == .never)
    }

    @Test("Each frame is noted with its kind, place and length")
    func notes() {
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        var notes: [FrameNote] = []
        decoder.onFrame = { notes.append($0) }
        let text = Array(sentence(Self.gga).utf8)
        let stream = [0x41, 0x42] + PVTSample().frame + text + Self.rtcm
        for byte in stream { decoder.feed([byte], at: .zero) { _ in } }
        #expect(
            notes == [
                FrameNote(kind: .ubx(messageClass: 1, messageID: 7), offset: 2, length: 100),
                FrameNote(kind: .nmea, offset: 102, length: text.count - 2),
                FrameNote(kind: .rtcm, offset: Int64(102 + text.count), length: 25),
            ])
    }

    // Properties.

    private static func damagedStream(count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var bytes: [UInt8] = []
        var second = 0
        while bytes.count < count {
            second += 1
            var piece = PVTSample.second(second % 3_600).frame + UBXPart.dop(PVTSample.second(second % 3_600).iTOW)
            piece += UBXPart.hardware() + Array(sentence(gga).utf8) + rtcm
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                piece = (0..<Int.random(in: 1..<300, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            case 1:
                for _ in 0..<6 {
                    piece[Int.random(in: 0..<piece.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
            case 2: piece = Array(piece.prefix(Int.random(in: 0..<piece.count, using: &random)))
            case 3:
                // The length of the first frame.
                piece[4] = UInt8.random(in: 0...255, using: &random)
                piece[5] = UInt8.random(in: 0...6, using: &random)
            default: break
            }
            bytes += piece
        }
        return bytes
    }

    @Test(
        "No frame with a wrong checksum is accepted among 10^6 damaged bytes (E-002)", arguments: [11, 12] as [UInt64])
    func fuzz(seed: UInt64) {
        let bytes = Self.damagedStream(count: 1_000_000, seed: seed)
        var random = SeededRandom(seed: seed)
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        var notes: [FrameNote] = []
        decoder.onFrame = { notes.append($0) }
        var (at, now) = (0, Int64(0))
        var wild = 0
        let judge: (GNSSOutput) -> Void = { output in
            guard let fix = output.fix else { return }
            let good =
                fix.coordinate.isValid && (fix.accuracyM.isNaN || (1...10_000).contains(fix.accuracyM))
                && fix.courseDeg.map { (0..<360).contains($0) } ?? true && fix.speedMps ?? 0 >= 0
            if !good { wild += 1 }
        }
        while at < bytes.count {
            let end = min(bytes.count, at + Int.random(in: 1...700, using: &random))
            now += Int64.random(in: 0...400, using: &random)
            decoder.expire(at: Instant(millis: now), judge)
            decoder.feed(Array(bytes[at..<end]), at: Instant(millis: now), judge)
            at = end
        }
        decoder.finish(judge)
        let wrong = notes.filter { note in
            guard case .ubx(let messageClass, let messageID) = note.kind else { return false }
            let start = Int(note.offset)
            let payload = bytes[start + 6..<start + note.length - 2]
            return ubxFrame(messageClass, messageID, Array(payload)) != Array(bytes[start..<start + note.length])
        }
        #expect(wrong.isEmpty, "seed \(seed)")
        #expect(wild == 0, "seed \(seed)")
        #expect(notes.count > 5_000)
        let counters = decoder.counters
        #expect(counters.bytes == Int64(bytes.count) && counters.frames == Int64(notes.count))
        #expect(counters.ubxChecksumErrors > 100 && counters.epochsWithFix > 500)
    }

    @Test("Pure noise never traps and gives no fix", arguments: [21, 22, 23] as [UInt64])
    func noise(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Half of the bytes are those that begin frames and lengths.
        let likely: [UInt8] = [0xB5, 0x62, 0xD3, 0x01, 0x07, 0x00, 0x5C, 0x24]
        var bench = UBXBench()
        for round in 0..<200 {
            let bytes = (0..<1_000).map { _ in
                Bool.random(using: &random)
                    ? likely.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
            }
            bench.feed(bytes, atMillis: Int64(round) * 100)
        }
        bench.finish()
        #expect(bench.fixes.isEmpty, "seed \(seed)")
        #expect(bench.decoder.counters.bytes == 200_000)
    }

    @Test(
        "Every message of every length is read or refused", arguments: [0x01, 0x04, 0x05, 0x06, 0x0A, 0x27] as [UInt8])
    func lengths(messageClass: UInt8) {
        var random = SeededRandom(seed: UInt64(messageClass))
        var bench = UBXBench()
        for messageID in 0...UInt8.max {
            for length in Array(0...110) + [160, 220, 1_024] {
                let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                bench.feed(ubxFrame(messageClass, messageID, payload), atMillis: 0)
            }
        }
        bench.finish()
        #expect(bench.decoder.counters.ubxFrames == 256 * 114)
        #expect(bench.fixes.allSatisfy { $0.courseDeg.map { (0..<360).contains($0) } ?? true })
    }

    @Test(
        "One byte lost in 10 kB keeps more than 99.9 % of the intact frames, and gives no false one",
        arguments: [31, 32] as [UInt64])
    func oneByteLost(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (bytes, starts): ([UInt8], Set<Int>) = ([], [])
        var (lost, intact, next) = (0, 0, 10_000)
        for second in 0..<12_000 {
            let number = second % 3_600
            var frames = [PVTSample.second(number).frame, UBXPart.dop(PVTSample.second(number).iTOW)]
            frames += [UBXPart.hardware(), Array(sentence(Self.gga).utf8), Self.rtcm]
            for frame in frames {
                if bytes.count + frame.count > next {
                    var damaged = frame
                    damaged.remove(at: Int.random(in: 0..<frame.count - 2, using: &random))
                    bytes += damaged
                    next += 10_000
                    lost += 1
                } else {
                    starts.insert(bytes.count)
                    bytes += frame
                    intact += 1
                }
            }
        }
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        var (found, wrong) = (0, 0)
        decoder.onFrame = { note in if starts.contains(Int(note.offset)) { found += 1 } else { wrong += 1 } }
        decoder.feed(bytes, at: .zero) { _ in }
        decoder.finish { _ in }
        #expect(lost > 300)
        #expect(wrong == 0, "seed \(seed)")
        #expect(Double(found) > 0.999 * Double(intact), "seed \(seed): \(found) of \(intact)")
    }
}
