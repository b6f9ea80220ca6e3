import Glibc
import TestKit
import Testing
import TrackerModel

@testable import MotionSensing

@Suite("Filters by time")
struct FilterTests {
    @Test("The weight of a low-pass is 1 − e^(−t/τ) within 1e-7")
    func weight() {
        for millis in [0, 1, 5, 20, 40, 100, 250, 1_500, 10_000] {
            for timeConstant in [0.05, 0.4, 2, 10] {
                let seconds = Double(millis) / 1_000
                let weight = LowPass.weight(seconds: seconds, timeConstantSeconds: timeConstant)
                #expect(abs(weight - (1 - exp(-seconds / timeConstant))) < 1e-7, "\(seconds) s of \(timeConstant) s")
            }
        }
    }

    /// Powers of 2 s of a shape at a rate.
    private func powers(rateHz: Int, jitterNanos: Int64 = 0, _ shape: (Double) -> Double) -> ToneBank.Powers {
        var random = SeededRandom(seed: 3)
        var bank = ToneBank()
        let step = 1_000_000_000 / Int64(rateHz)
        var last: Int64 = 0
        for index in 1...(2 * rateHz) {
            let late = jitterNanos > 0 ? Int64.random(in: -jitterNanos...jitterNanos, using: &random) : 0
            let next = index == 2 * rateHz ? 2_000_000_000 : Int64(index) * step + late
            bank.take(shape(Double(next) / 1e9), after: next - last)
            last = next
        }
        return bank.finish()
    }

    @Test("The power of a tone is half the square of its amplitude, at every rate and with jitter")
    func tone() {
        for (rate, jitter) in [(25, 0 as Int64), (50, 0), (50, 3_000_000), (200, 0)] {
            let pedal = powers(rateHz: rate, jitterNanos: jitter) { 0.2 * sin(2 * Double.pi * 1.5 * $0) }
            #expect(abs(pedal.pedal - 0.02) < 0.001, "\(rate) Hz, jitter \(jitter), seed 3")
            #expect(pedal.road < 0.001)
            let road = powers(rateHz: rate, jitterNanos: jitter) { 0.2 * sin(2 * Double.pi * 10 * $0) }
            #expect(abs(road.road - 0.02) < 0.002, "\(rate) Hz, jitter \(jitter), seed 3")
            #expect(road.strongestPair > 0.9 * road.road)
        }
    }

    @Test("A constant has no power, and 10 Hz are too slow for the road band")
    func outside() {
        let constant = powers(rateHz: 50) { _ in 0.5 }
        #expect(constant.pedal < 1e-9 && constant.road < 1e-9)
        #expect(powers(rateHz: 10) { sin(2 * Double.pi * 9 * $0) }.road == 0)
    }
}
