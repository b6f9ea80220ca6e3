public import TrackerModel

/// Counts steps from acceleration samples (spec capture §13.3), by time and never by index: 25 to 200 Hz, jitter and
/// missing samples give the same count.
///
/// The deviation A − m of the magnitude from its running mean passes a band of about 0.4 to 3 Hz; a maximum of it
/// above the threshold is a peak. Steps count once five peaks follow each other at the pace of a gait.
///
/// Two rules go beyond the text of the specification, because its own acceptance asks for them (docs/modules/motion.md
/// has the measurement): every peak restarts the refractory time, and more than three lesser maxima between two peaks
/// are vibration.
public struct StepDetector: Sendable {
    private static let meanSeconds = 10.0
    private static let fastSeconds = 0.05
    private static let slowSeconds = 0.40
    /// Least height of a peak, in g, and its part of the running mean of peak heights.
    private static let floorG = 0.06
    private static let partOfMean = 0.5
    private static let peakMeanSeconds = 2.0
    private static let refractoryNanos: Int64 = 270_000_000
    private static let longestIntervalNanos: Int64 = 1_200_000_000
    /// Valid intervals in a row that make a run.
    private static let runIntervals = 4
    private static let runEndNanos: Int64 = 1_500_000_000
    /// From this part of the threshold on a maximum counts as a lesser one; a gait has at most three in an interval.
    private static let lesserPart = 0.25
    private static let lesserLimit = 3
    private static let readingNanos: Int64 = 1_000_000_000
    /// Weight of the newest interval in the cadence: about four steps.
    private static let cadenceWeight = 0.25

    private var mean = LowPass(timeConstantSeconds: StepDetector.meanSeconds)
    private var fast = LowPass(timeConstantSeconds: StepDetector.fastSeconds)
    private var slow = LowPass(timeConstantSeconds: StepDetector.slowSeconds)
    private var since: Instant?
    private var last = Instant.zero
    private var lastReading = Instant.zero
    /// The last two values of the band, for the maximum between them and the next.
    private var band = 0.0
    private var bandBefore = 0.0
    /// The last peak of any kind, which the refractory time is counted from.
    private var blockingPeak: Instant?
    /// The last peak that can be a step.
    private var lastPeak: Instant?
    private var peakMean = 0.0
    private var lesserMaxima = 0
    private var validIntervals = 0
    private var meanIntervalSeconds = 0.0
    private var total = 0

    public init() {}

    /// Steps a minute over about the last four, 50 to 222; `nil` while no run of steps is on.
    public var cadencePerMinute: Double? {
        validIntervals >= Self.runIntervals ? 60 / meanIntervalSeconds : nil
    }

    /// Takes one sample, in time order; returns a reading once a second of sample time.
    ///
    /// A gap of more than 0.25 s begins a new count. A sample that is not later than the one before is left out.
    public mutating func handle(_ sample: MotionSample) -> StepReading? {
        guard let magnitude = sample.magnitudeG else {
            clear()
            return nil
        }
        guard let start = since else {
            begin(sample.instant, magnitude)
            return nil
        }
        let spacing = sample.instant.nanos(since: last)
        guard spacing <= MotionSample.gapNanos, spacing >= -MotionSample.gapNanos else {
            clear()
            begin(sample.instant, magnitude)
            return nil
        }
        guard spacing > 0 else { return nil }
        take(magnitude, at: sample.instant, after: spacing)
        guard sample.instant.nanos(since: lastReading) >= Self.readingNanos else { return nil }
        lastReading = sample.instant
        return StepReading(instant: sample.instant, since: start, total: total)
    }

    /// Forgets everything: after a fault, an overrun or a change of the sampling rate. The next sample begins a new
    /// count.
    public mutating func clear() { self = StepDetector() }

    private mutating func begin(_ instant: Instant, _ magnitude: Double) {
        since = instant
        last = instant
        lastReading = instant
        mean.restart(at: magnitude)
    }

    private mutating func take(_ magnitude: Double, at instant: Instant, after spacing: Int64) {
        let deviation = magnitude - mean.take(magnitude, after: spacing)
        let next = fast.take(deviation, after: spacing) - slow.take(deviation, after: spacing)
        if band > bandBefore, band >= next, band > 0 { maximum(band, at: last) }
        if let lastPeak, instant.nanos(since: lastPeak) > Self.runEndNanos { endRun() }
        bandBefore = band
        band = next
        last = instant
    }

    private mutating func maximum(_ height: Double, at instant: Instant) {
        let threshold = max(Self.floorG, Self.partOfMean * peakMean)
        guard height >= threshold else {
            if height >= Self.lesserPart * threshold { lesserMaxima += 1 }
            return
        }
        let isBlocked = blockingPeak.map { instant.nanos(since: $0) < Self.refractoryNanos } ?? false
        blockingPeak = instant
        if isBlocked {
            lesserMaxima += 1
        } else {
            peak(height, at: instant)
        }
    }

    private mutating func peak(_ height: Double, at instant: Instant) {
        if let lastPeak {
            let interval = instant.nanos(since: lastPeak)
            intervalEnded(nanos: interval)
            peakMean +=
                (height - peakMean)
                * LowPass.weight(seconds: Double(interval) / 1e9, timeConstantSeconds: Self.peakMeanSeconds)
        } else {
            peakMean = height
        }
        lesserMaxima = 0
        lastPeak = instant
    }

    private mutating func intervalEnded(nanos: Int64) {
        let isRun = validIntervals >= Self.runIntervals
        if lesserMaxima > Self.lesserLimit {
            validIntervals = 0
        } else if nanos > Self.longestIntervalNanos {
            // A hesitation: no step in a run, which goes on, and a new beginning outside one.
            if !isRun { validIntervals = 0 }
        } else if isRun {
            total += 1
            meanIntervalSeconds += (Double(nanos) / 1e9 - meanIntervalSeconds) * Self.cadenceWeight
        } else {
            validIntervals += 1
            meanIntervalSeconds += (Double(nanos) / 1e9 - meanIntervalSeconds) / Double(validIntervals)
            // The peak that began the first of the intervals was a step too.
            if validIntervals == Self.runIntervals { total += Self.runIntervals + 1 }
        }
    }

    private mutating func endRun() {
        lastPeak = nil
        peakMean = 0
        lesserMaxima = 0
        validIntervals = 0
    }
}
