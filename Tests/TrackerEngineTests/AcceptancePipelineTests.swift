import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

@Suite("Acceptance pipeline")
struct AcceptancePipelineTests {
    @Test(
        "A fix 499 ms after an accept is a burst, at 500 ms it is judged, before it the clock guard decides (E-046, E-047)"
    )
    func burst() {
        var bench = PipelineBench()
        bench.judge(bench.fix(10, 0))
        #expect(bench.judge(bench.fix(10.499, 0)).reason == .burst)
        #expect(bench.judge(bench.fix(10.5, 0)).reason != .burst)
        #expect(bench.judge(bench.fix(9.9, 0)).reason != .burst)
    }

    @Test("A network-like fix of 26 m is refused, one of 25 m goes on (E-049)")
    func network() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        #expect(bench.judge(bench.fix(60, 5, accuracy: 26, speed: nil)).reason == .nlpFallback)
        #expect(bench.judge(bench.fix(120, 5, accuracy: 25, speed: nil)).reason != .nlpFallback)
    }

    @Test("In a tunnel a coarse fix is believed as far as the vehicle could have come, and no farther (E-050, E-051)")
    func tunnel() {
        var bench = PipelineBench()
        let (second, east) = bench.drive()
        let near = bench.judge(bench.fix(second + 12, east + 180, accuracy: 60, speed: nil, provider: .deadReckoning))
        #expect(near.verdict == .accept && near.flags.contains(.nlpBypass))
        var slow = PipelineBench()
        for index in 0..<10 { slow.judge(slow.fix(Double(index) * 12, Double(index) * 120, speed: 10, course: 90)) }
        let far = slow.judge(slow.fix(120, 9 * 120 + 287, accuracy: 60, speed: nil, provider: .cell))
        #expect(far.reason == .nlpFallback)
    }

    @Test("Faster than 140 km/h is impossible, and coarse movement is refused (E-052, E-053)")
    func sanity() {
        var bench = PipelineBench()
        let (second, east) = bench.drive()
        #expect(bench.judge(bench.fix(second + 12, east + 600, speed: 15, course: 90)).reason == .impossibleSpeed)
        var parked = PipelineBench()
        parked.judge(parked.fix(0, 0))
        #expect(parked.judge(parked.fix(12, 166, accuracy: 66)).reason == .poorAccuracy)
    }

    /// At 12 s a spike of 400 m implies 131 km/h, and no threshold of the specification catches that: the velocities do.
    @Test(
        "One spike while driving is rejected and the next fix accepted, without a reset (E-054)",
        arguments: [4.0, 12], [400.0, 600, 900, 2_000])
    func spike(interval: Double, metres: Double) {
        for bearing in stride(from: 0.0, to: 360, by: 30) {
            let direction = Geodesic.direction(bearingDeg: bearing)
            var bench = PipelineBench()
            let (second, east) = bench.drive(20)
            let step = interval * 15
            let spike = bench.judge(
                bench.fix(
                    second + interval, east + step + metres * direction.east, metres * direction.north, speed: 15,
                    course: 90))
            #expect(spike.verdict == .reject, "bearing \(bearing): \(spike.reason)")
            let next = bench.judge(bench.fix(second + 2 * interval, east + 2 * step, speed: 15, course: 90))
            #expect(next.verdict == .accept && next.reason == .vehicular, "bearing \(bearing): \(next.reason)")
        }
    }

    @Test(
        "One spike of 160 m at rest is held and nothing stored; back home it is forgotten (E-055, E-079)",
        arguments: [10.0, 20, 38])
    func spikeAtRest(accuracy: Double) {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        for minute in 1...10 { bench.judge(bench.fix(Double(minute) * 60, 2)) }
        let spike = bench.judge(bench.fix(660, 160, accuracy: accuracy))
        #expect(spike.verdict == .skip && spike.reason == .recoveryHeld)
        #expect(bench.judge(bench.fix(720, 3)).verdict != .accept)
    }

    @Test("Doppler without displacement is a phantom; a departure with both is accepted at once (E-056, E-057)")
    func phantom() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        #expect(bench.judge(bench.fix(300, 12, speed: 5, course: 90)).verdict == .reject)
        #expect(bench.judge(bench.fix(328, 43, speed: 9.15, course: 90)).verdict == .accept)
    }

    @Test("Steps decide between 10 and 80 m without Doppler (E-075, E-076)")
    func steps() {
        for (steps, isAccepted) in [(0, false), (30, true)] {
            var bench = PipelineBench()
            bench.judge(bench.fix(0, 0))
            bench.context.steps = steps
            // The second fix proves the departure.
            bench.judge(bench.fix(60, 45, speed: 0.1))
            let answer = bench.judge(bench.fix(120, 60, speed: 0.1))
            #expect((answer.verdict == .accept) == isAccepted, "\(steps) steps: \(answer.reason)")
            if !isAccepted { #expect(answer.flags.contains(.stepVeto)) }
        }
    }

    @Test("A lift suspends the vetoes (E-074)")
    func lift() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        bench.context.steps = 0
        bench.context.verticalSpeedMps = 1
        #expect(bench.judge(bench.fix(60, 45, speed: 0.1)).flags.contains(.liftSuppressed))
    }

    @Test("After a lift gap the first fix elsewhere is held until a trusted one agrees (E-078, A-08)")
    func liftGap() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0, speed: 1.2))
        let held = bench.judge(bench.fix(240, 120, accuracy: 38))
        #expect(held.reason == .recoveryHeld)
        #expect(bench.judge(bench.fix(252, 118, accuracy: 30)).reason == .recoveryHeld)
        let confirmed = bench.judge(bench.fix(264, 121, accuracy: 12))
        #expect(confirmed.verdict == .accept && confirmed.reason == .recoveryConfirmed)
    }

    @Test("A held candidate of 121 s is dropped and never promoted (E-080)")
    func expired() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0, speed: 1.2))
        #expect(bench.judge(bench.fix(240, 120, accuracy: 38)).reason == .recoveryHeld)
        #expect(bench.judge(bench.fix(361, 120, accuracy: 12)).reason != .recoveryConfirmed)
    }

    @Test("160 m away and trusted after real silence is a recovery at once (E-082)")
    func recoveryReset() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        let answer = bench.judge(bench.fix(1_000, 160, accuracy: 20))
        #expect(answer.verdict == .accept && answer.reason == .recoveryReset)
    }

    @Test("A drift loop is held, suppressed after 45 s, and stores nothing (E-060)")
    func driftLoop() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        var reasons: Set<DecisionReason> = []
        for second in stride(from: 12.0, through: 600, by: 12) {
            let east = second.truncatingRemainder(dividingBy: 48) < 24 ? 30.0 : 12
            let answer = bench.judge(bench.fix(second, east, accuracy: 4, speed: 0.8))
            #expect(answer.verdict != .accept)
            reasons.insert(answer.reason)
        }
        #expect(reasons.isSubset(of: [.departureHeld, .driftSuppressed, .heuristicGate]))
    }

    @Test("A walk is stored at every sampling interval (E-061, A-06)", arguments: [1.0, 2, 4, 8, 12, 30, 60])
    func walk(interval: Double) {
        for seed in 1...20 {
            var bench = PipelineBench()
            var random = SeededRandom(seed: UInt64(seed))
            bench.judge(bench.fix(0, 0))
            var stored = 0
            for second in stride(from: interval, through: 600, by: interval) {
                let noise = Double.random(in: -4...4, using: &random)
                let answer = bench.judge(bench.fix(second, second * 1.3 + noise, accuracy: 6, speed: 1.3, course: 90))
                if answer.verdict == .accept { stored += 1 }
            }
            #expect(stored >= 4, "interval \(interval), seed \(seed)")
        }
    }

    @Test("Straight at 40 km/h every 12 s without noise: every fix stored, no gate reject (E-065, A-05)")
    func straight() {
        var bench = PipelineBench()
        var answers: [PipelineAnswer] = []
        for index in 0..<150 {
            answers.append(
                bench.judge(bench.fix(Double(index) * 12, Double(index) * 12 * 40 / 3.6, speed: 40 / 3.6, course: 90)))
        }
        #expect(answers.allSatisfy { $0.verdict == .accept })
    }

    @Test("A filter seeded in the wrong place resets and is never wedged")
    func wrongSeed() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        bench.pipeline.state.filter?.position = Coordinate(latitude: 47.1, longitude: 8)
        var reasons: [DecisionReason] = []
        for index in 1...6 {
            reasons.append(
                bench.judge(bench.fix(Double(index) * 12, Double(index) * 180, speed: 15, course: 90)).reason)
        }
        #expect(reasons.contains(.sigmaForcedReset))
        #expect(reasons.last == .vehicular)
    }

    @Test("A tracker that was flown is found again after three fixes that agree over 30 s, an outlier is not believed")
    func flown() {
        var bench = PipelineBench()
        _ = bench.drive()
        var answers: [PipelineAnswer] = []
        for index in 0..<4 {
            answers.append(bench.judge(bench.fix(200 + Double(index) * 12, 500_000 + Double(index) * 10)))
        }
        #expect(answers.map(\.reason) == [.impossibleSpeed, .impossibleSpeed, .impossibleSpeed, .recoveryReset])
    }

    @Test("While still one fix in 900 s is folded into the filter, not every one after (Δ3)")
    func heartbeats() {
        var bench = PipelineBench()
        bench.judge(bench.fix(0, 0))
        let reasons = (1...120).map { bench.judge(bench.fix(Double($0) * 60, 1)).reason }
        #expect(reasons.count { $0 == .heartbeatSkipped } == 7)
        var reference = PipelineBench { $0.ruleSet = .reference }
        reference.judge(reference.fix(0, 0))
        let old = (1...120).map { reference.judge(reference.fix(Double($0) * 60, 1)).reason }
        #expect(old.count { $0 == .heartbeatSkipped } == 105)
    }

    @Test("The reference loses a walk at 1 s, the device does not (Δ1)")
    func referenceWalk() {
        func stored(_ ruleSet: RuleSet) -> Int {
            var bench = PipelineBench { $0.ruleSet = ruleSet }
            bench.judge(bench.fix(0, 0))
            return (1...600).count { second in
                bench.judge(bench.fix(Double(second), Double(second) * 1.3, speed: 1.3, course: 90)).verdict == .accept
            }
        }
        #expect(stored(.reference) == 0)
        #expect(stored(.device) > 50)
    }
}
