import TrackerModel

extension MotionSample {
    /// More than any accelerometer of this kind measures; what is above it was never measured.
    private static let limitG = 64.0
    /// A longer spacing of samples is a gap: 0.2 s (spec capture §13.1), with room for the 10 Hz of a resting device.
    static let gapNanos: Int64 = 250_000_000

    /// Length of the vector in g, independent of how the device lies; `nil` for what no sensor can have measured.
    var magnitudeG: Double? {
        // A comparison with NaN is false, so that NaN is refused too.
        guard abs(x) <= Self.limitG, abs(y) <= Self.limitG, abs(z) <= Self.limitG else { return nil }
        return (x * x + y * y + z * z).squareRoot()
    }
}
