import DeviceSimulator
import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Acceptance: outliers and the same again")
struct FilterTests {
    @Test("A-12: the same fixture twice gives the same decisions to the last byte")
    func determinism() {
        var same = 0
        let scenarios = [TrackScenario.mixed, .underground, .lunch()]
        for scenario in scenarios {
            let texts = (0..<2).map { _ in
                let run = EngineRun(
                    SimulatedTrack(scenario, everyMillis: 1_000, seed: 5), CaptureConfig(), withAccelerometer: true)
                return run.decisions.map { "\($0)" }.joined(separator: "\n")
            }
            if texts[0] == texts[1], !texts[0].isEmpty { same += 1 }
        }
        let ok = AcceptanceTable.record(
            "A-12", "mixed, underground, lunch, twice with accelerometer", "\(same) of \(scenarios.count) the same",
            limit: "all", passed: same == scenarios.count)
        #expect(ok)
    }

    /// 60 fixes at 3 m/s, the middle one 2 km off.
    private static var run: [TrackFix] {
        let frame = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))
        return (0..<60).map { index in
            let instant = Instant(millis: Int64(index) * 1_000)
            let isWrong = index == 30
            return TrackFix(
                time: SimulatedTrack.start.advanced(byMillis: instant.millis), instant: instant, receivedAt: instant,
                coordinate: frame.position(east: Double(index) * 3, north: isWrong ? 2_000 : 0),
                accuracyM: isWrong ? 50 : 5, speedMps: 3, courseDeg: 90)
        }
    }

    private func length(_ fixes: [TrackFix]) -> Double {
        zip(fixes, fixes.dropFirst()).reduce(0) { $0 + Geodesic.distanceM($1.0.coordinate, $1.1.coordinate) }
    }

    @Test("A-14: one outlier of 2 km is one rejection, in the plausibility filter and in the pipeline")
    func outlier() {
        var filter = PlausibilityFilter(maxSpeedMps: 8)
        let kept = Self.run.filter { filter.judge($0) != .implausible }
        let (distance, raw) = (length(kept), length(Self.run))
        let ok = AcceptanceTable.record(
            "A-14", "60 fixes at 3 m/s, one 2 km off: plausibility filter",
            "\(60 - kept.count) rejected, \(distance.brief) m kept, \(raw.brief) m raw",
            limit: "1, 177 +- 1 m, 4171 +- 1 m",
            passed: kept.count == 59 && abs(distance - 177) <= 1 && abs(raw - 4_171) <= 1)
        #expect(ok)

        let steps = PipelineRun(Self.run, .device).steps
        let jumps: Set<DecisionReason> = [.impossibleSpeed, .sigmaGateOutlier, .poorAccuracy, .sigmaForcedReset]
        let rejected = steps.count { jumps.contains($0.answer.reason) }
        let stored = steps.filter { $0.answer.verdict == .accept }
        let metres = stored.reduce(0) { $0 + ($1.answer.distanceM ?? 0) }
        let second = AcceptanceTable.record(
            "A-14", "the same: pipeline", "\(rejected) rejected as a jump, \(metres.brief) m in \(stored.count) points",
            limit: "1, 177 +- 1 m", passed: rejected == 1 && abs(metres - 177) <= 1)
        #expect(second)
    }

    /// Accuracy to 50 m, 12 m/s, and distance only between fixes that far apart.
    private func cityRun(_ fixes: [TrackFix], spacingM: Double) -> (metres: Double, rejected: Int, kept: Int) {
        var filter = PlausibilityFilter(maxSpeedMps: 12)
        var (metres, rejected, kept) = (0.0, 0, 0)
        var last: TrackFix?
        for fix in fixes where fix.accuracyM <= 50 {
            if filter.judge(fix) == .implausible {
                rejected += 1
                continue
            }
            let step = last.map { Geodesic.distanceM($0.coordinate, fix.coordinate) }
            guard step ?? .infinity >= spacingM else { continue }
            metres += step ?? 0
            kept += 1
            last = fix
        }
        return (metres, rejected, kept)
    }

    @Test(
        "A-15: the printed city run measures 80 to 130 m, spacing never adds, a jump is rejected once",
        .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
    func printedRun() throws {
        let fixes = try CityRun.read()
        let plain = cityRun(fixes, spacingM: 10)
        let ok = AcceptanceTable.record(
            "A-15", "30-fix city run", "\(plain.metres.brief) m from \(plain.kept) kept, \(plain.rejected) rejected",
            limit: "80 to 130 m, 0",
            passed: fixes.count == 30 && (80...130).contains(plain.metres) && plain.rejected == 0)
        #expect(ok)
        let none = cityRun(fixes, spacingM: 0).metres
        let spaced = [10.0, 20, 40].map { cityRun(fixes, spacingM: $0).metres }
        let never = AcceptanceTable.record(
            "A-15", "the same at 0, 10, 20, 40 m spacing",
            ([none] + spaced).map(\.brief).joined(separator: ", ") + " m",
            limit: "none longer than the first", passed: spaced.allSatisfy { $0 <= none })
        #expect(never)
        var jumped = fixes
        jumped[15].coordinate.latitude += 0.02
        let jump = cityRun(jumped, spacingM: 10)
        let once = AcceptanceTable.record(
            "A-15", "the same with a jump of 0.02 degrees", "\(jump.rejected) rejected, \(jump.metres.brief) m",
            limit: "1, < 130 m", passed: jump.rejected == 1 && jump.metres < 130)
        #expect(once)
    }
}
