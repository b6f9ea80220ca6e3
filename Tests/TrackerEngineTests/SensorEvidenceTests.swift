import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Sensors and the operator in the engine")
struct SensorEvidenceTests {
    private func steps(_ total: Int, at second: Int, since: Int = 0) -> CaptureEvent {
        .stepsCounted(
            StepReading(
                instant: Instant(millis: Int64(second) * 1_000), since: Instant(millis: Int64(since) * 1_000),
                total: total))
    }

    private func label(_ activity: Activity, _ confidence: Int, at second: Int) -> CaptureEvent {
        .activityLabelled(
            ActivityLabel(activity: activity, confidence: confidence, since: Instant(millis: Int64(second) * 1_000)))
    }

    @Test("No steps and no speed, 60 m away: vetoed; thirty steps and 40 m: a walk (E-075, E-076)")
    func stepEvidence() throws {
        var sitting = EngineBench()
        sitting.send(.fixDetermined(sitting.fix(0, east: 0)), second: 0)
        sitting.send(steps(0, at: 60), second: 60)
        sitting.send(.fixDetermined(sitting.fix(60, east: 60, speed: nil)), second: 60)
        let veto = try #require(sitting.commits.last)
        #expect(veto.accepted == nil && veto.decision.evidence.flags.contains(.stepVeto))
        var walking = EngineBench()
        walking.send(.fixDetermined(walking.fix(0, east: 0)), second: 0)
        walking.send(steps(30, at: 60), second: 60)
        walking.send(.fixDetermined(walking.fix(60, east: 40, speed: 0.1)), second: 60)
        let walk = try #require(walking.commits.last?.decision)
        #expect([.movingWalking, .departureHeld].contains(walk.reason), "\(walk.reason)")
    }

    @Test("Steps are summed since the stored point, not since the last fix (E-077)")
    func summed() {
        var evidence = MotionEvidence()
        evidence.take(StepReading(instant: Instant(millis: 5_000), since: .zero, total: 12))
        evidence.pointStored()
        for second in 6...20 {
            evidence.take(
                StepReading(instant: Instant(millis: Int64(second) * 1_000), since: .zero, total: 12 + second))
            var context = PipelineContext()
            let fix = EngineBench().fix(second, east: 0)
            evidence.weigh(fix, since: Instant(millis: 5_000), CaptureConfig(), into: &context)
            #expect(context.steps == second)
        }
    }

    @Test("A count that began after the stored point says nothing about the time since it")
    func uncovered() {
        var evidence = MotionEvidence()
        evidence.take(StepReading(instant: Instant(millis: 20_000), since: Instant(millis: 10_000), total: 0))
        var context = PipelineContext()
        evidence.weigh(EngineBench().fix(20, east: 0), since: Instant(millis: 5_000), CaptureConfig(), into: &context)
        #expect(context.steps == nil)
    }

    @Test("Each switch takes its evidence away")
    func switches() {
        var evidence = MotionEvidence()
        evidence.take(StepReading(instant: Instant(millis: 20_000), since: .zero, total: 0))
        evidence.take(
            StillnessReading(instant: Instant(millis: 20_000), rmsG: 0.004, stillSince: .zero, shakenSince: nil))
        var config = CaptureConfig()
        func context() -> PipelineContext {
            var context = PipelineContext()
            let fix = EngineBench().fix(20, east: 0)
            evidence.weigh(fix, since: Instant(millis: 5_000), config, into: &context)
            return context
        }
        #expect(context().steps == 0 && context().wasStill && context().stillMetricG == 0.004)
        config.usesSteps = false
        #expect(context().steps == nil && context().wasStill)
        config.usesAccelerometerVeto = false
        #expect(!context().wasStill && context().stillMetricG == nil)
    }

    @Test("In a lift the vetoes are skipped; a vertical speed of 6 s ago is none (E-074, E-120)")
    func lift() {
        var evidence = MotionEvidence()
        evidence.take(verticalMps: 0.4, at: Instant(millis: 10_000))
        var context = PipelineContext()
        evidence.weigh(EngineBench().fix(15, east: 0), since: .zero, CaptureConfig(), into: &context)
        #expect(context.verticalSpeedMps == 0.4)
        context = PipelineContext()
        evidence.weigh(EngineBench().fix(16, east: 0), since: .zero, CaptureConfig(), into: &context)
        #expect(context.verticalSpeedMps == nil)
    }

    @Test("A vehicle's label beside a road wakes the tracker and does not move it (E-098)")
    func roadside() {
        var bench = EngineBench()
        bench.park(0..<300, at: 0, seed: 21)
        for second in stride(from: 300, to: 600, by: 30) {
            bench.send(label(second % 60 == 0 ? .inVehicle : .unknown, 100, at: second), second: second)
            bench.park(second..<(second + 30), at: 0, seed: UInt64(second))
        }
        #expect(bench.transitions.isEmpty)
        #expect(bench.engine.cadence.tier == .vehicular)
        #expect(
            bench.others.contains {
                if case .activityChanged(let label) = $0.action { label.activity == .inVehicle } else { false }
            })
    }

    @Test("Labels of 33 and 66 while walking do not flap (E-096), and a drive without any is captured (E-099)")
    func labels() {
        var bench = EngineBench()
        for second in 0..<600 {
            let fix = bench.fix(second, east: Double(second) * 1.4, speed: 1.4)
            bench.send(.fixDetermined(fix), second: second)
            if second % 4 == 0 { bench.send(label(.still, second % 8 == 0 ? 33 : 66, at: second), second: second) }
        }
        #expect(bench.transitions.map(\.state) == [.moving])
        var dead = EngineBench()
        dead.drive(0..<600, from: 0, speed: 14)
        #expect(dead.points.count > 45)
    }

    @Test("A movement label ends a stop that has not become one; a still label at full confidence begins one")
    func labelDoors() {
        var bench = EngineBench()
        bench.drive(0..<60, from: 0, speed: 14)
        bench.send(label(.still, 100, at: 70), second: 70)
        #expect(bench.engine.motionState == .stopPending)
        bench.send(label(.inVehicle, 33, at: 75), second: 75)
        #expect(bench.engine.motionState == .stopPending)
        bench.send(label(.inVehicle, 66, at: 80), second: 80)
        #expect(bench.engine.motionState == .moving)
    }

    @Test("Shaken in the hand: moving only at the second shaking within a minute, or by twenty steps (E-118)")
    func shaken() {
        func shaking(_ second: Int) -> CaptureEvent {
            let now = Instant(millis: Int64(second) * 1_000)
            let since = now.advanced(byMillis: -3_500)
            return .stillnessRead(StillnessReading(instant: now, rmsG: 0.1, stillSince: nil, shakenSince: since))
        }
        func quiet(_ second: Int) -> CaptureEvent {
            let now = Instant(millis: Int64(second) * 1_000)
            return .stillnessRead(StillnessReading(instant: now, rmsG: 0.03, stillSince: nil, shakenSince: nil))
        }
        var bench = EngineBench()
        bench.park(0..<300, at: 0, seed: 22)
        bench.send(shaking(300), second: 300)
        bench.send(shaking(304), second: 304)
        #expect(bench.transitions.isEmpty)
        bench.send(quiet(306), second: 306)
        bench.send(.timerFired, second: 361)
        bench.send(shaking(400), second: 400)
        #expect(bench.transitions.isEmpty)
        bench.send(quiet(404), second: 404)
        bench.send(shaking(430), second: 430)
        #expect(bench.transitions.map(\.state) == [.moving])

        var walked = EngineBench()
        walked.park(0..<300, at: 0, seed: 22)
        walked.send(shaking(300), second: 300)
        walked.send(steps(3, at: 302, since: 301), second: 302)
        walked.send(steps(22, at: 312, since: 301), second: 312)
        #expect(walked.transitions.isEmpty)
        walked.send(steps(23, at: 313, since: 301), second: 313)
        #expect(walked.transitions.map(\.state) == [.moving])
    }

    @Test("The operator's word counts at once, changes nothing said twice, and needs a session (E-102, E-103)")
    func pace() {
        var config = CaptureConfig()
        config.motionTriggerDelayMillis = 60_000
        var bench = EngineBench(config)
        bench.send(.paceChanged(isMoving: true), second: 10)
        bench.send(.paceChanged(isMoving: true), second: 11)
        bench.send(.paceChanged(isMoving: false), second: 12)
        #expect(bench.transitions.map(\.state) == [.moving, .stationary])
        bench.send(.sessionClosed, second: 13)
        bench.send(.paceChanged(isMoving: true), second: 14)
        #expect(bench.transitions.count == 2)
    }

    @Test("Without stop detection none of the three doors leads to a stop (E-101)")
    func noStops() {
        var config = CaptureConfig()
        config.disableStopDetection = true
        var bench = EngineBench(config)
        bench.drive(0..<60, from: 0, speed: 14)
        bench.park(60..<300, at: 840, seed: 23)
        bench.send(label(.still, 100, at: 300), second: 300)
        bench.send(.paceChanged(isMoving: false), second: 301)
        bench.send(.timerFired, second: 900)
        #expect(bench.transitions.map(\.state) == [.moving])
    }

    @Test("stopOnStationary ends the session, and nothing is armed afterwards (E-100)")
    func stopOnStationary() {
        var config = CaptureConfig()
        config.stopOnStationary = true
        var bench = EngineBench(config)
        bench.drive(0..<60, from: 0, speed: 14)
        bench.park(60..<500, at: 826, seed: 24)
        let ends = bench.others.filter { $0.action == .endSession }
        #expect(ends.count == 1)
        bench.send(.sessionClosed, second: 500)
        bench.wakes.removeAll()
        let commits = bench.commits.count
        bench.park(501..<600, at: 826, seed: 25)
        bench.send(.healthChecked, second: 600)
        #expect(bench.wakes.isEmpty && bench.commits.count == commits)
        #expect(bench.engine.motionState == .stopped)
    }

    @Test("What was determined before the end of the session and comes after it is told, and stored nowhere (E-224)")
    func late() {
        var bench = EngineBench()
        bench.drive(0..<60, from: 0, speed: 14)
        let points = bench.points.count
        bench.send(.sessionClosed, second: 60)
        bench.send(.fixDetermined(bench.fix(60, east: 840, speed: 14)), second: 61)
        bench.send(.fixDetermined(bench.fix(62, east: 868, speed: 14)), second: 62)
        #expect(bench.reasons.last == .sessionClosed && bench.points.count == points)
        #expect(bench.reasons.count { $0 == .sessionClosed } == 1)
    }
}
