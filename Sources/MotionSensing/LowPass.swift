/// A one-pole low-pass that works by time: each input counts with the weight 1 − e^(−dt/τ) of the true spacing dt, so
/// that the rate of the samples, jitter and missing samples change nothing.
struct LowPass: Sendable {
    private let timeConstantSeconds: Double
    private(set) var value: Double
    /// The weight depends on the spacing alone, which is the same for many samples in a row.
    private var spacingNanos: Int64 = 0
    private var weight = 0.0

    init(timeConstantSeconds: Double, value: Double = 0) {
        self.timeConstantSeconds = timeConstantSeconds
        self.value = value
    }

    /// Moves towards `input`, `nanos` (0 to a gap) after the input before; returns the new value.
    mutating func take(_ input: Double, after nanos: Int64) -> Double {
        if nanos != spacingNanos {
            spacingNanos = nanos
            weight = Self.weight(seconds: Double(nanos) / 1e9, timeConstantSeconds: timeConstantSeconds)
        }
        value += (input - value) * weight
        return value
    }

    /// Starts again at `value`.
    mutating func restart(at value: Double) { self.value = value }

    /// 1 − e^(−t/τ) within 1e-7, for t from 0 to some τ; 1 beyond 40 τ.
    ///
    /// Worked out here because the C library's `exp` differs in the last bit from one CPU to the next, and these
    /// counts are compared.
    static func weight(seconds: Double, timeConstantSeconds: Double) -> Double {
        let ratio = max(0, seconds) / timeConstantSeconds
        guard ratio < 40 else { return 1 }
        // e^(−x) = (e^(−x/256))^256; the series of the root needs few terms.
        let x = -ratio / 256
        var power = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4)))
        for _ in 0..<8 { power *= power }
        return 1 - power
    }
}
