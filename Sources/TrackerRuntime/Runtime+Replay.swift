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
        hasRecordedFix = true
        step(.fixOffered(fix))
    }
}

/// Recorded samples on their way to the engine, through the detectors of a live accelerometer.
final class RecordedSamples {
    /// A mean spacing up to this is dense enough for steps: 25 Hz, with room for what a recording lost.
    private static let denseSeconds = 0.06
    private static let memory = 16.0

    private unowned let runtime: Runtime
    private var detectors = MotionDetectors()
    private var last: Instant?
    private var spacing = 0.0
    private var countsSteps = false
    /// The recorded device has an accelerometer.
    private(set) var hasTaken = false

    init(_ runtime: Runtime) { self.runtime = runtime }

    func take(_ sample: MotionSample) {
        if !hasTaken {
            hasTaken = true
            runtime.accountForDevices()
        }
        measureSpacing(to: sample.instant)
        let found = detectors.take(sample, countsSteps: countsSteps)
        if let reading = found.stillness { runtime.step(.stillnessRead(reading)) }
        if let reading = found.steps { runtime.step(.stepsCounted(reading)) }
        if let label = found.activity { runtime.step(.activityLabelled(label)) }
    }

    func speedMeasured(by fix: TrackFix) {
        if let label = detectors.take(speedOf: fix) { runtime.step(.activityLabelled(label)) }
    }

    private func measureSpacing(to instant: Instant) {
        defer { last = instant }
        guard let last, case let seconds = instant.seconds(since: last), seconds > 0, seconds < 1 else { return }
        spacing = spacing == 0 ? seconds : spacing + (seconds - spacing) / Self.memory
        let isDense = spacing <= Self.denseSeconds
        if isDense != countsSteps {
            countsSteps = isDense
            detectors.rateChanged()
        }
    }
}
