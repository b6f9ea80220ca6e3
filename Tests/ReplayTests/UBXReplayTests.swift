import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("Recorded UBX logs through the whole runtime", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct UBXReplayTests {
    @Test(
        "They are tracked at the pace of their receivers, twice alike",
        arguments: [
            ("gpsd/navisys-gr8013.log", 35, 34.0), ("gpsd/ublox-neo-m8l.log", 19, 18),
            ("pyubx2/pygpsdata-MIXED.ubx", 39, 38),
        ] as [(String, Int64, Double)])
    func receivers(name: String, fixes: Int64, seconds: Double) throws {
        let log = try #require(SharedData.bytes("ubx/" + name))
        let first = try ReplayResult(logs: [log])
        #expect(first.count("fixes") == fixes)
        #expect(first.report["durationSec"]?.doubleValue == seconds)
        #expect(first.points.count == 1)
        #expect(first.points.first?.acceptReason == .initial)
        #expect(try ReplayResult(logs: [log]).decisions == first.decisions)
    }

    @Test("Sentences among UBX frames of raw measurements are one fix a second (E-009)")
    func mixed() throws {
        let log = try #require(SharedData.bytes("ubx/rtklib/ubx_20080526.ubx"))
        let result = try ReplayResult(logs: [log])
        #expect(result.count("fixes") == 242)
        #expect(result.report["durationSec"]?.doubleValue == 241)
        #expect(result.points.count == 1)
    }
}
