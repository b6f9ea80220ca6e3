import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

/// The rows of "Gaps and recovery" that end in the pipeline and that its other tests do not name.
@Suite("Gaps and recovery, row by row")
struct GapRowsTests {
    @Test("E-079: behind a gap a candidate is held; the next fix back home drops it and is judged as ever")
    func backHome() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0, speed: 1.2))
        #expect(bench.judge(bench.fix(240, 120, accuracy: 38)).reason == .recoveryHeld)
        #expect(bench.pipeline.state.recovery != nil)
        let home = bench.judge(bench.fix(252, 3, accuracy: 6))
        #expect(bench.pipeline.state.recovery == nil)
        #expect(home.reason != .recoveryConfirmed && home.reason != .recoveryHeld)
        // It had moved before the silence and lies still now: that is all there is to tell.
        #expect(home.reason == .arrival)
    }

    @Test("E-081: a chain of poor fixes 50 m apart does not walk the anchor away")
    func chain() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0, speed: 1.2))
        var second = 240.0
        bench.judge(bench.fix(second, 120, accuracy: 38))
        let held = bench.pipeline.state.recovery
        #expect(held != nil)
        second += 12
        // Within 60 m of the candidate: held on, at its first place.
        #expect(bench.judge(bench.fix(second, 170, accuracy: 38)).reason == .recoveryHeld)
        #expect(bench.pipeline.state.recovery == held)
        for index in 2...20 {
            second += 12
            let answer = bench.judge(bench.fix(second, 120 + Double(index) * 50, accuracy: 38))
            #expect(answer.verdict != .accept, "\(index): \(answer.reason)")
        }
        #expect(bench.past?.coordinate == bench.fix(0, 0).coordinate.rounded)
    }

    @Test("E-083: ten minutes without sky and back at the same place is no point")
    func samePlace() {
        var bench = PipelineBench()
        for second in stride(from: 0.0, through: 600, by: 12) { bench.judge(bench.fix(second, 2)) }
        let answers = (0..<20).map { bench.judge(bench.fix(1_200 + Double($0) * 12, 8, accuracy: 12)) }
        #expect(answers.allSatisfy { $0.verdict != .accept })
    }

    @Test("E-089: somebody who walked during the silence and now stands elsewhere has a Blackout Arrival")
    func blackout() {
        var bench = PipelineBench()
        for second in stride(from: 0.0, through: 120, by: 12) {
            bench.judge(bench.fix(second, second * 1.4, speed: 1.4, course: 90))
        }
        let east = 120 * 1.4
        #expect(bench.past?.speedMps ?? 0 >= 1)
        let answer = bench.judge(bench.fix(300, east + 75, accuracy: 12))
        #expect(answer.verdict == .accept && answer.reason == .blackoutArrival)
    }

    @Test("E-090: a walk of 60 m is held on the way, and ends in one Walk Arrival", arguments: [4.0, 12, 20])
    func shortWalk(interval: Double) {
        var bench = PipelineBench()
        for second in stride(from: 0.0, through: 120, by: interval) { bench.judge(bench.fix(second, 0)) }
        var reasons: [(second: Double, reason: DecisionReason, verdict: Verdict)] = []
        for second in stride(from: 120 + interval, through: 420, by: interval) {
            let walked = min(60, (second - 120) * 1.3)
            let answer = bench.judge(
                bench.fix(second, walked, speed: walked < 60 ? 1.3 : 0, course: walked < 60 ? 90 : nil))
            reasons.append((second, answer.reason, answer.verdict))
        }
        let ends = reasons.filter { $0.reason == .walkArrival }
        #expect(ends.count == 1, "\(reasons.map(\.reason.rawValue))")
        #expect(ends.allSatisfy { $0.second >= 120 + 60 / 1.3 && $0.verdict == .accept })
        #expect(reasons.first?.verdict != .accept)
    }
}

extension Coordinate {
    /// As it is stored.
    var rounded: Coordinate { Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) }
}
