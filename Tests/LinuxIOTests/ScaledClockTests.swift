import Testing
import TrackerModel

@testable import LinuxIO

@Suite("Scaled time")
struct ScaledClockTests {
    @Test("Real time is the boot clock to the nanosecond")
    func real() throws {
        let clock = try #require(ScaledClock(scale: 1, bootNanos: 500, wallNanos: 0))
        #expect(clock.instant(atBootNanos: 1_234_567_890_123_456_789) == Instant(nanos: 1_234_567_890_123_456_789))
        #expect(clock.bootNanos(reaching: Instant(nanos: 77)) == 77)
        #expect(clock.bootNanos(reaching: .zero) == 1, "0 would disarm the timer")
        #expect(clock.wallMillis(now: .zero, hostWallNanos: 1_700_000_000_123_999_999) == 1_700_000_000_123)
    }

    @Test(
        "Scaled time is boot time multiplied, so that a second start in the same boot goes on; wall time starts at the host's"
    )
    func scaled() throws {
        let clock = try #require(ScaledClock(scale: 100, bootNanos: 5_000_000_000, wallNanos: 9_000_000_000))
        #expect(clock.instant(atBootNanos: 5_000_000_000) == Instant(nanos: 500_000_000_000))
        #expect(clock.instant(atBootNanos: 5_010_000_000) == Instant(nanos: 501_000_000_000))
        #expect(clock.wallMillis(now: Instant(nanos: 501_000_000_000), hostWallNanos: 0) == 10_000)
        let restarted = try #require(ScaledClock(scale: 100, bootNanos: 6_000_000_000, wallNanos: 10_000_000_000))
        #expect(restarted.instant(atBootNanos: 6_000_000_000) == Instant(nanos: 600_000_000_000))
    }

    @Test("Waking for a deadline comes within the rounding of a double, and later instants never go back")
    func rounding() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let scale = Double.random(in: 0.01...1_000, using: &random)
            let start = Int64.random(in: 1...8_000_000_000_000_000, using: &random)
            let clock = try #require(ScaledClock(scale: scale, bootNanos: start, wallNanos: 0))
            let now = clock.instant(atBootNanos: start)
            let target = now.advanced(byNanos: Int64.random(in: 0...86_400_000_000_000, using: &random))
            let boot = clock.bootNanos(reaching: target)
            #expect(
                clock.instant(atBootNanos: boot + 1) >= target.advanced(byNanos: -2_048),
                "scale \(scale) start \(start)")
            #expect(clock.instant(atBootNanos: boot) <= clock.instant(atBootNanos: boot + 1))
        }
    }

    @Test("A deadline beyond all time saturates")
    func saturation() throws {
        let clock = try #require(ScaledClock(scale: 0.001, bootNanos: 5, wallNanos: 0))
        #expect(clock.bootNanos(reaching: Instant(nanos: .max - 1)) == .max)
        #expect(clock.bootNanos(reaching: Instant(nanos: -4_000_000_000)) == 1)
    }

    @Test("A scale that is no forward speed is refused", arguments: [0, -1, .nan, .infinity])
    func refused(scale: Double) {
        #expect(ScaledClock(scale: scale, bootNanos: 0, wallNanos: 0) == nil)
        #expect(throws: SystemFailure.self) { _ = try LinuxReactor(timeScale: scale) }
    }

    @Test(
        "The wall clock is believed when a source holds it, half-believed from 2024 on",
        arguments: [
            (Int64(1_704_067_199_999), false, WallTrust.unknown), (1_704_067_200_000, false, .estimated),
            (0, false, .unknown), (0, true, .disciplined), (1_800_000_000_000, true, .disciplined),
        ])
    func trust(millis: Int64, isDisciplined: Bool, expected: WallTrust) {
        #expect(LinuxReactor.trust(wallMillis: millis, isDisciplined: isDisciplined) == expected)
    }
}
