import Recordings
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

/// Recordings of something that stands still, for a while or all the time.
@Suite("Acceptance: recordings at rest", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct StandingTests {
    /// Receivers that do not move at all.
    @Test(
        "A receiver that lies still is one point and never moves, whatever it measures (E-058)",
        arguments: [
            "nmea/parked/signalk-gps.part1.nmea", "nmea/gpsbabel/nmea.nmea", "ubx/gpsd/navisys-gr8013.log",
            "ubx/rtklib/ubx_20080526.ubx",
        ])
    func parked(path: String) throws {
        let log = try SharedData.require(path)
        let run = try RecordingRun(try MergedRecording(logs: [ReceiverLog(pacing: log, name: path)]))
        let moves = run.motion.count { $0.state == "moving" }
        let ok = AcceptanceTable.record(
            "real", "at rest: \(path)", "\(run.points.count) points, moving \(moves) times", limit: "1, 0",
            passed: run.points.count == 1 && moves == 0)
        #expect(ok, "\(run.points.map(\.acceptReason.rawValue)) \(run.motion)")
    }

    @Test("A car's and a walker's stops of 12 s and more have one point and arrivals, and begin no movement")
    func stops() throws {
        let drive = try RecordedStops.car()
        let car = "car, accuracy assumed from the log's sigma"
        try judge(car, drive.fixes, samples: nil, drive.stops)
        try judge("\(car), accelerometer", drive.fixes, samples: drive.samples, drive.stops)
        let walk = try RecordedStops.columbus()
        try judge("walk with a logger, accuracy assumed to be 10 m", walk.fixes, samples: nil, walk.stops)
    }

    private func judge(
        _ name: String, _ fixes: String, samples: String?, _ stops: [ClosedRange<Instant>]
    ) throws {
        let recording = try MergedRecording(fixes: fixes, samples: samples)
        let start = recording.start
        let run = try RecordingRun(recording)
        var (extra, begun) = (0, 0)
        var odd = ""
        for span in stops {
            let inside = run.points.filter { span.contains($0.instant) }
            let beyond = inside.dropFirst().filter { ![.arrival, .walkArrival].contains($0.acceptReason) }
            let moves = run.motion.count { change in
                change.state == "moving" && span.contains(start.advanced(byMillis: Int64(change.second * 1_000)))
            }
            extra += beyond.count
            begun += moves
            if !beyond.isEmpty { odd += " \(inside.map(\.acceptReason.rawValue))" }
        }
        let seconds = stops.reduce(0) { $0 + Int($1.upperBound.seconds(since: $1.lowerBound)) }
        let ok = AcceptanceTable.record(
            "real", "stops of a \(name)",
            "\(extra) points beyond the first and arrivals, moving begun \(begun) times in \(stops.count) stops of "
                + "\(seconds) s", limit: "0, 0", passed: extra == 0 && begun == 0 && stops.count >= 2)
        #expect(ok, "\(odd) \(run.motion)")
    }
}
