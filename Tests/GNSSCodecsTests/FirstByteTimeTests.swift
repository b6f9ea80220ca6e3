import GNSSCodecs
import TestKit
import Testing
import TrackerModel

@Suite("When a fix was determined")
struct FirstByteTimeTests {
    @Test(
        "E-029: without a pulse it is the first byte of its epoch less the latency, however long the rest takes",
        arguments: [0, 80, 500] as [Int64], [true, false])
    func firstByte(latency: Int64, isUBX: Bool) {
        var bench = UBXBench(GNSSDecoderConfig(outputLatencyMillis: latency))
        var random = SeededRandom(seed: 29)
        for second in 0..<10 {
            let text = ["RMC,12000\(second).00,A,4807.038,N,01131.000,E,1.0,084.4,070127,,,A"]
            let frame = isUBX ? PVTSample.second(second).frame : text.flatMap { Array(sentence("GP" + $0).utf8) }
            let start = 1_000 * Int64(second + 1)
            // The line is slow and stutters behind the first byte.
            bench.feed(Array(frame[..<1]), atMillis: start)
            bench.feed(Array(frame[1...]), atMillis: start + Int64.random(in: 0...140, using: &random))
            bench.expire(atMillis: start + 600)
        }
        #expect(bench.fixes.map(\.instant.millis) == (1...10).map { Int64($0) * 1_000 - latency })
    }
}
