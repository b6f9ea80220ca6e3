import GNSSCodecs
import TestKit
import Testing
import WireText

@Suite("Recorded logs as bursts")
struct PacedLogTests {
    private static func rmc(_ time: String) -> String {
        sentence("GPRMC,\(time),A,4807.038,N,01131.000,E,10.0,084.4,010126,,,A")
    }

    private func pieces(_ log: PacedLog) -> [String] {
        log.chunks.map { "\($0.offsetMillis) " + String(decoding: log.bytes[$0.range], as: UTF8.self) }
    }

    /// Contiguous from the end of the description to the end, offsets strictly growing.
    private func expectWhole(_ log: PacedLog, _ name: String) {
        let skipped = log.chunks.first?.range.lowerBound ?? 0
        let description = log.bytes[..<skipped].split(separator: UInt8(ascii: "\n"))
        #expect(description.allSatisfy { $0.first == UInt8(ascii: "#") }, "\(name)")
        var (end, last) = (skipped, Int64(-1))
        for chunk in log.chunks {
            #expect(chunk.range.lowerBound == end && !chunk.range.isEmpty && chunk.offsetMillis > last, "\(name)")
            (end, last) = (chunk.range.upperBound, chunk.offsetMillis)
        }
        #expect(end == log.bytes.count, "\(name)")
        #expect(log.durationMillis == max(0, last), "\(name)")
    }

    @Test("A chunk begins with each new time; what has no time stays with the burst before")
    func chunks() {
        let gsa = sentence("GPGSA,A,3,02,07,04,13,20,10,16,23,08,,,,1.5,0.9,1.2")
        let log = PacedLog(
            Array(("x\r\n" + Self.rmc("120000.00") + gsa + Self.rmc("120000.25") + Self.rmc("120000.25")).utf8))
        #expect(
            pieces(log) == [
                "0 x\r\n", "0 " + Self.rmc("120000.00") + gsa, "250 " + Self.rmc("120000.25") + Self.rmc("120000.25"),
            ]
                || pieces(log) == [
                    "0 x\r\n" + Self.rmc("120000.00") + gsa, "250 " + Self.rmc("120000.25") + Self.rmc("120000.25"),
                ])
        expectWhole(log, "chunks")
    }

    @Test(
        "Spacing follows the times, through midnight; steps back and over an hour count as a second",
        arguments: [
            ("120000.00", "120005.00", 5_000), ("235959.50", "000000.50", 1_000), ("120005.00", "120000.00", 1_000),
            ("120000.00", "130000.00", 3_600_000), ("120000.00", "130001.00", 1_000),
        ] as [(String, String, Int64)])
    func spacing(first: String, second: String, millis: Int64) {
        #expect(PacedLog(Array((Self.rmc(first) + Self.rmc(second)).utf8)).durationMillis == millis)
    }

    @Test("A sentence with a wrong checksum begins nothing")
    func damaged() {
        let bad = Self.rmc("120001.00").replacing("4807", with: "4808")
        #expect(PacedLog(Array((Self.rmc("120000.00") + bad).utf8)).chunks.count == 1)
    }

    @Test("ZDA leads a chunk if the next sentence has its time")
    func lead() {
        let zda = sentence("GPZDA,120001.00,01,01,2026,,"), odd = sentence("GPZDA,115959.00,01,01,2026,,")
        let log = PacedLog(
            Array((Self.rmc("120000.00") + zda + Self.rmc("120001.00") + odd + Self.rmc("120002.00")).utf8))
        #expect(
            pieces(log) == [
                "0 " + Self.rmc("120000.00"), "1000 " + zda + Self.rmc("120001.00") + odd,
                "2000 " + Self.rmc("120002.00"),
            ])
    }

    @Test("The description is left out and its date exposed; later comments are receiver output")
    func description() {
        let head = "# Name: $GPRMC,120000.00*\r\n# Date: 2022-11-23T\n#\n"
        let log = PacedLog(Array((head + Self.rmc("120000.00") + "# end\n").utf8))
        #expect(pieces(log) == ["0 " + Self.rmc("120000.00") + "# end\n"])
        #expect(log.recordedOn == CivilTime(year: 2022, month: 11, day: 23))
        #expect(PacedLog(Array("# Date: 2019-3-4".utf8)).chunks.isEmpty)
        #expect(
            PacedLog(Array("# Date : 2019-04 23 10:00\n".utf8)).recordedOn == CivilTime(year: 2019, month: 4, day: 23))
        #expect(PacedLog(Array("# Dated: 2019-04-23\n".utf8)).recordedOn == nil)
        #expect(PacedLog(Array("# Date: yesterday\n".utf8)).recordedOn == nil)
        #expect(PacedLog(Array("# Date: 2010-02-30\n".utf8)).recordedOn == nil)
        #expect(PacedLog([]).chunks.isEmpty)
    }

    @Test("Blocks of any size give the same offsets as the whole log")
    func blocks() {
        let text = (0..<10).map {
            sentence("GPZDA,12000\($0).00,01,01,2026,,") + Self.rmc("12000\($0).00") + "noise"
        }.joined()
        let bytes = Array(text.utf8)
        let whole = PacedLog(bytes)
        for size in [1, 7, 64, 100, 1_000] {
            var (pacer, pending, got) = (LogPacer(), [UInt8](), [Int64: [UInt8]]())
            for start in stride(from: 0, through: bytes.count, by: size) {
                pending += bytes[start..<min(start + size, bytes.count)]
                let isLast = start + size > bytes.count
                let used = pending.withUnsafeBufferPointer { block in
                    pacer.split(block, isLast: isLast) { got[$0, default: []] += block[$1] }
                }
                pending.removeFirst(used)
            }
            #expect(got.count == whole.chunks.count)
            for chunk in whole.chunks {
                #expect(got[chunk.offsetMillis] == Array(bytes[chunk.range]), "blocks of \(size)")
            }
        }
    }

    @Test("Chunks of damaged logs are whole")
    func fuzz() {
        var random = SeededRandom(seed: 7)
        var bytes: [UInt8] = []
        for _ in 0..<2_000 {
            let seconds = Int.random(in: 10..<60, using: &random)
            bytes += Self.rmc("1200\(seconds).00").utf8.prefix(Int.random(in: 50..<90, using: &random))
            if Bool.random(using: &random) { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        }
        expectWhole(PacedLog(bytes), "seed 7")
    }

    @Test("Chunks of every recorded log are whole", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
    func recorded() throws {
        for name in ["mt3339", "isync", "tcp-torture", "mtk-3301", "quectel-L70", "unicore-um621"] {
            let log = PacedLog(try SharedData.require("nmea/gpsd/\(name).log"))
            expectWhole(log, name)
            #expect(log.recordedOn != nil, "\(name)")
        }
    }
}
