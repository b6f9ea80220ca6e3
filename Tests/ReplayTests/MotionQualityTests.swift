import DeviceSimulator
import Ports
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerEngine
@testable import TrackerRuntime

/// A live runtime with a simulated accelerometer, or none.
private final class QualityBench {
    let reactor = ManualReactor()
    let runtime: Runtime
    var errors: [(code: ErrorCode, message: String)] = []

    init(_ script: String = "still 36000", chip: SimulatedChipModel? = .lis3dh, faults: String = "") throws {
        let reactor = reactor
        let bus = try chip.map { model in
            SimulatedBus(
                chip: ChipOnBus(
                    model, motion: try MotionScript(text: script), faults: try ChipFault.list(text: faults)),
                reactor: reactor)
        }
        runtime = Runtime(
            config: TrackerConfig(), host: HostFacts(bootID: "b", version: "test", processID: 1, timeScale: 1),
            ports: RuntimePorts(
                reactor: reactor, stream: ScriptedByteStream(), store: MemoryStore(), log: RecordingLog(),
                digests: FakeDigests(), calendar: FakeCalendar(), bus: bus),
            freshSessionID: "session")
        runtime.onEvent = { [unowned self] event in
            if case .error(let code, let message) = event { errors.append((code, message)) }
        }
        try runtime.start()
    }

    var quality: String? { runtime.status()["motion.quality"]?.stringValue }
    func run(toSecond second: Int64) { reactor.advance(to: Instant(millis: second * 1_000)) }
    func count(_ code: ErrorCode) -> Int { errors.filter { $0.code == code }.count }
}

@Suite("Motion quality")
struct MotionQualityTests {
    @Test("Without an accelerometer it is poor, and an error names what is missing, once")
    func none() throws {
        let bench = try QualityBench(chip: nil)
        bench.run(toSecond: 3_600)
        #expect(bench.quality == "poor" && bench.count(.motionDetectionDegraded) == 1)
        #expect(bench.errors.first?.message.contains("accel.bus is none") == true)
        let sensors = JSONValue.object(bench.runtime.sensors())
        #expect(sensors["stepCounting"]?.boolValue == false && sensors["accelerometer.state"]?.stringValue == "off")
    }

    @Test("A good chip without a wake interrupt is degraded, and a stop takes its usual time: it is read all the time")
    func degraded() throws {
        let bench = try QualityBench()
        bench.run(toSecond: 300)
        #expect(bench.quality == "degraded" && bench.errors.isEmpty)
        #expect(bench.runtime.engine.motion.stopTimeoutMillis == TrackerConfig().capture.stopTimeoutMillis)
        let sensors = JSONValue.object(bench.runtime.sensors())
        #expect(sensors["missing"]?.arrayValue?.map { $0.stringValue ?? "" } == ["a wired wake interrupt"])
        #expect(sensors["accelerometer.model"]?.stringValue == "LIS3DH or LIS2DH12")
        #expect((sensors["accelerometer.noiseG"]?.doubleValue ?? 1) < 0.015)
        #expect(sensors["motionQuality"]?.stringValue == "degraded")
    }

    @Test("Absent at boot it is poor; when it appears it is degraded within a minute (E-117)")
    func appears() throws {
        let bench = try QualityBench(chip: .bmi160, faults: "0 nak for 100")
        bench.run(toSecond: 5)
        #expect(bench.quality == "poor" && bench.count(.sensorFault) == 1)
        #expect(bench.runtime.engine.motion.stopTimeoutMillis == TrackerConfig().capture.stopTimeoutMillis)
        bench.run(toSecond: 100)
        #expect(bench.quality == "poor" && bench.count(.motionDetectionDegraded) == 1)
        bench.run(toSecond: 165)
        #expect(bench.quality == "degraded" && bench.count(.sensorFault) == 1)
    }

    @Test("A stuck output is poor in a second of samples (E-108)")
    func stuck() throws {
        let bench = try QualityBench("walking 36000", chip: .adxl345, faults: "60 frozen for 60")
        bench.runtime.accelerometer?.setMoving(true)
        bench.run(toSecond: 59)
        #expect(bench.quality == "degraded")
        bench.run(toSecond: 62)
        #expect(bench.quality == "poor" && bench.errors.last?.code == .motionDetectionDegraded)
        bench.run(toSecond: 200)
        #expect(bench.quality == "degraded")
    }

    @Test("One failed transfer is no poor quality: it came back at the first attempt (E-105)")
    func blip() throws {
        let bench = try QualityBench(faults: "59.95 nak for 0.1")
        bench.run(toSecond: 58)
        bench.run(toSecond: 90)
        #expect(bench.quality == "degraded" && bench.count(.motionDetectionDegraded) == 0)
    }

    @Test("Time without samples beyond one in a hundred is told as missing")
    func gaps() throws {
        let faults = (1...8).map { "\($0 * 70) overrun" }.joined(separator: "\n")
        let bench = try QualityBench(faults: faults)
        bench.run(toSecond: 600)
        let missing = bench.runtime.sensors()["missing"]?.arrayValue?.map { $0.stringValue ?? "" }
        #expect(missing?.first?.contains("gaps") == true)
        // Stillness is not as sure then.
        #expect(bench.runtime.engine.motion.stopTimeoutMillis == 2 * TrackerConfig().capture.stopTimeoutMillis)
    }

    @Test("The page says what there is, what is missing, and how a self-test went")
    func page() throws {
        let bench = try QualityBench(chip: .mpu6500)
        bench.run(toSecond: 30)
        var answers: [JSONObject] = []
        bench.runtime.testSensors { if case .success(let object) = $0 { answers.append(object) } }
        bench.run(toSecond: 35)
        let text = SensorsPage.text(.object(try #require(answers.first)))
        for part in ["MPU-6500, simulated, at 0x68", "degraded", "a wired wake interrupt", "passed, x 0.4"] {
            #expect(text.contains(part), "\(text)")
        }
    }
}
