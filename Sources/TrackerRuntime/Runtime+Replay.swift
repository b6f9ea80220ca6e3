import MotionSensing
import TrackerEngine
import TrackerModel

/// What a replay brings in where a live tracker has a receiver, an accelerometer and a boot.
extension Runtime {
    /// The recorded device has been restarted: what is known by its boot clock no longer counts.
    func rebooted() { step(.rebooted) }

    /// A recorded fix that was due: judged at once.
    func fixOffered(_ fix: TrackFix) {
        if let time = fix.time { clock = (time, fix.instant) }
        step(.fixOffered(fix))
    }
}

/// Recorded samples on their way to the engine: every detector of a live accelerometer hears them here, and what the
/// receiver measures beside them.
struct RecordedSamples {
    private var stillness = StillnessDetector()
    private var steps = StepDetector()
    private var activity = ActivityClassifier()

    mutating func take(_ sample: MotionSample, _ runtime: Runtime) {
        if let reading = stillness.handle(sample) { runtime.step(.stillnessRead(reading)) }
        if let reading = steps.handle(sample) { runtime.step(.stepsCounted(reading)) }
        let label = activity.handle(sample, cadencePerMinute: steps.cadencePerMinute)
        if let label { runtime.step(.activityLabelled(label)) }
    }

    mutating func take(speedOf fix: TrackFix, _ runtime: Runtime) {
        guard let speed = fix.speedMps, !fix.isMock else { return }
        let label = activity.speedMeasured(speed, accuracyMps: fix.speedAccuracyMps, at: fix.instant)
        if let label { runtime.step(.activityLabelled(label)) }
    }
}
