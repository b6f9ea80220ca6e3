import MotionSensing
import Ports
import TrackerEngine
import TrackerModel
public import WireText

/// What the device's own sensors are worth, and why it is not more.
struct MotionQualityFinding: Equatable {
    var quality: MotionQuality
    /// What is missing for the next better one, in words.
    var missing: [String]
    /// The samples themselves are sound: a stop can be believed in its usual time. A chip without a wake interrupt is read
    /// without a break, and costs energy, not certainty.
    var isStillnessSound = false
}

/// The accelerometer, and how far it can be trusted (spec api §9).
extension Runtime {
    private static let qualityMillis: Int64 = 60_000

    func makeAccelerometer() -> AccelerometerLink? {
        if ports.bus == nil, ports.motion == nil { return nil }
        let link = AccelerometerLink(
            bus: ports.bus, stream: ports.motion,
            settings: .init(
                address: config.accelAddress, rateHz: config.accelRateHz, takesAnyDriver: config.accelBus == "auto",
                jitterMillis: Int64(20 * max(1, min(host.timeScale, 10_000)))),
            reactor: ports.reactor)
        link.onReading = { [unowned self] in
            receiverPower?.step(.stillnessRead($0))
            step(.stillnessRead($0))
        }
        link.onSamples = { [unowned self] in samplesArrived($0) }
        link.onSteps = { [unowned self] in step(.stepsCounted($0)) }
        link.onActivity = { [unowned self] in step(.activityLabelled($0)) }
        link.onLost = { [unowned self] problem, isNews in
            if isNews { emit(.error(.sensorFault, problem)) }
            receiverPower?.step(.stillnessLost)
            step(.stillnessLost)
            if link.isFailing, motionQuality != nil { judgeMotionQuality() }
        }
        link.onDiagnostic = { [unowned self] in diagnose($0) }
        link.onRecovered = { [unowned self] in diagnose("sensor_recovered: the accelerometer works again") }
        return link
    }

    /// From now on the quality is judged once a minute, and at once when the accelerometer fails.
    func watchMotionQuality() {
        judgeMotionQuality()
        every(Self.qualityMillis) { [unowned self] in judgeMotionQuality() }
    }

    private func judgeMotionQuality() {
        let found = motionQualityNow
        let before = motionQuality
        motionQuality = found
        if found.isStillnessSound != before?.isStillnessSound || found.quality != before?.quality {
            step(.motionQualityChanged(found.isStillnessSound ? .full : found.quality))
        }
        guard found.quality != before?.quality else { return }
        let missing = found.missing.joined(separator: ", ")
        log(.notice, "motion.quality", [("quality", .text(found.quality.rawValue)), ("missing", .text(missing))])
        if found.quality == .poor {
            emit(.error(.motionDetectionDegraded, "the receiver alone tells motion; missing: \(missing)"))
        }
    }

    private var motionQualityNow: MotionQualityFinding {
        guard let accelerometer else {
            return .init(quality: .poor, missing: ["an accelerometer (accel.bus is none)"])
        }
        if accelerometer.isFailing || accelerometer.state == .off {
            return .init(quality: .poor, missing: ["a working accelerometer (\(accelerometer.problem ?? "it is off"))"])
        }
        var doubts = accelerometer.health.shortcomings(nominalRateHz: accelerometer.movingRateHz)
        if let why = accelerometer.driven?.polledBecause { doubts.append("samples from the kernel's buffer (\(why))") }
        let missing = doubts + (accelerometer.hasWakeInterrupt ? [] : ["a wired wake interrupt"])
        return .init(
            quality: missing.isEmpty ? .full : .degraded, missing: missing, isStillnessSound: doubts.isEmpty)
    }

    var accelerometerStatus: JSONObject {
        guard let accelerometer else { return ["state": "off"] }
        var status: JSONObject = ["state": .string(accelerometer.state.rawValue), "name": .string(accelerometer.name)]
        status["model"] = accelerometer.model.map { .string($0) }
        if accelerometer.chip != nil {
            status["address"] = accelerometer.bus.map { .string(AccelerometerSearch.hex($0.address)) }
        }
        if accelerometer.state == .ok { status["rateHz"] = JSONValue.decimal(accelerometer.rateHz, places: 1) }
        if let reading = accelerometer.lastReading {
            status["rmsG"] = JSONValue.decimal(reading.rmsG, places: 4)
            status["stillSec"] = reading.stillSince.map { seconds(since: $0) } ?? 0
        }
        if accelerometer.overruns > 0 { status["overruns"] = .int(accelerometer.overruns) }
        status["problem"] = accelerometer.problem.map { .string($0) }
        return status
    }

    /// What `getSensors` answers: live, after another look for a chip that is failing.
    public func sensors() -> JSONObject {
        accelerometer?.probe()
        var status = accelerometerStatus
        if let accelerometer {
            let health = accelerometer.health
            status["movingRateHz"] = accelerometer.model.flatMap { _ in
                JSONValue.decimal(health.effectiveRateHz ?? accelerometer.movingRateHz, places: 1)
            }
            status["noiseG"] = health.noiseG.flatMap { JSONValue.decimal($0, places: 4) }
            status["gapPercent"] = JSONValue.decimal(health.gapShare * 100, places: 2)
        }
        let works = accelerometer?.state == .ok
        let finding = motionQualityNow
        var answer: JSONObject = [
            "activityRecognition": .bool(works && config.capture.usesActivity),
            "stepCounting": .bool(
                works && config.capture.usesSteps
                    && accelerometer.map { $0.movingRateHz >= AccelerometerLink.stepsHz } == true),
            "wakeInterrupt": .bool(accelerometer?.hasWakeInterrupt == true), "barometer": false,
            "accelerometer": .object(status), "motionQuality": .string(finding.quality.rawValue),
            "missing": .array(finding.missing.map { .string($0) }),
        ]
        if let board, !board.isEmpty { answer["lines"] = board.status }
        return answer
    }

    /// - Parameter answer: called once, when the test is over; with why not when there was none.
    func testSensors(_ answer: @escaping (Result<JSONObject, BusFailure>) -> Void) {
        guard let accelerometer else {
            return answer(
                .failure(
                    BusFailure(code: .absent, cause: "no accelerometer is configured", remedy: "set accel.bus")))
        }
        accelerometer.runSelfTest { [unowned self] outcome in
            answer(
                outcome.map { result in
                    var sensors = sensors()
                    sensors["selfTest"] = .object(Self.object(result))
                    return sensors
                })
        }
    }

    private static func object(_ result: SelfTest.Result) -> JSONObject {
        func places(_ values: [Double]) -> JSONValue {
            .array(values.map { JSONValue.decimal($0, places: 3) ?? .null })
        }
        var object: JSONObject = [
            "passed": .bool(result.passed), "judged": .bool(result.isJudged), "changesG": places(result.changesG),
        ]
        if result.isJudged {
            object["atLeastG"] = places(result.limitsG.map { $0?.lowerBound ?? 0 })
            object["atMostG"] = places(result.limitsG.map { $0?.upperBound ?? 0 })
        }
        return object
    }
}
