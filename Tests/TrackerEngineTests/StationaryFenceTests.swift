import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("The circle around a stop")
struct StationaryFenceTests {
    /// Stationary since the start, 20 s ago.
    private func stationary(_ reading: StillnessReading?) -> CaptureEngine {
        var engine = CaptureEngine(CaptureConfig())
        var actions: [CaptureAction] = []
        engine.handle(.sessionOpened(resumed: nil, isSameBoot: true), at: .zero, into: &actions)
        engine.handle(.paceChanged(isMoving: false), at: .zero, into: &actions)
        if let reading { engine.handle(.stillnessRead(reading), at: reading.instant, into: &actions) }
        return engine
    }

    private func leave(_ engine: inout CaptureEngine, second: Int64 = 20) -> [MotionState] {
        var actions: [CaptureAction] = []
        engine.handle(.stationaryFenceLeft, at: Instant(millis: second * 1_000), into: &actions)
        return actions.compactMap { if case .motionChanged(let state) = $0 { state } else { nil } }
    }

    @Test("Leaving it is movement, once, and only from a stop")
    func leaving() {
        var engine = stationary(nil)
        #expect(leave(&engine) == [.moving])
        #expect(leave(&engine) == [])
        var stopped = CaptureEngine(CaptureConfig())
        #expect(leave(&stopped) == [])
    }

    @Test("A position that wanders away from a device which does not move is not movement (E-072)")
    func still() {
        let still = StillnessReading(instant: Instant(millis: 19_500), rmsG: 0.004, stillSince: .zero, shakenSince: nil)
        var engine = stationary(still)
        #expect(leave(&engine) == [])
        #expect(engine.motionState == .stationary)
        // What the accelerometer said three seconds ago is no evidence.
        #expect(leave(&engine, second: 23) == [.moving])
        var restless = still
        restless.stillSince = nil
        engine = stationary(restless)
        #expect(leave(&engine) == [.moving])
    }
}
