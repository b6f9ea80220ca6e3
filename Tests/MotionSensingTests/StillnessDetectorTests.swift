import MotionSensing
import TestKit
import Testing
import TrackerModel

@Suite("Stillness from acceleration")
struct StillnessDetectorTests {
    /// Feeds `seconds` of samples made by `shape` (seconds → g on the vertical axis) and returns the last reading.
    private func reading(
        rateHz: Int = 50, seconds: Double, tilt: (Double, Double, Double) = (0, 0, 1), seed: UInt64 = 1,
        shape: (Double) -> Double
    ) -> StillnessReading? {
        var detector = StillnessDetector()
        var random = SeededRandom(seed: seed)
        var last: StillnessReading?
        for index in 0..<Int(seconds * Double(rateHz)) {
            let t = Double(index) / Double(rateHz)
            let g = 1 + shape(t) + Double.random(in: -0.004...0.004, using: &random)
            let sample = MotionSample(
                instant: Instant(nanos: Int64(t * 1e9)), x: tilt.0 * g, y: tilt.1 * g, z: tilt.2 * g)
            if let next = detector.handle(sample) { last = next }
        }
        return last
    }

    @Test(
        "A device at rest is still since the start, however it lies",
        arguments: [(0.0, 0.0, 1.0), (1, 0, 0), (0.6, 0, 0.8)])
    func rest(x: Double, y: Double, z: Double) throws {
        let still = try #require(reading(seconds: 20, tilt: (x, y, z)) { _ in 0 })
        #expect(still.stillSince == .zero)
        #expect(still.shakenSince == nil)
        #expect(still.rmsG < 0.01)
    }

    @Test("An offset of 80 mg and a slow drift are absorbed (E-109, E-110)")
    func drift() throws {
        let still = try #require(reading(seconds: 60) { 0.08 + $0 * 0.0002 })
        #expect(still.stillSince == .zero)
    }

    @Test("Shaking of 0.1 g is seen at every angle (F-41)", arguments: [(0.0, 0.0, 1.0), (0.707, 0, 0.707), (1, 0, 0)])
    func shaken(x: Double, y: Double, z: Double) throws {
        let shaken = try #require(
            reading(seconds: 10, tilt: (x, y, z)) { Int($0 * 10) % 2 == 0 ? 0.1 : -0.1 })
        #expect(shaken.stillSince == nil)
        #expect(shaken.shakenSince == .zero)
    }

    @Test("A gap in the samples clears stillness: no data is never stillness")
    func gap() throws {
        var detector = StillnessDetector()
        var last: StillnessReading?
        for index in 0..<1_000 {
            // 0.5 s are missing at 10 s.
            let millis = Int64(index) * 20 + (index >= 500 ? 500 : 0)
            let wobble = index % 2 == 0 ? 0.001 : 0
            let sample = MotionSample(instant: Instant(millis: millis), x: 0, y: 0, z: 1 + wobble)
            if let reading = detector.handle(sample) { last = reading }
        }
        #expect(try #require(last).stillSince == Instant(millis: 10_500))
    }

    @Test("Fifty identical samples are a stuck chip, not a still device (E-108)")
    func stuck() {
        var detector = StillnessDetector()
        for index in 0...50 {
            #expect(!detector.isStuck)
            _ = detector.handle(MotionSample(instant: Instant(millis: Int64(index) * 20), x: 0, y: 0, z: 1))
        }
        #expect(detector.isStuck)
    }
}
