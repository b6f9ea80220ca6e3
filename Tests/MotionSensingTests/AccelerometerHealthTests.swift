import MotionSensing
import Testing

@Suite("What an accelerometer is worth")
struct AccelerometerHealthTests {
    private static let second: Int64 = 1_000_000_000

    @Test("An outage of ten hours is lost time, and no more than all of it; after it, what is old counts less and less")
    func outage() {
        var health = AccelerometerHealth()
        for _ in 0..<600 { health.sampled(10, inNanos: Self.second, isMovingRate: false) }
        health.lost(nanos: 36_000 * Self.second)
        #expect((0.9...1).contains(health.gapShare), "\(health.gapShare)")
        for _ in 0..<86_400 { health.sampled(10, inNanos: Self.second, isMovingRate: false) }
        #expect(health.gapShare < 0.01 && health.shortcomings(nominalRateHz: 50).isEmpty)
    }

    @Test("A chip that is never there has lost all of its time, however often it is looked for")
    func absent() {
        var health = AccelerometerHealth()
        for _ in 0..<100 {
            health.lost(nanos: 1_999 * Self.second + 1)
            #expect(health.gapShare == 1)
        }
    }
}
