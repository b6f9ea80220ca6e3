import Glibc
import TestKit
import TrackerModel

/// Made-up acceleration: a shape of the vertical axis in g over seconds, sampled as the options say.
struct MotionSignal {
    var rateHz = 50.0
    var seconds = 120.0
    var startSeconds = 0.0
    /// Times of the samples are wrong by up to this, as under a busy scheduler.
    var jitterSeconds = 0.0
    /// Every n-th sample is missing.
    var dropEvery: Int?
    /// Added to the reading along gravity: what a sensor that is not adjusted adds.
    var offsetG = 0.0
    /// Direction of the vertical in the axes of the device; need not have length 1.
    var up = (0.0, 0.0, 1.0)
    var noiseG = 0.004
    var seed: UInt64 = 1
    /// Sideways acceleration in g, at right angles to `up` only when that is Z.
    var sideways: (Double) -> Double = { _ in 0 }

    func samples(_ vertical: (Double) -> Double) -> [MotionSample] {
        var random = SeededRandom(seed: seed)
        var samples: [MotionSample] = []
        let length = (up.0 * up.0 + up.1 * up.1 + up.2 * up.2).squareRoot()
        for index in 0..<Int(seconds * rateHz) {
            let time = startSeconds + Double(index) / rateHz
            let noise = Double.random(in: -1...1, using: &random) * noiseG
            let late = jitterSeconds > 0 ? Double.random(in: -jitterSeconds...jitterSeconds, using: &random) : 0
            if let dropEvery, index % dropEvery == dropEvery - 1 { continue }
            let g = (1 + offsetG + vertical(time) + noise) / length
            samples.append(
                MotionSample(
                    instant: Instant(nanos: Int64((time + late + 1) * 1e9)), x: up.0 * g + sideways(time), y: up.1 * g,
                    z: up.2 * g))
        }
        return samples
    }

    /// A gait of `pace` steps a second: the step, the heel strike and a third harmonic.
    static func gait(_ pace: Double, _ amplitudeG: Double = 0.25) -> (Double) -> Double {
        { time in
            let step = 2 * Double.pi * (pace * time).truncatingRemainder(dividingBy: 1)
            return amplitudeG * (sin(step) + 0.28 * sin(2 * step + 0.4) + 0.12 * sin(3 * step + 0.9))
        }
    }

    static func tone(_ hertz: Double, _ amplitudeG: Double) -> (Double) -> Double {
        { amplitudeG * sin(2 * Double.pi * (hertz * $0).truncatingRemainder(dividingBy: 1)) }
    }

    /// Sixty tones of 8 to 20 Hz with the phases of a seed: broad noise of the stated root mean square.
    static func road(_ rmsG: Double, seed: UInt64, band: ClosedRange<Double> = 8...20) -> (Double) -> Double {
        var random = SeededRandom(seed: seed)
        let tones = (0..<60).map { _ in
            (Double.random(in: band, using: &random), Double.random(in: 0...6.28, using: &random))
        }
        let amplitude = rmsG * (2.0 / 60).squareRoot()
        return { time in tones.reduce(0) { $0 + amplitude * sin(2 * Double.pi * $1.0 * time + $1.1) } }
    }
}
