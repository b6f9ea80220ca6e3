import DeviceSimulator
import Testing
import TrackerModel

@Suite("A scenario as a journey")
struct ScenarioJourneyTests {
    private static var scenario: TrackScenario {
        var scenario = TrackScenario("boat")
        scenario.stay(600)
        scenario.stay(300, isStill: false)
        scenario.go(.ferry, headingDeg: 0, [.init(1, kmh: 0.3, turnDeg: 60, radiusM: 20)])
        scenario.go(.ferry, headingDeg: 90, [.init(3_000, kmh: 10)])
        scenario.go(.car, headingDeg: 0, [.init(1_000, kmh: 50)], stops: [(500, 60)])
        scenario.faults = [TrackFault(.silence, from: 100, until: 200)]
        return scenario
    }

    private func journey() -> Journey {
        Journey(Self.scenario, start: UTCTime(millis: 0), seed: 1, shaken: .swell)
    }

    @Test("It has the scenario's truth, its silences as darkness, and its length")
    func truth() {
        let journey = journey()
        let scenario = Self.scenario
        for second in stride(from: 0.0, through: scenario.durationSeconds, by: 37) {
            #expect(journey.trueState(at: second) == scenario.truth(at: second))
        }
        #expect(journey.durationSeconds == scenario.durationSeconds)
        #expect(!journey.trueState(at: 150).isSkyVisible && journey.trueState(at: 250).isSkyVisible)
    }

    @Test("The accelerometer feels stays, swinging, sailing, driving and an engine at a light")
    func motion() throws {
        let motion = journey().motion
        let trips = Self.scenario.trips
        func felt(_ second: Double) -> MotionScript.Activity {
            motion.activity(at: Instant(millis: Int64(second * 1_000)))
        }
        #expect(felt(10) == .still && felt(700) == .swell)
        #expect(felt(trips[0].from + 20) == .swell && felt(trips[1].from + 20) == .sailing)
        #expect(felt(trips[2].from + 10) == .driving)
        #expect(motion.segments.contains(.init(.idle, millis: 60_000)))
        #expect(motion.end(at: .zero) == Instant(millis: 600_000))
        #expect(motion.end(at: Instant(millis: motion.durationMillis)) == .never)
    }

    @Test("Its fixes start cold, then hot after a short rest, and err as a receiver's do")
    func fixes() throws {
        var fixes = SimulatedFixes(journey(), seed: 1)
        func firstFix(from start: Int) -> (after: Int, fix: SimulatedFixes.Fix)? {
            for second in start..<start + 60 {
                if let fix = fixes.epoch(at: Instant(millis: Int64(second) * 1_000)) { return (second - start, fix) }
            }
            return nil
        }
        let cold = try #require(firstFix(from: 0))
        #expect((28...32).contains(cold.after) && cold.fix.accuracyM == 500)
        fixes.stop(at: Instant(millis: 60_000))
        #expect(fixes.epoch(at: Instant(millis: 60_000)) == nil && !fixes.isOn)
        fixes.start(at: Instant(millis: 250_000))
        let hot = try #require(firstFix(from: 250))
        #expect(hot.after <= 2 && hot.fix.accuracyM == 12)
    }
}
