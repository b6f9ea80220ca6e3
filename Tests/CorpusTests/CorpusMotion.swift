import Foundation
import MotionSensing
import TrackerModel

@testable import DeviceSimulator

/// Acceleration at 50 Hz of one activity after the other: those of the simulator, and two that it has not.
struct CorpusMotion {
    private static let periodMillis: Int64 = 20

    private(set) var samples: [MotionSample] = []

    init(_ plan: [(activity: String, seconds: Double)], seed: UInt64) {
        var start: Int64 = 0
        for (activity, seconds) in plan {
            let end = start + Int64(seconds * 1_000)
            let script = MotionScript.Activity(rawValue: activity).map {
                MotionScript([.init($0, millis: 1)], seed: seed)
            }
            for millis in stride(from: start, to: end, by: Int(Self.periodMillis)) {
                // Never at the same reading as a fix, so that their order is plain.
                let instant = Instant(millis: millis + 7)
                let felt = script?.acceleration(at: instant) ?? Self.felt(activity, at: instant, seed)
                samples.append(MotionSample(instant: instant, x: felt.x, y: felt.y, z: felt.z))
            }
            start = end
        }
    }

    /// Running at 2.8 steps a second, and pedalling at 70 a minute over a road.
    private static func felt(_ activity: String, at instant: Instant, _ seed: UInt64) -> Acceleration {
        let road = MotionScript([.init(.driving, millis: 1)], seed: seed).acceleration(at: instant)
        let seconds = Double(instant.nanos) / 1e9
        let turn =
            2 * Double.pi * ((activity == "running" ? 2.8 : 70 / 60.0) * seconds).truncatingRemainder(dividingBy: 1)
        if activity == "running" {
            return Acceleration(
                x: 0.2 * sin(turn / 2), y: 0.15 * sin(turn + 1.1), z: 1 + 0.8 * sin(turn) + 0.25 * sin(2 * turn + 0.4))
        }
        return Acceleration(
            x: road.x + 0.08 * sin(turn), y: road.y + 0.05 * sin(turn + 1), z: road.z + 0.04 * sin(2 * turn))
    }

    /// What the detectors of steps and activities make of the samples, one finding a line.
    var findings: String {
        var steps = StepDetector()
        var classifier = ActivityClassifier()
        var total = 0
        var text = ""
        for sample in samples {
            if let reading = steps.handle(sample) { total = reading.total }
            if let label = classifier.handle(sample, cadencePerMinute: steps.cadencePerMinute) {
                text += "label \(sample.instant.millis) ms \(label.activity.rawValue) \(label.confidence)\n"
            }
        }
        return samples.isEmpty ? "" : text + "steps \(total)\n"
    }
}
