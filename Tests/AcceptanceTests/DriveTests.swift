import DeviceSimulator
import Testing
import TrackerEngine
import TrackerGeo
import TrackerModel

@Suite("Acceptance: drives")
struct DriveTests {
    private static let scenarios = [TrackScenario.flowingTown, TrackScenario(journey: "urban-drive")].compactMap { $0 }

    private func runs(_ scenario: TrackScenario, _ change: (inout CaptureConfig) -> Void) -> [EngineRun] {
        var config = CaptureConfig()
        change(&config)
        return (1...20).map { seed in
            EngineRun(SimulatedTrack(scenario, everyMillis: 1_000, seed: UInt64(seed)), config)
        }
    }

    /// The turn detector would shorten this tier too; at 60 s it is off.
    @Test("A-03: half an hour through a town at the 60 s tier is 25 to 35 points")
    func slowTier() {
        for scenario in Self.scenarios {
            let runs = runs(scenario) {
                $0.adaptiveCadence = false
                $0.turnBurst = false
            }
            let counts = runs.map(\.points.count)
            let resets = runs.reduce(0) { $0 + $1.count(.sigmaForcedReset) }
            let passed = counts.allSatisfy { (25...35).contains($0) } && resets == 0
            let ok = AcceptanceTable.record(
                "A-03", "\(scenario.name), 60 s tier, no bursts, 20 seeds",
                "\(span(counts)) points, \(resets) forced resets",
                limit: "25 to 35, 0", passed: passed)
            #expect(ok, "\(counts)")
        }
    }

    /// A drive that nine lights hold for minutes misses the band without bursts: it is held to the number of 12 s intervals
    /// on the way. Gate rejects are counted on the whole drive, of which straights are a part.
    @Test(
        "A-04: the same drive at 12 s and with bursts: no gate rejects, and as many points as 12 s intervals on the way"
    )
    func fastTier() {
        for scenario in Self.scenarios {
            let standing = scenario.trips.map { $0.until - $0.from }.reduce(0, +) - Self.movingSeconds(scenario)
            let intervals = Int(Self.movingSeconds(scenario) / 12)
            for (bursts, range) in [(true, 200...330), (false, 130...150)] {
                let runs = runs(scenario) { $0.turnBurst = bursts }
                let counts = runs.map(\.points.count)
                let resets = runs.reduce(0) { $0 + $1.count(.sigmaForcedReset) }
                let outliers = runs.reduce(0) { $0 + $1.count(.sigmaGateOutlier) }
                let isQuiet = resets == 0 && outliers == 0
                let lesser = intervals * 9 / 10...intervals * 11 / 10
                let ok = AcceptanceTable.record(
                    "A-04", "\(scenario.name), 12 s\(bursts ? " with bursts" : ""), 20 seeds",
                    "\(span(counts)) points, \(resets) forced resets, \(outliers) gate rejects",
                    limit: "\(range.lowerBound) to \(range.upperBound), 0, 0",
                    passed: isQuiet && counts.allSatisfy { range.contains($0) },
                    orHeldTo: bursts || standing < 60
                        ? nil
                        : LesserLimit(
                            "\(lesser.lowerBound) to \(lesser.upperBound), 0, 0",
                            isQuiet && counts.allSatisfy { lesser.contains($0) },
                            because: "it stands \(Int(standing)) s, and \(intervals) intervals of 12 s are on the way"))
                #expect(ok, "\(counts)")
            }
        }
    }

    private static func movingSeconds(_ scenario: TrackScenario) -> Double {
        Double((0...Int(scenario.durationSeconds)).count { scenario.truth(at: Double($0)).speedMps > 0.1 })
    }

    /// 150 fixes 12 s apart are 29 min 48 s from the first to the last.
    @Test("A-05, E-065: straight at 40 km/h, 150 fixes at 12 s without noise: 150 points and no reject")
    func straight() {
        let track = SimulatedTrack(.straight(kmh: 40, seconds: 1_785), .none, everyMillis: 12_000, seed: 1)
        let run = EngineRun(track, .everyFix())
        let rejects = run.decisions.count { $0.verdict != .accept }
        let ok = AcceptanceTable.record(
            "A-05", "straight, 40 km/h, 150 fixes at 12 s, no noise",
            "\(run.points.count) points of \(run.decisions.count) decisions, \(rejects) of them not accepted",
            limit: "150, 0", passed: run.points.count == 150 && rejects == 0)
        #expect(ok)
    }
}

func span(_ numbers: [Int]) -> String { "\(numbers.min() ?? 0) to \(numbers.max() ?? 0)" }
