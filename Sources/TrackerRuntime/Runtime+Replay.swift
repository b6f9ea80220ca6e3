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

/// Recorded samples on their way to the engine: every detector of a live accelerometer hears them here.
struct RecordedSamples {
    private var stillness = StillnessDetector()

    mutating func take(_ sample: MotionSample, _ runtime: Runtime) {
        if let reading = stillness.handle(sample) { runtime.step(.stillnessRead(reading)) }
    }
}
