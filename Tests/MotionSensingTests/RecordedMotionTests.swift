import MotionSensing
import TestKit
import Testing
import TrackerModel

private let g = 9.80665

@Suite("Recorded motion", .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
struct RecordedMotionTests {
    /// Samples of a walk with the step count of the device that was worn as the truth.
    private func walk(_ name: String) throws -> (samples: [MotionSample], truth: Int) {
        let text = try #require(SharedData.text("accel/oxford-steps/\(name).csv"))
        var samples: [MotionSample] = []
        var truth = 0
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ",")
            guard fields.count >= 6, let nanos = Int64(fields[0]), let x = Double(fields[1]), let y = Double(fields[2]),
                let z = Double(fields[3]), let count = Int(fields[5])
            else { continue }
            samples.append(MotionSample(instant: Instant(nanos: nanos), x: x / g, y: y / g, z: z / g))
            truth = max(truth, count)
        }
        try #require(samples.count > 9_900 && truth > 150)
        return (samples, truth)
    }

    @Test(
        "Recorded walks count within 5 % of the truth at 100, 67, 50 and 25 Hz, within 10 % of 50 Hz with holes (E-113)",
        arguments: ["user1_backpocket_1506422470497", "user1_hand_1506421989895", "user2_armband_1506423383401"])
    func steps(name: String) throws {
        let (samples, truth) = try walk(name)
        func thinned(_ keeps: (Int) -> Bool) -> Int {
            countSteps(samples.enumerated().filter { keeps($0.offset) }.map(\.element))
        }
        let counts = [
            countSteps(samples), thinned { $0 % 3 != 2 }, thinned { $0 % 2 == 0 }, thinned { $0 % 4 == 0 },
        ]
        // Of the 50 Hz every third sample is missing.
        let holed = thinned { $0 % 2 == 0 && $0 % 3 != 2 }
        print("steps of \(name): truth \(truth), counted \(counts) at 100, 67, 50 and 25 Hz, \(holed) with holes")
        for count in counts { #expect(abs(Double(count - truth)) <= 0.05 * Double(truth), "\(counts) of \(truth)") }
        #expect(abs(Double(holed - truth)) <= 0.1 * Double(truth), "\(holed) of \(truth)")
    }

    @Test(
        "Recorded walks are walking and never still (E-096)",
        arguments: ["user1_backpocket_1506422470497", "user1_hand_1506421989895", "user2_armband_1506423383401"])
    func walkLabels(name: String) throws {
        let samples = try walk(name).samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        let run = ActivityRun(samples)
        print("labels of \(name): \(run.labels.map { "\($0.activity) \($0.confidence)" }), \(run.share)")
        // The first seconds go by until the device is put away.
        #expect((run.share[.walking] ?? 0) >= 0.85)
        let begun = try #require(run.held.firstIndex { $0.label.activity == .walking })
        #expect(run.held[begun...].allSatisfy { $0.label.activity == .walking })
        #expect(run.share[.still] == nil)
        #expect(run.labels.contains { $0.activity == .walking && $0.confidence == 100 })
    }

    /// Label of a case and its samples: 10 s at 10 Hz. The watch left gravity out; it is put back along the axis that
    /// moves most.
    private func cases() throws -> [(name: String, samples: [MotionSample])] {
        let text = try #require(SharedData.text("accel/basicmotions/BasicMotions_TRAIN.ts"))
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let dimensions = line.split(separator: ":")
            guard dimensions.count == 7 else { return nil }
            let axes = dimensions.prefix(3).map { $0.split(separator: ",").compactMap { Double($0) } }
            guard axes.allSatisfy({ $0.count == 100 }) else { return nil }
            let spread = axes.map { axis in (axis.max() ?? 0) - (axis.min() ?? 0) }
            let gravity = spread.map { $0 == spread.max() ? 1.0 : 0 }
            let samples = (0..<100).map { index in
                MotionSample(
                    instant: Instant(millis: Int64(index) * 100), x: axes[0][index] / g + gravity[0],
                    y: axes[1][index] / g + gravity[1], z: axes[2][index] / g + gravity[2])
            }
            return (String(dimensions[6]), samples)
        }
    }

    @Test("Standing people never walk or run at 66, though 10 Hz is less than steps need")
    func basicMotions() throws {
        for name in ["Standing", "Walking", "Running"] {
            let runs = try cases().filter { $0.name == name }.map { ActivityRun($0.samples) }
            #expect(runs.count == 10)
            var share: [Activity: Double] = [:]
            for run in runs { for (key, value) in run.share { share[key, default: 0] += value / 10 } }
            print("labels of \(name): \(share)")
            let gait = runs.flatMap(\.labels).filter { $0.activity == .walking || $0.activity == .running }
            if name == "Standing" { #expect(gait.allSatisfy { $0.confidence < 66 }) }
            if name != "Standing" { #expect(share[.still] == nil) }
        }
    }

    @Test("In a recorded drive nobody walks, and above 3 m/s stillness is a guess at most", arguments: [true, false])
    func driveLabels(knowsSpeed: Bool) throws {
        let log = try CarLog.read()
        let (samples, truth) = (log.samples, log.positions.map { (at: $0.instant, mps: $0.speedMps) })
        #expect(samples.count == 3_530)
        // The log gives no accuracy of the speed; receivers of its kind reach 0.1 m/s.
        let run = ActivityRun(samples, speeds: knowsSpeed ? truth : [], accuracyMps: 0.3)
        var driving: [Activity: Int] = [:]
        var standing: [Activity: Int] = [:]
        var certainlyStill = 0
        for (instant, label) in run.held {
            let mps = truth.last { $0.at <= instant }?.mps ?? 0
            if mps > 3 {
                driving[label.activity, default: 0] += 1
                if label.activity == .still, label.confidence > 33 { certainlyStill += 1 }
            } else if mps < 0.3 {
                standing[label.activity, default: 0] += 1
            }
        }
        print("drive, speed known \(knowsSpeed): above 3 m/s \(driving), of it still at 66 or 100 \(certainlyStill);")
        print("  below 0.3 m/s \(standing); steps \(countSteps(samples))")
        for labels in [driving, standing] { #expect(labels[.walking] == nil && labels[.running] == nil) }
        #expect(countSteps(samples) == 0)
        if knowsSpeed { #expect(certainlyStill == 0) }
    }
}
