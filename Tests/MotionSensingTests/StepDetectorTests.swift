import Glibc
import MotionSensing
import TestKit
import Testing
import TrackerModel

/// The last reading after all samples; the readings on the way are checked to be once a second.
func countSteps(_ samples: [MotionSample]) -> Int {
    var detector = StepDetector()
    var total = 0
    for sample in samples { if let reading = detector.handle(sample) { total = reading.total } }
    return total
}

@Suite("Steps from acceleration")
struct StepDetectorTests {
    /// 120 s at 1.8 steps a second are 216.
    private static func walking(_ time: Double) -> Double { MotionSignal.gait(1.8)(time) }

    @Test(
        "A walk of 216 steps counts within 5 % at every rate, within 10 % at 25 Hz (A-16)",
        arguments: [(25.0, 194...238), (50, 205...227), (100, 205...227), (200, 205...227)])
    func walk(rateHz: Double, expected: ClosedRange<Int>) {
        let count = countSteps(MotionSignal(rateHz: rateHz).samples(Self.walking))
        #expect(expected.contains(count), "\(count) steps, seed 1")
    }

    @Test("Every third sample may be missing (A-16, E-113)", arguments: [50.0, 100])
    func thirdMissing(rateHz: Double) {
        let full = countSteps(MotionSignal(rateHz: rateHz).samples(Self.walking))
        let thinned = countSteps(MotionSignal(rateHz: rateHz, dropEvery: 3).samples(Self.walking))
        #expect(Double(abs(thinned - full)) <= 0.05 * Double(full), "\(thinned) of \(full), seed 1")
    }

    @Test("Sample times that are wrong by up to 10 ms do not matter (E-114)", arguments: [1 as UInt64, 2, 3])
    func jitter(seed: UInt64) {
        let samples = MotionSignal(jitterSeconds: 0.010, seed: seed).samples(Self.walking)
        let count = countSteps(samples)
        #expect((205...227).contains(count), "\(count) steps, seed \(seed)")
    }

    @Test("An offset of 80 mg does not matter, whichever way the device lies (E-109, F-41)")
    func offset() {
        for up in [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.6, 0.0, -0.8)] {
            for offset in [-0.08, 0.08] {
                let count = countSteps(MotionSignal(offsetG: offset, up: up).samples(Self.walking))
                #expect((205...227).contains(count), "\(count) steps lying \(up) with \(offset) g, seed 1")
            }
        }
    }

    @Test("A drift of 20 mg over the 10 minutes of a warming device does not matter (E-110)")
    func drift() {
        let walk = Self.walking
        let count = countSteps(MotionSignal(seconds: 600).samples { walk($0) + 0.02 * $0 / 600 })
        #expect((1_026...1_134).contains(count), "\(count) of 1 080 steps, seed 1")
    }

    @Test("Gaits from a stroll to a run are counted", arguments: [(1.2, 0.15), (1.5, 0.2), (2.2, 0.4), (2.8, 0.8)])
    func paces(pace: Double, amplitudeG: Double) {
        let count = countSteps(MotionSignal(seconds: 60).samples(MotionSignal.gait(pace, amplitudeG)))
        #expect(abs(Double(count) - 60 * pace) <= 0.05 * 60 * pace, "\(count) steps, seed 1")
    }

    @Test("A minute of vibration at 10 to 20 Hz and 0.3 g is no walk (A-16)", arguments: [25.0, 50, 100, 200])
    func vibration(rateHz: Double) {
        for halfHertz in 20...40 {
            let hertz = Double(halfHertz) / 2
            // 0.3 g may be meant as the peak or as the root mean square.
            for amplitude in [0.3, 0.42] {
                let signal = MotionSignal(rateHz: rateHz, seconds: 60)
                let count = countSteps(signal.samples(MotionSignal.tone(hertz, amplitude)))
                #expect(count <= 2, "\(count) steps at \(hertz) Hz and \(amplitude) g, seed 1")
            }
        }
    }

    @Test("A sweep and broad noise of 10 to 20 Hz are no walk either", arguments: [25.0, 50, 100])
    func broadVibration(rateHz: Double) {
        let signal = MotionSignal(rateHz: rateHz, seconds: 60)
        let sweep = countSteps(signal.samples { 0.3 * sin(2 * Double.pi * (10 * $0 + 5 * $0 * $0 / 60)) })
        #expect(sweep <= 2, "\(sweep) steps of a sweep, seed 1")
        for seed in 1...4 as ClosedRange<UInt64> {
            let noise = countSteps(signal.samples(MotionSignal.road(0.3, seed: seed, band: 10...20)))
            #expect(noise <= 2, "\(noise) steps of noise, seed \(seed)")
        }
    }

    @Test("A knock every 3 s is no step, rigid or ringing (E-112, A-16)", arguments: [0.3, 1, 2])
    func knocks(heightG: Double) {
        for ringing in [0.02, 0.1, 0.3] {
            let count = countSteps(
                MotionSignal().samples { time in
                    let after = time.truncatingRemainder(dividingBy: 3)
                    return heightG * exp(-after / ringing) * cos(2 * Double.pi * 9 * after)
                })
            #expect(count == 0, "\(count) steps of knocks that ring \(ringing) s, seed 1")
        }
    }

    @Test("A knock in the middle of a walk costs few steps")
    func knockedWalk() {
        let walk = Self.walking
        let count = countSteps(MotionSignal().samples { walk($0) + (abs($0 - 60) < 0.04 ? 3 : 0) })
        #expect((205...227).contains(count), "\(count) steps, seed 1")
    }

    @Test("Four steps are none, five are five")
    func fewSteps() {
        for (steps, expected) in [(4, 0), (5, 5), (7, 7)] {
            let walk = Self.walking
            let end = 2 + Double(steps) / 1.8
            let count = countSteps(MotionSignal(seconds: 8).samples { $0 >= 2 && $0 < end ? walk($0 - 2) : 0 })
            #expect(count == expected, "\(count) after \(steps) steps, seed 1")
        }
    }

    @Test("Readings come once a second of sample time and only grow")
    func readings() throws {
        var detector = StepDetector()
        let samples = MotionSignal(seconds: 30).samples(Self.walking)
        let readings = samples.compactMap { detector.handle($0) }
        #expect(readings.count == 29)
        let first = try #require(samples.first)
        #expect(readings.allSatisfy { $0.since == first.instant })
        for (a, b) in zip(readings, readings.dropFirst()) {
            #expect(b.instant.millis(since: a.instant) == 1_000)
            #expect(b.total >= a.total)
        }
        let cadence = try #require(detector.cadencePerMinute)
        #expect(abs(cadence - 108) < 4)
    }

    @Test("Without steps the reading is zero, not absent")
    func zero() throws {
        var detector = StepDetector()
        let readings = MotionSignal(seconds: 10).samples { _ in 0 }.compactMap { detector.handle($0) }
        #expect(readings.count == 9)
        #expect(try #require(readings.last).total == 0)
        #expect(detector.cadencePerMinute == nil)
    }

    @Test("A hole where the FIFO overran begins a new count, right on both sides of it (E-107)")
    func overrun() throws {
        var detector = StepDetector()
        let before = MotionSignal(seconds: 60).samples(Self.walking)
        let after = MotionSignal(seconds: 60, startSeconds: 62).samples(Self.walking)
        let first = try #require(before.compactMap { detector.handle($0) }.last)
        let second = try #require(after.compactMap { detector.handle($0) }.last)
        #expect((103...113).contains(first.total), "\(first.total) steps, seed 1")
        #expect((103...113).contains(second.total), "\(second.total) steps, seed 1")
        #expect(second.since == after.first?.instant)
    }

    @Test("Told to forget, it begins a new count without a hole")
    func cleared() throws {
        var detector = StepDetector()
        let samples = MotionSignal(seconds: 60).samples(Self.walking)
        for sample in samples[..<1_500] { _ = detector.handle(sample) }
        detector.clear()
        #expect(detector.cadencePerMinute == nil)
        let last = try #require(samples[1_500...].compactMap { detector.handle($0) }.last)
        #expect(last.since == samples[1_500].instant)
        #expect((50...57).contains(last.total), "\(last.total) steps, seed 1")
    }

    @Test("What no sensor measures begins a new count and traps nothing")
    func hostile() throws {
        let hostile = [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e300, -65]
        for value in hostile {
            var detector = StepDetector()
            for sample in MotionSignal(seconds: 10).samples(Self.walking) { _ = detector.handle(sample) }
            #expect(detector.cadencePerMinute != nil)
            #expect(detector.handle(MotionSample(instant: Instant(millis: 11_020), x: 0, y: value, z: 1)) == nil)
            #expect(detector.cadencePerMinute == nil)
            let walk = MotionSignal(seconds: 10, startSeconds: 10.04).samples(Self.walking)
            let last = try #require(walk.compactMap { detector.handle($0) }.last)
            #expect(last.since == walk.first?.instant)
            #expect((14...18).contains(last.total), "\(last.total) steps after \(value), seed 1")
        }
    }

    @Test("Times that stand, jump and go back trap nothing")
    func hostileTimes() {
        var random = SeededRandom(seed: 7)
        var detector = StepDetector()
        let times: [Int64] = [.min, .max, 0, 1, -1, 1_000_000_000, 1_020_000_000]
        for _ in 0..<20_000 {
            let nanos = times.randomElement(using: &random) ?? 0
            let g = Double.random(in: -64...64, using: &random)
            if let reading = detector.handle(MotionSample(instant: Instant(nanos: nanos), x: g, y: g, z: g)) {
                #expect(reading.total >= 0 && reading.total < 20_000, "seed 7")
            }
        }
    }
}
