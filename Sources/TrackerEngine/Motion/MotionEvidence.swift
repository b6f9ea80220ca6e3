import TrackerModel

/// What the sensors say, kept from one stored point to the next. Absence of data is never stillness.
struct MotionEvidence {
    /// A reading closes a window of a second; one more may be open when the fix arrives.
    private static let freshMillis: Int64 = 2_000
    /// A vertical speed counts this long (spec capture §13.6).
    private static let verticalMillis: Int64 = 5_000

    private(set) var stillness: StillnessReading?
    private(set) var activity: ActivityLabel?
    private var steps: StepReading?
    private var stepsAtAnchor = 0
    private var vertical: (mps: Double, at: Instant)?
    /// Of the windows since the last stored point.
    private var sumOfSquares = 0.0
    private var windows = 0

    mutating func take(_ reading: StillnessReading) {
        stillness = reading
        sumOfSquares += reading.rmsG * reading.rmsG
        windows += 1
    }

    /// The accelerometer failed: nothing of what it said covers the present interval.
    mutating func lost() {
        stillness = nil
        steps = nil
        activity = nil
        sumOfSquares = 0
        windows = 0
    }

    mutating func take(_ reading: StepReading) {
        if reading.since != steps?.since { stepsAtAnchor = 0 }
        steps = reading
    }

    /// True when the label is a new one.
    mutating func take(_ label: ActivityLabel) -> Bool {
        defer { activity = label }
        return label.activity != activity?.activity
    }

    mutating func take(verticalMps: Double, at now: Instant) {
        vertical = verticalMps.isFinite ? (verticalMps, now) : nil
    }

    /// The accelerometer says so at present.
    func isStill(at now: Instant) -> Bool {
        guard let stillness, stillness.stillSince != nil else { return false }
        return now.millis(since: stillness.instant) <= Self.freshMillis
    }

    /// Steps and stillness count from the stored point on (Δ8).
    mutating func pointStored() {
        stepsAtAnchor = steps?.total ?? 0
        sumOfSquares = 0
        windows = 0
    }

    /// The evidence about the time from the stored point to the fix. `anchor`: the point's instant, `nil` across a reboot.
    func weigh(_ fix: TrackFix, since anchor: Instant?, _ config: CaptureConfig, into context: inout PipelineContext) {
        if let vertical, fix.instant.millis(since: vertical.at) <= Self.verticalMillis {
            context.verticalSpeedMps = vertical.mps
        }
        guard let anchor else { return }
        if config.usesSteps, let steps, steps.since <= anchor, isFresh(steps.instant, fix) {
            context.steps = max(0, steps.total - stepsAtAnchor)
        }
        guard config.usesAccelerometerVeto, let stillness, isFresh(stillness.instant, fix) else { return }
        if windows > 0 { context.stillMetricG = (sumOfSquares / Double(windows)).squareRoot() }
        if let since = stillness.stillSince { context.wasStill = since <= anchor }
    }

    private func isFresh(_ instant: Instant, _ fix: TrackFix) -> Bool {
        fix.instant.millis(since: instant) <= Self.freshMillis
    }
}
