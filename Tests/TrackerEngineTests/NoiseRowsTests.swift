import DeviceSimulator
import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

/// The rows of "Noise classes" that the pipeline tests do not name already.
@Suite("Noise, row by row")
struct NoiseRowsTests {
    @Test("E-048: six fixes that come at once after a stall are judged in their order, all of them")
    func batch() {
        var config = CaptureConfig()
        config.intervalMillis = 1_000
        config.adaptiveCadence = false
        config.turnBurst = false
        var bench = EngineBench(config)
        bench.drive(0..<60, from: 0, speed: 14)
        let before = bench.commits.count
        for second in 60..<66 {
            bench.send(.fixDetermined(bench.fix(second, east: Double(second) * 14, speed: 14)), second: 66)
        }
        let batch = bench.commits.dropFirst(before).map(\.decision)
        #expect(batch.map(\.instant.millis) == (60..<66).map { Int64($0) * 1_000 })
        #expect(batch.allSatisfy { $0.verdict == .accept })
    }

    @Test(
        "E-058: a measured speed of 0.6 to 1.9 m/s on a parked device is no movement", arguments: [0.6, 1.0, 1.5, 1.9])
    func slowPhantom(speed: Double) {
        for seed in 1...20 {
            var bench = PipelineBench()
            var random = SeededRandom(seed: UInt64(seed))
            bench.judge(bench.fix(0, 0))
            for second in stride(from: 12.0, through: 1_800, by: 12) {
                let east = Double.random(in: -6...6, using: &random)
                let answer = bench.judge(bench.fix(second, east, speed: speed, course: Double(Int(second) % 360)))
                #expect(answer.verdict != .accept, "seed \(seed), second \(second): \(answer.reason)")
            }
        }
    }

    @Test("E-059: a wobble of 30 to 70 m indoors without measured speed is suppressed")
    func indoors() {
        for seed in 1...20 {
            for interval in [12.0, 60] {
                var bench = PipelineBench()
                var random = SeededRandom(seed: UInt64(seed))
                bench.judge(bench.fix(0, 0, accuracy: 15, speed: nil))
                for second in stride(from: interval, through: 3_600, by: interval) {
                    let radius = Double.random(in: 30...70, using: &random)
                    let direction = Geodesic.direction(bearingDeg: Double.random(in: 0..<360, using: &random))
                    let fix = bench.fix(
                        second, radius * direction.east, radius * direction.north, accuracy: 20, speed: nil)
                    let answer = bench.judge(fix)
                    #expect(answer.verdict != .accept, "seed \(seed), second \(second): \(answer.reason)")
                }
            }
        }
    }

    /// How many fixes in a row it takes depends on what they claim to be.
    @Test(
        "E-063: a filter in the wrong place resets after 2, 4, 2 or 3 rejects, and is never wedged",
        arguments: [("gap", 2), ("still", 4), ("vehicular", 2), ("walking", 3)] as [(String, Int)])
    func wrongPlace(kind: String, limit: Int) {
        // The reference's rules: the device would know better than to take a filter for the truth in these drives.
        var bench = PipelineBench { $0.ruleSet = .reference }
        bench.judge(bench.fix(0, 0))
        bench.pipeline.state.filter?.position = Coordinate(latitude: 47.2, longitude: 8)
        var reasons: [DecisionReason] = []
        for index in 1...5 {
            let second = Double(index) * 12 + (kind == "gap" ? 200 : 0)
            switch kind {
            case "vehicular":
                reasons.append(bench.judge(bench.fix(second, Double(index) * 180, speed: 15, course: 90)).reason)
            case "walking":
                reasons.append(bench.judge(bench.fix(second, Double(index) * 14, speed: 1.2, course: 90)).reason)
            default: reasons.append(bench.judge(bench.fix(second, Double(index) * 3)).reason)
            }
        }
        #expect(reasons.prefix(limit - 1).allSatisfy { $0 == .sigmaGateOutlier }, "\(reasons)")
        #expect(reasons[limit - 1] == .sigmaForcedReset, "\(reasons)")
        #expect(reasons.dropFirst(limit).allSatisfy { $0 != .sigmaGateOutlier }, "\(reasons)")
    }

    @Test("E-064: at the reject limit a fix of more than 85 m is junk, and teleports nothing")
    func junk() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        bench.pipeline.state.filter?.position = Coordinate(latitude: 47.2, longitude: 8)
        let wrong = bench.pipeline.state.filter
        let reasons = (1...6).map { bench.judge(bench.fix(Double($0) * 12, 3, accuracy: 90)).reason }
        #expect(
            reasons == [
                .sigmaGateOutlier, .sigmaGateOutlier, .sigmaGateOutlier, .sigmaJunkFail, .sigmaJunkFail, .sigmaJunkFail,
            ])
        #expect(bench.pipeline.state.filter == wrong)
    }

    @Test("E-073: on a ferry that does not shake, 8 m/s of measured speed are movement")
    func ferry() throws {
        let scenario = TrackScenario.ferry
        var bench = EngineBench()
        var second = 0
        for fix in SimulatedTrack(scenario, everyMillis: 1_000, seed: 3) {
            bench.send(.stillnessRead(scenario.stillness(at: Double(second))), second: second)
            bench.send(.fixDetermined(fix), second: second)
            second += 1
        }
        let trip = try #require(scenario.trips.first)
        let on = bench.points.filter { (trip.from...trip.until).contains($0.fix.instant.seconds(since: .zero)) }
        #expect(on.count > 120)
        #expect(bench.transitions.first?.state == .moving)
    }

    @Test("E-062: each fix delivered three times while driving changes nothing")
    func copies() {
        func points(_ copies: Int) -> [AcceptedFix] {
            var bench = EngineBench()
            for second in 0..<900 {
                for _ in 0..<copies {
                    bench.send(.fixDetermined(bench.fix(second, east: Double(second) * 14, speed: 14)), second: second)
                }
            }
            return bench.points
        }
        #expect(points(3) == points(1))
    }
}
