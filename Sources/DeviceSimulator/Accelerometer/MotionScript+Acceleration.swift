import CLinux
import Glibc
public import TrackerModel

extension MotionScript: AccelerationSource {
    /// What the chip would measure without limits of range and resolution: a pure function of time and seed.
    public func acceleration(at time: Instant) -> Acceleration {
        let seconds = Double(time.nanos) / 1e9
        let body: Acceleration =
            switch movement(at: time) {
            case .still, .fault: Acceleration()
            case .idle: idling(seconds)
            case .walking: walking(seconds)
            case .driving: driving(seconds)
            case .vibration: Acceleration(z: 0.15 * wave(30, seconds, 0))
            case .swell: heaving(seconds, by: 1 + 0.6 * wave(1 / 700.0, seconds, 44))
            case .sailing: heaving(seconds, by: 2.3)
            }
        return sensed(body, at: time)
    }

    /// Sine of a frequency in Hz with a phase of its own.
    private func wave(_ hertz: Double, _ seconds: Double, _ phase: UInt64) -> Double {
        let turn = (hertz * seconds).truncatingRemainder(dividingBy: 1) + SplitMix.noise(seed &* 31 &+ phase)
        return sin(2 * .pi * turn)
    }

    /// Two tones of an engine at idle, together 10 mg of deviation.
    private func idling(_ t: Double) -> Acceleration {
        Acceleration(x: 0.003 * wave(13.1, t, 1), z: 0.011 * wave(13.1, t, 2) + 0.0085 * wave(21.7, t, 3))
    }

    /// Up and down with every step and its harmonics, sideways with every second step. All share one phase, so that
    /// every step has one peak.
    private func walking(_ t: Double) -> Acceleration {
        let step = 2 * Double.pi * (1.8 * t).truncatingRemainder(dividingBy: 2)
        return Acceleration(
            x: 0.07 * sin(step / 2), y: 0.08 * sin(step + 1.1),
            z: 0.25 * sin(step) + 0.07 * sin(2 * step + 0.4) + 0.03 * sin(3 * step + 0.9))
    }

    /// Eight incommensurate tones between 8 and 20 Hz of equal size a: their deviation is a·√(8/2) = 2a, which wanders
    /// between 0.05 and 0.10 g with the road.
    private func driving(_ t: Double) -> Acceleration {
        let tones = [8.3, 9.7, 11.2, 12.9, 14.3, 16.1, 17.8, 19.6]
        let size = (0.075 + 0.025 * wave(1 / 23.0, t, 9)) / 2
        var road = 0.0
        for (index, hertz) in tones.enumerated() { road += wave(hertz, t, UInt64(10 + index)) }
        let sway = 0.03 * wave(0.31, t, 30) + 0.02 * wave(0.47, t, 31)
        return Acceleration(x: 0.3 * size * road + sway, y: 0.4 * size * wave(10.4, t, 32), z: size * road)
    }

    /// Waves of 10 to 15 cm every 3 s heave by 40 mg of deviation; the roll turns gravity to the side.
    private func heaving(_ t: Double, by size: Double) -> Acceleration {
        Acceleration(
            x: 0.02 * size * wave(0.21, t, 40), y: 0.07 * size * wave(0.31, t, 41),
            z: size * (0.045 * wave(0.37, t, 42) + 0.032 * wave(0.24, t, 43)))
    }

    /// Adds gravity, turns by the tilt of the mounting (4° and −7°) and adds the sensor's noise.
    private func sensed(_ body: Acceleration, at time: Instant) -> Acceleration {
        let (roll, pitch) = (4 * Double.pi / 180, -7 * Double.pi / 180)
        let up = body.z + 1
        let y = body.y * cos(roll) + up * sin(roll)
        let level = up * cos(roll) - body.y * sin(roll)
        let x = body.x * cos(pitch) - level * sin(pitch)
        let z = level * cos(pitch) + body.x * sin(pitch)
        let key = UInt64(bitPattern: time.nanos) &* 3 &+ seed &* 0x9E37_79B9
        return Acceleration(
            x: x + 0.003 * SplitMix.noise(key), y: y + 0.003 * SplitMix.noise(key &+ 1),
            z: z + 0.003 * SplitMix.noise(key &+ 2))
    }
}
