import Foundation
import TestKit
import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("Protocols that are not ours", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct ForeignBinaryTests {
    @Test(
        "They give no fix, in whatever pieces they come",
        arguments: ["bu303-moving.log", "greis-def.log", "rtcm3.log", "trimble-lassen_iq-playacar.log"])
    func noFix(name: String) throws {
        let bytes = try #require(SharedData.bytes("foreign-binary/" + name))
        for size in [1, 7, 100, bytes.count] {
            var bench = UBXBench()
            for (index, start) in stride(from: 0, to: bytes.count, by: size).enumerated() {
                bench.feed(Array(bytes[start..<min(bytes.count, start + size)]), atMillis: Int64(index * size) / 10)
            }
            bench.finish()
            #expect(bench.fixes.isEmpty)
            #expect(bench.decoder.counters.ubxFrames == 0 && bench.decoder.counters.sentences == 0)
        }
        if name == "rtcm3.log" {
            var bench = UBXBench()
            bench.feed(bytes, atMillis: 0)
            #expect(bench.decoder.counters.rtcmFrames == 2)
        }
    }
}
