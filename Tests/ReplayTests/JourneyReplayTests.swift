import DeviceSimulator
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("Journeys through the whole runtime")
struct JourneyReplayTests {
    @Test(
        "The same input twice gives byte-identical decisions and reports (A-12)",
        arguments: ["urban-drive", "walk", "tunnel"])
    func determinism(name: String) throws {
        let first = try ReplayResult(journey: name, withAccelerometer: true)
        let second = try ReplayResult(journey: name, withAccelerometer: true)
        #expect(first.decisions == second.decisions)
        #expect(JSONValue.object(first.report).bytes == JSONValue.object(second.report).bytes)
        #expect(first.points.map(\.uuid) == second.points.map(\.uuid))
    }

    @Test("A replay states the energy of its settings in whole millijoules")
    func energy() throws {
        let drive = try ReplayResult(journey: "urban-drive", withAccelerometer: true)
        let seconds = try #require(drive.report["durationSec"]?.doubleValue.map { Int64($0) })
        let report = JSONValue.object(drive.report)
        #expect(report["energy.hostBaseMj"]?.intValue == seconds * 600)
        #expect((seconds * 86...seconds * 97).contains(report["energy.receiverMj"]?.intValue ?? 0))
        #expect((1...seconds).contains(report["energy.accelerometerMj"]?.intValue ?? 0))
        #expect(report["energy.modemMj"] == 0)
        let parts = ["receiverMj", "accelerometerMj", "modemMj", "hostBaseMj", "hostWorkMj"]
        let sum = parts.reduce(Int64(0)) { $0 + (report["energy.\($1)"]?.intValue ?? 0) }
        // Each part is cut to whole millijoules.
        #expect((sum...sum + 5).contains(report["energy.totalMj"]?.intValue ?? 0))
    }

    @Test("A parked night of eight hours is one point, with and without accelerometer", arguments: [true, false])
    func parkedNight(withAccelerometer: Bool) throws {
        let night = try ReplayResult(journey: "parked-night", withAccelerometer: withAccelerometer)
        #expect(night.count("pointsStored") == 1)
        #expect(night.motion.isEmpty)
        #expect(night.count("fixes") == 8 * 3_600)
    }

    @Test("Parked, a drive, parked: one point while parked, moving within 30 s, stationary 300 s after the end")
    func parkDrivePark() throws {
        let result = try ReplayResult(journey: "park-drive-park", withAccelerometer: true)
        let journey = try #require(Journey("park-drive-park"))
        let end = journey.durationSeconds - 900
        #expect(result.points.count { $0.instant < Instant(millis: 7_200_000) } == 1)
        let moving = try #require(result.motion.first { $0.state == "moving" })
        #expect((7_200...7_230).contains(moving.second))
        let stationary = try #require(result.motion.last)
        #expect(stationary.state == "stationary")
        #expect((end + 300...end + 315).contains(stationary.second), "drive ended at \(end)")
    }

    @Test(
        "Distance is within 3 % of the truth, and false movement is nil",
        arguments: [("urban-drive", 0.03), ("motorway", 0.03), ("walk", 0.06)])
    func distance(name: String, tolerance: Double) throws {
        let result = try ReplayResult(journey: name, withAccelerometer: true)
        let journey = try #require(Journey(name))
        let truth = (0...Int(journey.durationSeconds)).reduce(0.0) { $0 + journey.trueState(at: Double($1)).speedMps }
        let measured = try #require(result.report["distanceM"]?.doubleValue)
        #expect(abs(measured / truth - 1) < tolerance, "\(measured) m of \(truth) m")
    }

    @Test("A tunnel leaves no point inside and no invented leg: the track goes on behind it")
    func tunnel() throws {
        let result = try ReplayResult(journey: "tunnel", withAccelerometer: true)
        #expect(result.report["noFixEpochs"] == 60)
        let gaps = zip(result.points, result.points.dropFirst()).map { ($1.time.millis - $0.time.millis) / 1_000 }
        #expect(gaps.max().map { (60...85).contains($0) } == true)
        #expect(JSONValue.object(result.report)["rejected.Impossible Speed"] == nil)
    }

    @Test("A chip that stops answering costs the stillness, not the track")
    func faultyChip() throws {
        let journey = try #require(Journey("urban-drive"))
        let script = try MotionScript(text: "still 60\ndriving 120\nfault 600\ndriving 2000\n")
        let result = try ReplayResult(logs: [journey.nmea()], motion: script)
        let without = try ReplayResult(journey: "urban-drive")
        #expect(result.count("pointsStored") >= without.count("pointsStored") - 3)
    }
}
