import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("Real recordings through the whole runtime", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct RecordingReplayTests {
    @Test(
        "Long drives are tracked, twice alike",
        arguments: [
            ("nmea/drives/20100403_Z205_Switzerland.part1.nmea", 150, 60_000.0...80_000),
            ("nmea/drives/20100411_Geko_Regensburg.nmea", 90, 15_000...20_000),
        ] as [(String, Int, ClosedRange<Double>)])
    func drives(path: String, points: Int, metres: ClosedRange<Double>) throws {
        let log = try #require(SharedData.bytes(path))
        let first = try ReplayResult(logs: [log])
        #expect(first.points.count >= points)
        #expect(metres.contains(first.report["distanceM"]?.doubleValue ?? 0))
        #expect(try ReplayResult(logs: [log]).decisions == first.decisions)
    }

    @Test("A receiver that lies still in a street canyon is one point, whatever speed it claims (E-058)")
    func parked() throws {
        let log = try #require(SharedData.bytes("nmea/parked/signalk-gps.part1.nmea"))
        #expect(try ReplayResult(logs: [log]).points.count == 1)
    }

    @Test("A log without one valid fix stores nothing, and a boat's bus with wrong checksums is no trouble")
    func odd() throws {
        let void = try #require(SharedData.bytes("nmea/drives/Silvretta-1_converted_1.nmea"))
        try #require(void.count > 10_000)
        #expect(try ReplayResult(logs: [void]).points.isEmpty)
        let boat = try #require(SharedData.bytes("nmea/drives/gofree-merrimac.nmea"))
        let result = try ReplayResult(logs: [boat])
        #expect(result.report["badChecksums"] == 142)
        #expect(result.points.count >= 1)
    }

    @Test("Recordings follow one another in one session")
    func several() throws {
        let logs = try ["nmea/parked/signalk-gps.part1.nmea", "nmea/drives/20100411_Geko_Regensburg.nmea"].map {
            try #require(SharedData.bytes($0))
        }
        let result = try ReplayResult(logs: logs)
        #expect(result.points.count > 50)
        #expect(Set(result.points.map(\.sessionID)).count == 1)
    }
}
