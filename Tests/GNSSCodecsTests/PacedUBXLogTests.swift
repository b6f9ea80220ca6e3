import GNSSCodecs
import TestKit
import Testing
import TrackerModel

@Suite("Recorded UBX logs as bursts")
struct PacedUBXLogTests {
    private func offsets(_ log: PacedLog) -> [Int64] { log.chunks.map(\.offsetMillis) }

    /// The bytes of a log without the pacing: how each chunk begins.
    private func beginnings(_ log: PacedLog) -> [[UInt8]] { log.chunks.map { Array(log.bytes[$0.range].prefix(4)) } }

    private static func rmc(_ second: Int) -> [UInt8] {
        Array(sentence("GPRMC,12000\(second).00,A,4807.038,N,01131.000,E,10.0,084.4,070127,,,A").utf8)
    }

    @Test("A chunk begins with each new time of week; what has none stays with the burst before")
    func chunks() {
        let log = PacedLog(
            joined(
                UBXPart.hardware(), UBXPart.position(1_000), UBXPart.status(1_000), UBXPart.hardware(),
                UBXPart.position(1_250), UBXPart.end(1_250), PVTSample.second(0).frame))
        #expect(offsets(log) == [0, 250, 1_250])
        #expect(beginnings(log) == [[0xB5, 0x62, 0x0A, 0x09], [0xB5, 0x62, 1, 2], [0xB5, 0x62, 1, 7]])
        #expect(log.chunks.map(\.range.count).reduce(0, +) == log.bytes.count)
    }

    @Test(
        "Spacing follows the time of week, through its end; steps back and over an hour count as a second",
        arguments: [
            (1_000, 6_000, 5_000), (604_799_500, 500, 1_000), (6_000, 1_000, 1_000), (1_000, 3_601_000, 3_600_000),
            (1_000, 3_602_000, 1_000),
        ] as [(UInt32, UInt32, Int64)])
    func spacing(first: UInt32, second: UInt32, millis: Int64) {
        #expect(PacedLog(UBXPart.sol(first) + UBXPart.sol(second)).durationMillis == millis)
    }

    @Test("A frame with a wrong checksum, of another class or with an impossible length begins nothing")
    func damaged() {
        var bad = PVTSample.second(1).frame
        bad[60] ^= 1
        let foreign = ubxFrame(0x28, 0x00, little(UInt32(388_802_000)) + [UInt8](repeating: 0, count: 68))
        let short = ubxFrame(0x01, 0x07, little(UInt32(388_803_000)))
        #expect(PacedLog(joined(PVTSample.second(0).frame, bad, foreign, short)).chunks.count == 1)
    }

    @Test("Sentences and frames of one solution share a chunk, whichever is first (E-009)", arguments: [true, false])
    func mixed(ubxFirst: Bool) {
        var bytes: [UInt8] = []
        for second in 0..<5 {
            let (frame, text) = (PVTSample.second(second).frame, Self.rmc(second))
            bytes += ubxFirst ? frame + text : text + frame
        }
        let log = PacedLog(bytes)
        #expect(offsets(log) == [0, 1_000, 2_000, 3_000, 4_000])
        #expect(log.chunks.allSatisfy { $0.range.count == bytes.count / 5 })
        // One of the two pauses: the other goes on alone.
        let gappy = joined(
            PVTSample.second(0).frame, Self.rmc(0), Self.rmc(1), Self.rmc(2), PVTSample.second(3).frame, Self.rmc(3))
        #expect(offsets(PacedLog(gappy)) == [0, 1_000, 2_000, 3_000])
    }

    @Test("Blocks of any size give the same offsets as the whole log (E-003)")
    func blocks() {
        var bytes: [UInt8] = [1, 0xB5, 0x62]
        for second in 0..<6 {
            bytes += Array(sentence("GPZDA,12000\(second).00,07,01,2027,,").utf8) + Self.rmc(second)
            bytes += joined(
                PVTSample.second(second).frame, UBXPart.hardware(), [0xB5, 0x62, 1, 7, 92, 0], [0xD3, 0, 9])
        }
        let whole = PacedLog(bytes)
        #expect(offsets(whole) == [0, 1_000, 2_000, 3_000, 4_000, 5_000])
        for size in [1, 7, 64, 100, 1_000] {
            var (pacer, pending, got, mostHeld) = (LogPacer(), [UInt8](), [Int64: [UInt8]](), 0)
            for start in stride(from: 0, through: bytes.count, by: size) {
                pending += bytes[start..<min(start + size, bytes.count)]
                let isLast = start + size > bytes.count
                let used = pending.withUnsafeBufferPointer { block in
                    pacer.split(block, isLast: isLast) { got[$0, default: []] += block[$1] }
                }
                pending.removeFirst(used)
                mostHeld = max(mostHeld, pending.count)
            }
            for chunk in whole.chunks { #expect(got[chunk.offsetMillis] == Array(bytes[chunk.range]), "of \(size)") }
            #expect(got.count == whole.chunks.count && mostHeld < 2_200)
        }
    }

    @Test("Ten seconds of jamming in a log are ten seconds: accuracy doubles from then on (E-020)")
    func jamming() {
        var log: [UInt8] = []
        for second in 0..<15 { log += PVTSample.second(second).frame + UBXPart.hardware(jamming: 230) }
        var bench = UBXBench()
        let paced = PacedLog(log)
        for chunk in paced.chunks {
            bench.expire(atMillis: chunk.offsetMillis)
            bench.feed(Array(paced.bytes[chunk.range]), atMillis: chunk.offsetMillis)
        }
        bench.finish()
        #expect(bench.fixes.map(\.accuracyM) == (0..<15).map { $0 <= 10 ? 2.5 : 5 })
        #expect(bench.diagnostics == ["gnss_jamming"])
    }

    @Test(
        "Recorded logs are as long as their receivers ran",
        .enabled(if: SharedData.isAvailable, "skipped: no shared data"),
        arguments: [
            ("gpsd/navisys-gr8013.log", 34_000), ("gpsd/ublox-neo-m8l.log", 18_000),
            ("rtklib/ubx_20080526.ubx", 241_000), ("pyubx2/pygpsdata-MIXED.ubx", 38_000),
        ] as [(String, Int64)])
    func recorded(name: String, millis: Int64) throws {
        let log = PacedLog(try #require(SharedData.bytes("ubx/" + name)))
        #expect(log.durationMillis == millis)
        #expect(zip(log.chunks, log.chunks.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
        #expect(log.chunks.last?.range.upperBound == log.bytes.count)
    }
}
