import DeviceSimulator
import Testing
import TrackerEngine
import TrackerGeo
import TrackerModel

/// Faults that users of comparable devices reported, on tracks long enough to show them.
@Suite("Acceptance: reports from the field")
struct FieldReportTests {
    /// A day at two places 2.8 km of way apart (there and back), with ten positions of a network among the fixes.
    private func day(_ carrier: TrackScenario.Carrier, kmh: Double) -> TrackScenario {
        var scenario = TrackScenario("short-day")
        scenario.stay(28_800)
        scenario.go(carrier, headingDeg: 40, [.init(700, kmh: kmh, turnDeg: 60, radiusM: 15), .init(684, kmh: kmh)])
        scenario.stay(28_800)
        scenario.go(carrier, headingDeg: 280, [.init(684, kmh: kmh, turnDeg: -60, radiusM: 15), .init(700, kmh: kmh)])
        scenario.stay(86_400 - scenario.durationSeconds)
        for bounce in 0..<10 {
            let from = 3_000 + Double(bounce) * 5_400
            scenario.faults.append(TrackFault(.network(sigmaM: 900, accuracyM: 1_200), from: from, until: from + 20))
        }
        return scenario
    }

    @Test("F-34: a day at rest with reflections of 15 m and positions of a network adds nothing to a way of 2.8 km")
    func restingDay() {
        for (name, carrier, kmh, lesser) in [
            ("by car", TrackScenario.Carrier.car, 50.0, 5.0), ("on foot", .foot, 4.68, 20),
        ] {
            let scenario = day(carrier, kmh: kmh)
            let truth = scenario.distanceM(until: 86_400)
            var (worst, atRest) = (0.0, 0)
            for seed in 1...3 {
                let track = SimulatedTrack(scenario, .wandering(sigmaM: 15), everyMillis: 1_000, seed: UInt64(seed))
                let run = EngineRun(track, CaptureConfig(), withAccelerometer: true)
                let error = (Double(run.points.last?.odometerMM ?? 0) / 1_000 - truth) / truth * 100
                if abs(error) > abs(worst) { worst = error }
                // The first point, and what ends a trip within a minute of its end.
                atRest += run.points.count { point in
                    let second = point.fix.instant.second
                    return !scenario.trips.contains { ($0.from...$0.until + 60).contains(second) }
                }
            }
            AcceptanceTable.expect(
                "F-34", "a day with 2.8 km \(name), sigma 15 m, ten positions of a network, 3 seeds",
                "\(atRest - 3) points at rest beyond the first", limit: "0", passed: atRest == 3)
            AcceptanceTable.expect(
                "F-34", "a day with 2.8 km \(name): odometer", "\(worst.brief) %", limit: "+- 2 %",
                passed: abs(worst) <= 2,
                orHeldTo: LesserLimit(
                    "+- \(Int(lesser)) %", abs(worst) <= lesser,
                    because: "straight lines between points 15 m off and 16 or 40 m apart are longer"))
        }
    }

    /// The first five fixes 400 m off with the accuracy that an HDOP of 6 gives, then good ones.
    @Test("F-35: fixes hundreds of metres off, the first outside a garage or the last ones in, are not stored")
    func garage() {
        for isLeaving in [true, false] {
            var scenario = TrackScenario("garage")
            scenario.stay(600)
            scenario.go(.car, headingDeg: 90, [.init(2_500, kmh: 50)])
            scenario.stay(900)
            let from = isLeaving ? 600.0 : scenario.trips[0].until - 5
            scenario.faults = [
                TrackFault(.displaced(eastM: 240, northM: -320, accuracyM: 36), from: from, until: from + 5)
            ]
            if isLeaving { scenario.faults.append(TrackFault(.silence, from: 0, until: 600)) }
            if !isLeaving { scenario.faults.append(TrackFault(.silence, from: from + 5, until: from + 905)) }
            var worst = 0.0
            for seed in 1...10 {
                let track = SimulatedTrack(scenario, everyMillis: 1_000, seed: UInt64(seed))
                let run = EngineRun(track, CaptureConfig(), withAccelerometer: true)
                for point in run.points {
                    let truth = scenario.truth(at: point.fix.instant.second).position
                    worst = max(worst, Geodesic.distanceM(truth, point.fix.coordinate))
                }
                #expect(run.points.count > 10)
            }
            AcceptanceTable.expect(
                "F-35", "five fixes 400 m off \(isLeaving ? "out of" : "into") a garage, 10 seeds",
                "worst point \(worst.brief) m off", limit: "<= 30 m", passed: worst <= 30)
        }
    }
}
