import Glibc
import MotionSensing
import TestKit
import Testing
import TrackerModel

/// Runs both detectors over samples, as the daemon does; `speed` gives the Doppler speed in m/s once a second.
struct ActivityRun {
    private(set) var labels: [ActivityLabel] = []
    /// Time under each label, by activity, of all the time with a label.
    private(set) var share: [Activity: Double] = [:]
    /// The label that held at each sample.
    private(set) var held: [(instant: Instant, label: ActivityLabel)] = []

    init(_ samples: [MotionSample], accuracyMps: Double? = 0.3, speed: (Double) -> Double? = { _ in nil }) {
        let start = samples.first?.instant ?? .zero
        let seconds = (samples.last ?? samples.first)?.instant.millis(since: start) ?? 0
        let speeds = (0...(seconds / 1_000)).compactMap { second in
            speed(Double(second)).map { (at: start.advanced(byMillis: second * 1_000), mps: $0) }
        }
        self.init(samples, speeds: speeds, accuracyMps: accuracyMps)
    }

    init(_ samples: [MotionSample], speeds: [(at: Instant, mps: Double)], accuracyMps: Double?) {
        var steps = StepDetector()
        var classifier = ActivityClassifier()
        var waiting = speeds[...]
        for sample in samples {
            while let next = waiting.first, next.at <= sample.instant {
                waiting = waiting.dropFirst()
                let label = classifier.speedMeasured(next.mps, accuracyMps: accuracyMps, at: next.at)
                if let label { labels.append(label) }
            }
            _ = steps.handle(sample)
            if let label = classifier.handle(sample, cadencePerMinute: steps.cadencePerMinute) { labels.append(label) }
            if let label = classifier.label { held.append((sample.instant, label)) }
        }
        for (_, label) in held { share[label.activity, default: 0] += 1 / Double(held.count) }
    }

    /// The labels in order without their confidence.
    var activities: [Activity] {
        labels.reduce(into: []) { if $0.last != $1.activity { $0.append($1.activity) } }
    }

    func confidences(_ activity: Activity) -> [Int] { labels.filter { $0.activity == activity }.map(\.confidence) }
}

@Suite("Activity from acceleration and speed")
struct ActivityClassifierTests {
    @Test("A device at rest is still: 66 after 4 s, 100 after 10 s, since the start")
    func still() {
        let run = ActivityRun(MotionSignal(seconds: 60).samples { _ in 0 })
        #expect(run.activities == [.still])
        #expect(run.confidences(.still) == [66, 100])
        #expect(run.labels.allSatisfy { $0.since == Instant(millis: 1_000) })
    }

    @Test("Stillness that a fresh speed contradicts is 33; an old or inaccurate speed says nothing")
    func stillAgainstSpeed() {
        let rest = MotionSignal(seconds: 60).samples { _ in 0 }
        #expect(ActivityRun(rest) { _ in 1 }.confidences(.still) == [33])
        #expect(ActivityRun(rest) { $0 < 1 ? 1 : nil }.confidences(.still) == [33, 66, 100])
        #expect(ActivityRun(rest) { $0 < 30 ? 0 : 1 }.confidences(.still) == [66, 100, 33])
        #expect(ActivityRun(rest, accuracyMps: 1.1) { _ in 1 }.confidences(.still) == [66, 100])
        #expect(ActivityRun(rest, accuracyMps: nil) { _ in 1 }.confidences(.still) == [66, 100])
    }

    @Test("A walk is walking: 33, 66 after 5 s, 100 after 10 s, and nothing else (E-096)", arguments: [25.0, 50, 100])
    func walking(rateHz: Double) {
        let samples = MotionSignal(rateHz: rateHz).samples(MotionSignal.gait(1.8))
        #expect(ActivityRun(samples).activities.filter { $0 != .unknown } == [.walking])
        let run = ActivityRun(samples) { _ in 1.4 }
        #expect(run.activities.filter { $0 != .unknown } == [.walking])
        #expect(run.confidences(.walking) == [33, 66, 100])
    }

    @Test("A walk at the speed of a car stays a guess")
    func walkingTooFast() {
        let run = ActivityRun(MotionSignal().samples(MotionSignal.gait(1.8))) { _ in 2.6 }
        #expect(run.confidences(.walking) == [33])
    }

    @Test("A run is running; 100 takes a speed")
    func running() {
        let samples = MotionSignal(seconds: 60).samples(MotionSignal.gait(2.7, 0.8))
        #expect(ActivityRun(samples).confidences(.running) == [33, 66])
        let run = ActivityRun(samples) { _ in 3.2 }
        #expect(run.confidences(.running) == [33, 66, 100])
        #expect(run.activities.filter { $0 != .unknown } == [.running])
        #expect(ActivityRun(samples) { _ in 7.5 }.confidences(.running) == [33, 66])
    }

    @Test("A walk with a pause of three seconds stays one walk")
    func pausedWalk() {
        let gait = MotionSignal.gait(1.8)
        let run = ActivityRun(MotionSignal(seconds: 60).samples { (30..<33).contains($0) ? 0 : gait($0) })
        #expect(run.activities.filter { $0 != .unknown } == [.walking])
        #expect(run.confidences(.walking) == [33, 66, 100])
    }

    @Test("Walk, rest, walk: each is found within 8 s and begins where it began, within 6 s")
    func changes() throws {
        let gait = MotionSignal.gait(1.8)
        let run = ActivityRun(MotionSignal(seconds: 120).samples { (40..<80).contains($0) ? 0 : gait($0) })
        #expect(run.activities.filter { $0 != .unknown } == [.walking, .still, .walking])
        let rest = try #require(run.labels.first { $0.activity == .still })
        #expect(abs(rest.since.millis - 41_000) <= 6_000)
        let again = try #require(run.labels.last { $0.activity == .walking })
        #expect(abs(again.since.millis - 81_000) <= 6_000)
        let found = try #require(run.held.first { $0.instant.millis > 81_000 && $0.label.activity == .walking })
        #expect(found.instant.millis <= 89_000)
    }

    @Test("A steady fast speed is a vehicle: 100 after 10 s, 66 below 5 m/s, however smooth the road is")
    func vehicle() {
        for rms in [0.005, 0.08] {
            let samples = MotionSignal(seconds: 60).samples(MotionSignal.road(rms, seed: 5))
            let fast = ActivityRun(samples) { _ in 14 }
            #expect(fast.labels.last?.activity == .inVehicle, "seed 5")
            #expect(fast.labels.last?.confidence == 100)
            let slow = ActivityRun(samples) { _ in 4 }
            #expect(slow.labels.last?.activity == .inVehicle, "seed 5")
            #expect(slow.labels.last?.confidence == 66)
        }
    }

    @Test("Without a speed broad noise of the road is a vehicle at 33", arguments: [25.0, 50, 100])
    func vehicleByNoise(rateHz: Double) {
        for seed in 1...3 as ClosedRange<UInt64> {
            let run = ActivityRun(
                MotionSignal(rateHz: rateHz, seconds: 60).samples(MotionSignal.road(0.08, seed: seed)))
            #expect((run.share[.inVehicle] ?? 0) > 0.8, "\(run.share) seed \(seed)")
            #expect(run.confidences(.inVehicle).allSatisfy { $0 == 33 }, "seed \(seed)")
        }
    }

    @Test("An engine at idle and a machine are neither still nor a walk nor a vehicle (E-111, F-40)")
    func idle() {
        let idle = MotionSignal.tone(13.1, 0.035)
        let second = MotionSignal.tone(21.7, 0.015)
        let machine = MotionSignal.tone(30, 0.15)
        for samples in [
            MotionSignal(seconds: 120).samples { idle($0) + second($0) }, MotionSignal(seconds: 120).samples(machine),
        ] {
            #expect(ActivityRun(samples).activities == [.unknown])
        }
    }

    @Test("Pedalling makes a bicycle: 33, 66 after 20 s, never 100, and coasting makes no vehicle of it")
    func bicycle() {
        // Too weak and too slow for steps: 0.05 g at 1.2 Hz with noise of the road.
        let noise = MotionSignal.road(0.03, seed: 9)
        let samples = MotionSignal(seconds: 120).samples { time in
            let isCoasting = (60..<67).contains(time)
            return noise(time) + (isCoasting ? 0 : 0.05 * sin(2 * Double.pi * 1.2 * time))
        }
        let run = ActivityRun(samples) { _ in 6 }
        #expect(run.activities == [.onBicycle], "seed 9")
        #expect(run.confidences(.onBicycle).contains(66), "seed 9")
        #expect(!run.confidences(.onBicycle).contains(100), "seed 9")
    }

    @Test("Turned over at rest it tilts once and is still again; slow turning is no tilting")
    func tilting() {
        let turned = MotionSignal(seconds: 20).samples { _ in 0 }.map { sample in
            let angle = 40 * Double.pi / 180 * min(1, max(0, (Double(sample.instant.nanos) / 1e9 - 11) / 0.5))
            return MotionSample(
                instant: sample.instant, x: sample.z * sin(angle), y: 0, z: sample.z * cos(angle))
        }
        #expect(ActivityRun(turned).activities == [.still, .tilting, .still])
        let slow = MotionSignal(seconds: 20).samples { _ in 0 }.map { sample in
            let angle = 10 * Double.pi / 180 * Double(sample.instant.nanos) / 1e9
            return MotionSample(
                instant: sample.instant, x: sample.z * sin(angle), y: 0, z: sample.z * cos(angle))
        }
        #expect(ActivityRun(slow).activities == [.still])
    }

    @Test("A hole in the samples ends the label: what comes after it begins after it (E-107)")
    func gap() throws {
        let before = MotionSignal(seconds: 30).samples { _ in 0 }
        let after = MotionSignal(seconds: 30, startSeconds: 31).samples { _ in 0 }
        let run = ActivityRun(before + after)
        #expect(run.confidences(.still) == [66, 100, 66, 100])
        #expect(run.labels.last?.since == after.first?.instant)
    }

    @Test("What no sensor measures clears it and traps nothing, nor do strange times and speeds")
    func hostile() {
        var random = SeededRandom(seed: 11)
        var classifier = ActivityClassifier()
        let values = [Double.nan, .infinity, -1e300, .leastNonzeroMagnitude, 0, 1, 64, -64]
        let times: [Int64] = [.min, .max, -1, 0, 20_000_000]
        var nanos: Int64 = 0
        for round in 0..<20_000 {
            nanos += Int64.random(in: -5_000_000...200_000_000, using: &random)
            let instant = Instant(nanos: round % 500 == 0 ? times.randomElement(using: &random) ?? 0 : nanos)
            func value() -> Double { round % 97 == 0 ? values.randomElement(using: &random) ?? 0 : 1 }
            let byMotion = classifier.handle(
                MotionSample(instant: instant, x: value(), y: value(), z: value()), cadencePerMinute: nil)
            let bySpeed = classifier.speedMeasured(value(), accuracyMps: value(), at: instant)
            for label in [byMotion, bySpeed].compactMap({ $0 }) {
                #expect([33, 66, 100].contains(label.confidence), "seed 11")
            }
        }
        _ = classifier.handle(MotionSample(instant: .zero, x: .nan, y: 0, z: 0), cadencePerMinute: nil)
        #expect(classifier.label == nil)
    }
}
