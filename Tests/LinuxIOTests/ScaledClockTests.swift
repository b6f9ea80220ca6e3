import Testing
import TrackerModel

@testable import LinuxIO

@Suite("Scaled time")
struct ScaledClockTests {
    @Test("Real time is the boot clock to the nanosecond")
    func real() throws {
        let clock = try #require(ScaledClock(scale: 1, startBootNanos: 500, startWallNanos: 0))
        #expect(clock.instant(atBootNanos: 1_234_567_890_123_456_789) == Instant(nanos: 1_234_567_890_123_456_789))
        #expect(clock.bootNanos(reaching: Instant(nanos: 77)) == 77)
        #expect(clock.bootNanos(reaching: .zero) == 1, "0 would disarm the timer")
        #expect(clock.wallMillis(now: .zero, hostWallNanos: 1_700_000_000_123_999_999) == 1_700_000_000_123)
    }

    @Test("Scaled time starts at the boot time and runs as many times faster")
    func scaled() throws {
        let clock = try #require(
            ScaledClock(scale: 100, startBootNanos: 5_000_000_000, startWallNanos: 9_000_000_000))
        #expect(clock.instant(atBootNanos: 5_000_000_000) == Instant(nanos: 5_000_000_000))
        #expect(clock.instant(atBootNanos: 5_010_000_000) == Instant(nanos: 6_000_000_000))
        #expect(clock.wallMillis(now: Instant(nanos: 6_000_000_000), hostWallNanos: 0) == 10_000)
    }

    @Test("Waking for a deadline comes at most one step of rounding early, and later instants never go back")
    func rounding() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let scale = Double.random(in: 0.01...5_000, using: &random)
            let start = Int64.random(in: 1...1_000_000_000_000_000, using: &random)
            let clock = try #require(ScaledClock(scale: scale, startBootNanos: start, startWallNanos: 0))
            let target = Instant(nanos: start + Int64.random(in: 0...86_400_000_000_000, using: &random))
            let boot = clock.bootNanos(reaching: target)
            #expect(
                clock.instant(atBootNanos: boot + 1) >= target.advanced(byNanos: -1), "scale \(scale) start \(start)")
            #expect(clock.instant(atBootNanos: boot) <= clock.instant(atBootNanos: boot + 1))
        }
    }

    @Test("A deadline beyond all time saturates")
    func saturation() throws {
        let clock = try #require(ScaledClock(scale: 0.001, startBootNanos: 5, startWallNanos: 0))
        #expect(clock.bootNanos(reaching: Instant(nanos: .max - 1)) == .max)
        #expect(clock.bootNanos(reaching: Instant(nanos: -4_000_000_000)) == 1)
    }

    @Test("A scale that is no forward speed is refused", arguments: [0, -1, .nan, .infinity])
    func refused(scale: Double) {
        #expect(ScaledClock(scale: scale, startBootNanos: 0, startWallNanos: 0) == nil)
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
