import DeviceSimulator
import MotionSensing
import Ports
import TestKit
import Testing
import TrackerModel

@testable import TrackerRuntime

/// A link on one of the simulated chips, and what it tells.
private final class ChipBench {
    let lines = ScriptedLines()
    var notes: [String] = []
    let reactor = ManualReactor()
    let bus: SimulatedBus
    let link: AccelerometerLink
    var losses: [(problem: String, isNews: Bool)] = []
    var recoveries = 0
    var steps: [StepReading] = []
    var readings: [StillnessReading] = []
    var samples: [MotionSample] = []

    init(
        _ model: SimulatedChipModel, _ script: String = "still 3600", address: UInt8? = nil, faults: String = "",
        rateHz: Int = 50
    ) throws {
        let chip = ChipOnBus(
            model, motion: try MotionScript(text: script), address: address, faults: try ChipFault.list(text: faults))
        bus = SimulatedBus(chip: chip, reactor: reactor)
        link = AccelerometerLink(bus: bus, settings: .init(rateHz: rateHz), reactor: reactor)
        link.onLost = { [unowned self] in losses.append(($0, $1)) }
        link.onRecovered = { [unowned self] in recoveries += 1 }
        link.onSteps = { [unowned self] in steps.append($0) }
        link.onReading = { [unowned self] in readings.append($0) }
        link.onDiagnostic = { [unowned self] in notes.append($0) }
        link.onSamples = { [unowned self] in samples += $0 }
    }

    /// Runs with the chip's interrupt on the line, looked at every 50 ms.
    func runWired(toSecond second: Double) {
        while reactor.now < Instant(millis: Int64(second * 1_000)) {
            reactor.advance(byMillis: 50)
            lines.drive(bus.chip.isInterrupting(at: reactor.now))
        }
    }

    func run(toSecond second: Double) { reactor.advance(to: Instant(millis: Int64(second * 1_000))) }
}

/// A fault of twenty seconds at 30 s, what names it, and within what time it is noticed while moving.
private let faults: [(text: String, name: String, within: Double)] = [
    ("30 nak for 20", "acknowledgement", 0.6), ("30 stuck for 20", "held low", 0.6),
    ("29.9 nak for 0.5\n30 wrong-id for 20", "acknowledgement", 0.6),
    // 50 triples at 50 Hz, in reads of 25.
    ("30 frozen for 20", "one value", 1.6), ("30 silent for 20", "0 samples", 1.1),
]

@Suite("Every accelerometer chip")
struct AccelerometerChipTests {
    @Test("It is found at either address, names itself, and lies still", arguments: SimulatedChipModel.allCases)
    func found(model: SimulatedChipModel) throws {
        for address in model.addresses {
            let bench = try ChipBench(model, address: address)
            bench.link.start()
            bench.run(toSecond: 30)
            #expect(bench.link.state == .ok && bench.losses.isEmpty && bench.bus.address == address)
            let chip = try #require(bench.link.chip)
            let name = chip.model.filter { $0 != "-" }.lowercased()
            #expect(name.contains(model.rawValue))
            #expect(bench.readings.count >= 25 && bench.readings.allSatisfy { $0.stillSince != nil })
            let sample = try #require(bench.samples.last)
            let magnitude = (sample.x * sample.x + sample.y * sample.y + sample.z * sample.z).squareRoot()
            #expect(abs(magnitude - 1) < 0.02)
            bench.link.stop()
            #expect(bench.reactor.timerCount == 0)
        }
    }

    @Test("A walk of 216 steps is counted at every rate from 25 to 200 Hz", arguments: SimulatedChipModel.allCases)
    func walk(model: SimulatedChipModel) throws {
        for rate in [25, 50, 100, 200] {
            let bench = try ChipBench(model, "still 20\nwalking 120\nstill 20", rateHz: rate)
            bench.link.setMoving(true)
            bench.link.start()
            bench.run(toSecond: 150)
            let total = bench.steps.last?.total ?? 0
            #expect((rate == 25 ? 195...237 : 205...227).contains(total), "\(total) steps at \(rate) Hz")
            let spacings = zip(bench.samples, bench.samples.dropFirst()).map { $1.instant.nanos(since: $0.instant) }
            #expect(spacings.allSatisfy { $0 > 0 && abs(Double($0) / 1e9 * Double(rate) - 1) < 0.1 })
            #expect(bench.losses.isEmpty && bench.link.overruns == 0)
        }
    }

    @Test(
        "A fault is noticed, clears what was known, is told once, and is over when its cause is (E-105, E-106, E-108)",
        arguments: SimulatedChipModel.allCases, faults.indices)
    func fault(model: SimulatedChipModel, row: Int) throws {
        let (text, name, within) = faults[row]
        let bench = try ChipBench(model, faults: text)
        bench.link.setMoving(true)
        bench.link.start()
        bench.run(toSecond: 29.8)
        #expect(bench.losses.isEmpty && bench.link.state == .ok)
        bench.run(toSecond: 30 + within)
        #expect(bench.losses.first?.problem.contains(name) == true, "\(bench.losses)")
        #expect(bench.link.lastReading == nil)
        bench.run(toSecond: 49.9)
        #expect(bench.link.state != .ok && bench.link.isFailing && bench.link.problem != nil)
        let before = bench.readings.count
        bench.run(toSecond: 62)
        #expect(bench.link.state == .ok && !bench.link.isFailing && bench.link.problem == nil)
        #expect(bench.readings.count > before && bench.readings.last?.stillSince.map { $0.millis > 49_000 } == true)
        #expect(bench.recoveries == 0, "not over for good yet")
        bench.run(toSecond: 130)
        #expect(bench.recoveries == 1 && bench.losses.filter(\.isNews).count == 1)
    }

    @Test(
        "A reader that was away loses what the FIFO could not hold, and goes on at once (E-107)",
        arguments: SimulatedChipModel.allCases)
    func overrun(model: SimulatedChipModel) throws {
        let bench = try ChipBench(model, "walking 3600", faults: "60 overrun")
        bench.link.setMoving(true)
        bench.link.start()
        bench.run(toSecond: 60)
        let first = try #require(bench.steps.last)
        #expect((102...114).contains(first.total))
        bench.run(toSecond: 120)
        #expect(bench.link.overruns == 1 && bench.losses.isEmpty && bench.link.state == .ok)
        let last = try #require(bench.steps.last)
        #expect(last.since.millis >= 60_000 && (102...114).contains(last.total))
    }

    @Test("A chip that never answers is asked every ten seconds, and told once")
    func absent() throws {
        let bench = try ChipBench(.bmi160, faults: "0 nak for 3600")
        bench.link.start()
        bench.run(toSecond: 3_599)
        #expect(bench.losses.filter(\.isNews).count == 1 && (355...365).contains(bench.losses.count))
        #expect(bench.link.problem?.contains("0x18, 0x19, 0x53, 0x1d, 0x68, 0x69") == true)
        bench.run(toSecond: 3_615)
        #expect(bench.link.state == .ok)
    }

    @Test("A transfer that fails now and then is told once, and waited for longer each time (F-67)")
    func flapping() throws {
        let bench = try ChipBench(.lis3dh, faults: (1...40).map { "\($0 * 25) nak for 1" }.joined(separator: "\n"))
        bench.link.start()
        bench.run(toSecond: 990)
        #expect(bench.losses.filter(\.isNews).count == 1 && bench.losses.count < 120, "\(bench.losses.count)")
    }

    @Test("Another chip at the configured address is named with what it answers, and asked for nothing else")
    func stranger() throws {
        let bench = try ChipBench(.adxl345, faults: "0 wrong-id")
        bench.link.start()
        let problem = try #require(bench.link.problem)
        #expect(problem.contains("0x53 register 0x00: 0x1a") && problem.contains("set accel.bus to none"))
    }

    @Test(
        "Every chip passes its self-test and goes on afterwards; a second one meanwhile is refused",
        arguments: SimulatedChipModel.allCases)
    func selfTest(model: SimulatedChipModel) throws {
        let bench = try ChipBench(model)
        bench.link.start()
        bench.run(toSecond: 20)
        var results: [Result<SelfTest.Result, BusFailure>] = []
        bench.link.runSelfTest { results.append($0) }
        bench.link.runSelfTest { results.append($0) }
        #expect(results.count == 1)
        bench.run(toSecond: 22)
        let result = try #require(try results.last?.get())
        #expect(result.passed, "\(result)")
        bench.run(toSecond: 40)
        #expect(bench.losses.isEmpty && bench.link.state == .ok && bench.reactor.timerCount == 1)
        #expect(bench.readings.last?.stillSince.map { $0.millis > 20_000 } == true)
    }

    @Test("A bus that fails during the self-test fails the test")
    func selfTestFault() throws {
        let bench = try ChipBench(.mpu6050, faults: "20.1 nak for 5")
        bench.link.start()
        bench.run(toSecond: 20)
        var results: [Result<SelfTest.Result, BusFailure>] = []
        bench.link.runSelfTest { results.append($0) }
        bench.run(toSecond: 21)
        #expect(throws: BusFailure.self) { try results.first?.get() }
        bench.run(toSecond: 40)
        #expect(results.count == 1 && bench.link.state == .ok)
    }

    @Test("A test that a stop cuts short fails, and the next one is not refused for it")
    func selfTestStopped() throws {
        let bench = try ChipBench(.mpu6050)
        bench.link.start()
        bench.run(toSecond: 20)
        var results: [Result<SelfTest.Result, BusFailure>] = []
        bench.link.runSelfTest { results.append($0) }
        bench.link.stop()
        #expect(results.count == 1)
        #expect(throws: BusFailure.self) { try results.first?.get() }
        bench.link.start()
        bench.run(toSecond: 40)
        bench.link.runSelfTest { results.append($0) }
        bench.run(toSecond: 42)
        #expect(try results.last?.get().passed == true)
    }

    /// Writes and touches, without the driver's clock.
    private func perform(_ steps: [RegisterStep], on chip: inout ChipOnBus, at now: inout Instant) {
        for step in steps {
            switch step {
            case .write(let register, let value):
                _ = chip.transfer(to: chip.address, register, count: 1, value: value, at: now)
            case .touch(let register): _ = chip.transfer(to: chip.address, register, count: 1, at: now)
            case .pause(let millis): now = now.advanced(byMillis: millis)
            }
        }
    }

    @Test(
        "Armed it holds its line at each of 100 shakings, and lets go of it when it is re-armed (E-115)",
        arguments: SimulatedChipModel.allCases)
    func wake(model: SimulatedChipModel) throws {
        let script = String(repeating: "still 20\nwalking 10\n", count: 101)
        var chip = ChipOnBus(model, motion: try MotionScript(text: script))
        let codec = try #require(
            AccelerometerChips.all.first { $0.model.filter { $0 != "-" }.lowercased().contains(model.rawValue) })
        var now = Instant.zero
        let armed = codec.configuration(rateHz: 50, watermark: 25) + codec.wake
        perform(codec.reset + armed, on: &chip, at: &now)
        var wakes = 0
        for round in 0..<100 {
            let start = Instant(millis: Int64(round) * 30_000)
            let line = [19_900, 25_000, 31_000].map { chip.isInterrupting(at: start.advanced(byMillis: $0)) }
            #expect(line == [false, true, true], "still, walking, held by the latch, in round \(round)")
            if line[1] { wakes += 1 }
            now = start.advanced(byMillis: 32_000)
            perform(armed, on: &chip, at: &now)
        }
        #expect(wakes == 100)
        perform(codec.configuration(rateHz: 50, watermark: 25), on: &chip, at: &now)
        let isDisarmed = !chip.isInterrupting(at: now.advanced(byMillis: 30_000))
        #expect(isDisarmed)
    }

    @Test(
        "On a wired line a still chip sleeps, is woken by every shaking, and sleeps again (E-115)",
        arguments: SimulatedChipModel.allCases)
    func wired(model: SimulatedChipModel) throws {
        let bench = try ChipBench(model, String(repeating: "still 60\nwalking 10\n", count: 6))
        try bench.link.listen(to: "GPIO17", of: bench.lines)
        bench.link.start()
        for round in 0..<5 {
            let start = Double(round) * 70
            bench.runWired(toSecond: start + 20)
            #expect(bench.link.isArmed && bench.link.lastReading == nil, "round \(round)")
            let before = bench.samples.count
            bench.runWired(toSecond: start + 59.9)
            #expect(bench.samples.count == before, "asleep")
            bench.runWired(toSecond: start + 69)
            // The engine takes three shaken seconds for a trigger.
            #expect(
                bench.readings.contains { $0.shakenSince.map { $0.millis >= Int64(start) * 1_000 + 60_000 } ?? false })
        }
        #expect(bench.losses.isEmpty && bench.link.hasWakeInterrupt && bench.notes.isEmpty)
        bench.link.setMoving(true)
        bench.runWired(toSecond: 380)
        #expect(!bench.link.isArmed && bench.link.lastReading != nil, "disarmed while moving")
        bench.link.stop()
        bench.link.stopListening()
        #expect(bench.lines.lines.first?.isClosed == true && !bench.link.hasWakeInterrupt)
    }

    @Test("Movement that begins while the chip is being armed is sampled all the same")
    func movingWhileArming() throws {
        let bench = try ChipBench(.lis3dh)
        try bench.link.listen(to: "GPIO17", of: bench.lines)
        bench.link.start()
        while bench.link.isReading || bench.reactor.now.millis < 1_000 { bench.reactor.advance(byMillis: 10) }
        bench.link.setMoving(true)
        bench.run(toSecond: 30)
        #expect(!bench.link.isArmed && bench.link.isReading && bench.link.rateHz == 50)
    }

    @Test("A line that fires without end is masked after twenty, told, and the chip is polled (E-116)")
    func storm() throws {
        let bench = try ChipBench(.lis3dh)
        try bench.link.listen(to: "GPIO17", of: bench.lines)
        bench.link.start()
        for _ in 0..<600 {
            bench.reactor.advance(byMillis: 50)
            bench.lines.drive(true)
            bench.lines.drive(false)
        }
        #expect(!bench.link.hasWakeInterrupt && bench.notes.count == 1)
        let before = bench.readings.count
        bench.run(toSecond: 60)
        #expect(bench.readings.count - before >= 28 && !bench.link.isArmed)
    }

    @Test("An armed chip that is gone is noticed within eleven minutes")
    func goneWhileArmed() throws {
        let bench = try ChipBench(.adxl345, faults: "30 nak")
        try bench.link.listen(to: "GPIO17", of: bench.lines)
        bench.link.start()
        bench.run(toSecond: 29)
        #expect(bench.link.isArmed)
        bench.run(toSecond: 690)
        #expect(bench.link.state == .fault && bench.losses.first?.isNews == true)
    }
}
