public import TrackerModel

/// Every detector that hears the samples of an accelerometer, live or recorded.
public struct MotionDetectors: Sendable {
    /// What one sample completed.
    public struct Findings {
        public var stillness: StillnessReading?
        public var steps: StepReading?
        public var activity: ActivityLabel?
    }

    private var stillness = StillnessDetector()
    private var steps = StepDetector()
    private var activity = ActivityClassifier()

    public init() {}

    /// The chip repeats one value.
    public var isStuck: Bool { stillness.isStuck }

    /// Takes a sample. Below 25 Hz steps must not be counted: none that were heard would look like none that were made.
    public mutating func take(_ sample: MotionSample, countsSteps: Bool) -> Findings {
        var found = Findings()
        found.stillness = stillness.handle(sample)
        if countsSteps { found.steps = steps.handle(sample) }
        found.activity = activity.handle(sample, cadencePerMinute: steps.cadencePerMinute)
        return found
    }

    /// What the receiver measured, which activities are told apart by; nothing of a simulated fix counts.
    public mutating func take(speedOf fix: TrackFix) -> ActivityLabel? {
        guard let speed = fix.speedMps, !fix.isMock else { return nil }
        return activity.speedMeasured(speed, accuracyMps: fix.speedAccuracyMps, at: fix.instant)
    }

    /// Stillness and activity so far stay known; steps are counted anew.
    public mutating func rateChanged() { steps.clear() }

    public mutating func clear() {
        stillness.clear()
        steps.clear()
        activity.clear()
    }
}
