import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Motion machine")
struct MotionMachineTests {
    private let here = Coordinate(latitude: 47, longitude: 8)
    private let away = Coordinate(latitude: 47.002, longitude: 8)

    private func machine(_ change: (inout CaptureConfig) -> Void = { _ in }) -> MotionMachine {
        var config = CaptureConfig()
        change(&config)
        return MotionMachine(config)
    }

    @Test("A stop of 300 s is stationary exactly then, though no fix arrives (E-092, E-093)")
    func stop() {
        var motion = machine()
        #expect(motion.fixAccepted(at: here, isMoving: true, Instant(millis: 0)) == .moving)
        #expect(motion.fixAccepted(at: here, isMoving: false, Instant(millis: 10_000)) == .stopPending)
        #expect(motion.deadline == Instant(millis: 310_000))
        #expect(motion.timerFired(Instant(millis: 309_999)) == nil)
        #expect(motion.timerFired(Instant(millis: 310_000)) == .stationary)
        #expect(motion.deadline == .never)
    }

    @Test("A traffic light of 90 s is no stop (E-091)")
    func trafficLight() {
        var motion = machine()
        _ = motion.fixAccepted(at: here, isMoving: true, Instant(millis: 0))
        #expect(motion.stillLabelled(at: here, Instant(millis: 20_000)) == .stopPending)
        #expect(motion.fixAccepted(at: here, isMoving: true, Instant(millis: 110_000)) == .moving)
        #expect(motion.timerFired(Instant(millis: 400_000)) == nil)
        #expect(motion.state == .moving)
    }

    @Test("A still fix farther than the stationary radius from the stop is movement")
    func radius() {
        var motion = machine()
        _ = motion.fixAccepted(at: here, isMoving: true, Instant(millis: 0))
        _ = motion.fixAccepted(at: here, isMoving: false, Instant(millis: 1_000))
        _ = motion.timerFired(Instant(millis: 301_000))
        #expect(motion.fixAccepted(at: away, isMoving: false, Instant(millis: 400_000)) == .moving)
    }

    @Test("A delayed move is cancelled by stillness, and a second trigger does not commit it early (E-094, E-095)")
    func delay() {
        var motion = machine { $0.motionTriggerDelayMillis = 30_000 }
        #expect(motion.fixAccepted(at: here, isMoving: true, Instant(millis: 0)) == nil)
        #expect(motion.fixAccepted(at: here, isMoving: true, Instant(millis: 10_000)) == nil)
        #expect(motion.deadline == Instant(millis: 30_000))
        #expect(motion.stillLabelled(at: here, Instant(millis: 20_000)) == nil)
        #expect(motion.timerFired(Instant(millis: 30_000)) == nil)
        _ = motion.fixAccepted(at: here, isMoving: true, Instant(millis: 40_000))
        #expect(motion.timerFired(Instant(millis: 70_000)) == .moving)
    }

    @Test("With stop detection disabled neither a still fix nor a still label stops it (E-101)")
    func noStops() {
        var motion = machine { $0.disableStopDetection = true }
        _ = motion.fixAccepted(at: here, isMoving: true, Instant(millis: 0))
        #expect(motion.fixAccepted(at: here, isMoving: false, Instant(millis: 1_000)) == nil)
        #expect(motion.stillLabelled(at: here, Instant(millis: 2_000)) == nil)
        #expect(motion.deadline == .never)
    }

    @Test("A stop that was pending before a restart ends on time after it")
    func resume() {
        var motion = machine()
        motion.resume(.stopPending, since: Instant(millis: 5_000), stop: here)
        #expect(motion.deadline == Instant(millis: 305_000))
        #expect(motion.timerFired(Instant(millis: 306_000)) == .stationary)
    }
}
