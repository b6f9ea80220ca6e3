public import TrackerModel

/// Stillness and shaking from acceleration samples (spec capture §13.2, §13.4), independent of how the device lies.
///
/// A is the magnitude of the vector, m its running mean (time constant 10 s); the deviation |A − m| is averaged as a
/// root mean square over windows of 1 s. A gap in the samples clears everything: absence of data is never stillness.
public struct StillnessDetector: Sendable {
    /// RMS below which a window is still, in g (spec capture §13.2).
    public static let stillRMS = 0.02
    /// RMS from which a window is shaken, in g (spec capture §13.4).
    public static let shakenRMS = 0.05
    private static let windowNanos: Int64 = 1_000_000_000
    private static let meanSeconds = 10.0
    /// Identical triples in a row that mean a stuck output (spec capture §13.1).
    private static let stuckCount = 50

    private var mean: Double?
    private var last: MotionSample?
    private var identical = 0
    private var windowStart: Instant?
    private var sumOfSquares = 0.0
    private var count = 0
    private var stillSince: Instant?
    private var shakenSince: Instant?

    public init() {}

    /// True when the chip repeats one output bit for bit: it does not measure.
    public var isStuck: Bool { identical >= Self.stuckCount }

    /// Takes one sample, in time order; returns a reading when it completes a window.
    /// What no sensor can have measured (NaN, more than 64 g) clears everything.
    public mutating func handle(_ sample: MotionSample) -> StillnessReading? {
        guard let magnitude = sample.magnitudeG else {
            clear()
            return nil
        }
        if let last {
            let spacing = sample.instant.nanos(since: last.instant)
            if spacing <= 0 || spacing > MotionSample.gapNanos { clear() }
            let same = last.x == sample.x && last.y == sample.y && last.z == sample.z
            identical = same ? identical + 1 : 0
        }
        let elapsed = last.map { sample.instant.seconds(since: $0.instant) } ?? 0
        // The first-order form of 1 − e^(−dt/τ): dt is at most 0.25 s against τ = 10 s.
        let centre = mean.map { $0 + (magnitude - $0) * min(1, max(0, elapsed) / Self.meanSeconds) } ?? magnitude
        mean = centre
        last = sample

        var reading: StillnessReading?
        if let start = windowStart, sample.instant.nanos(since: start) >= Self.windowNanos, count > 0 {
            reading = closeWindow(from: start, at: sample.instant)
        }
        if windowStart == nil { windowStart = sample.instant }
        sumOfSquares += (magnitude - centre) * (magnitude - centre)
        count += 1
        return reading
    }

    /// Forgets everything: after a bus fault, an overrun or a power cycle.
    public mutating func clear() {
        mean = nil
        last = nil
        identical = 0
        windowStart = nil
        sumOfSquares = 0
        count = 0
        stillSince = nil
        shakenSince = nil
    }

    private mutating func closeWindow(from start: Instant, at end: Instant) -> StillnessReading {
        let rms = (sumOfSquares / Double(count)).squareRoot()
        stillSince = rms < Self.stillRMS ? stillSince ?? start : nil
        shakenSince = rms >= Self.shakenRMS ? shakenSince ?? start : nil
        windowStart = nil
        sumOfSquares = 0
        count = 0
        return StillnessReading(instant: end, rmsG: rms, stillSince: stillSince, shakenSince: shakenSince)
    }
}
