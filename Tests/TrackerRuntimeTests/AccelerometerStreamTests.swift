import MotionSensing
import Ports
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

/// A driver of the kernel that samples as the test says.
private final class ScriptedStream: MotionStream {
    let name = "/sys/bus/iio/devices/iio:device0"
    let isRealDevice = false
    var refusal: BusFailure?
    var polledBecause: String?
    var mostHz = Double.infinity
    var opened: [(rateHz: Double, batch: Int)] = []
    var isOpen = false
    private let reactor: ManualReactor
    private var onSamples: ([MotionSample]) -> Void = { _ in }
    private var onLost: (BusFailure) -> Void = { _ in }
    private var count = 0

    init(_ reactor: ManualReactor) { self.reactor = reactor }

    func open(
        rateHz: Double, batch: Int, onSamples: @escaping ([MotionSample]) -> Void,
        onLost: @escaping (BusFailure) -> Void
    ) throws(BusFailure) -> MotionStreamFacts {
        isOpen = false
        opened.append((rateHz, batch))
        if let refusal { throw refusal }
        (isOpen, self.onSamples, self.onLost) = (true, onSamples, onLost)
        return MotionStreamFacts(
            model: "mma8452", rateHz: polledBecause == nil ? min(rateHz, mostHz) : 10, polledBecause: polledBecause)
    }

    func close() { isOpen = false }

    /// Batches at the rate that was asked for.
    func run(seconds: Double, isFrozen: Bool = false) {
        let (rate, batch) = (min(opened.last?.rateHz ?? 1, mostHz), polledBecause == nil ? opened.last?.batch ?? 1 : 1)
        let millis = Int64(1_000 * Double(batch) / (polledBecause == nil ? rate : 10))
        for _ in 0..<Int(seconds * 1_000) / Int(millis) {
            reactor.advance(byMillis: millis)
            guard isOpen else { continue }
            let period = millis * 1_000_000 / Int64(batch)
            onSamples(
                (0..<batch).map {
                    count += 1
                    return MotionSample(
                        instant: reactor.now.advanced(byNanos: -Int64(batch - 1 - $0) * period), x: 0,
                        y: isFrozen ? 0 : count % 2 == 0 ? 0.001 : 0, z: 1)
                })
        }
    }

    func lose() {
        isOpen = false
        onLost(BusFailure(code: .noAnswer, cause: "iio:device0 is gone", remedy: "check the wiring"))
    }
}

/// A bus that fails each transfer alike.
private final class FailingBus: RegisterBus {
    let name = "/dev/i2c-1"
    let isRealDevice = false
    var address: UInt8 = 0
    var code: BusFailure.Code
    /// The one that does; `nil`: all.
    var only: UInt8?

    init(_ code: BusFailure.Code, only: UInt8? = nil) { (self.code, self.only) = (code, only) }

    func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8] {
        throw BusFailure(code: only ?? address == address ? code : .noAnswer, cause: "the bus", remedy: "look")
    }
    func write(_ register: UInt8, _ bytes: [UInt8]) throws(BusFailure) { _ = try read(register, count: 1) }
}

private final class StreamBench {
    let reactor = ManualReactor()
    let stream: ScriptedStream
    let link: AccelerometerLink
    var readings: [StillnessReading] = []
    var problems: [String] = []

    init(bus: FailingBus? = nil, takesAnyDriver: Bool = false, _ change: (ScriptedStream) -> Void = { _ in }) {
        stream = ScriptedStream(reactor)
        change(stream)
        link = AccelerometerLink(
            bus: bus, stream: stream, settings: .init(rateHz: 50, takesAnyDriver: takesAnyDriver), reactor: reactor)
        link.onReading = { [unowned self] in readings.append($0) }
        link.onLost = { [unowned self] problem, _ in problems.append(problem) }
        link.start()
    }
}

@Suite("An accelerometer that the kernel drives")
struct AccelerometerStreamTests {
    @Test("It is read at 10 Hz at rest and at the configured rate while moving") func rates() {
        let bench = StreamBench()
        bench.stream.run(seconds: 20)
        #expect(bench.link.state == .ok && bench.link.model == "mma8452" && bench.link.name == bench.stream.name)
        #expect(bench.readings.last?.stillSince != nil)
        bench.link.setMoving(true)
        bench.stream.run(seconds: 20)
        #expect(bench.stream.opened.map(\.rateHz) == [10, 50] && bench.stream.opened.map(\.batch) == [10, 25])
        #expect(bench.link.health.effectiveRateHz == 50 && bench.problems.isEmpty)
        bench.link.stop()
        #expect(!bench.stream.isOpen && bench.link.state == .off)
    }

    @Test("Its rate while moving is the driver's, at rest as well, once it has moved") func slowDriver() {
        let bench = StreamBench { $0.mostHz = 12.5 }
        bench.stream.run(seconds: 5)
        bench.link.setMoving(true)
        bench.stream.run(seconds: 6)
        bench.link.setMoving(false)
        #expect(bench.link.rateHz == 10 && bench.link.movingRateHz == 12.5)
    }

    @Test("Samples that come in time cost no wake-up besides") func onTime() {
        let bench = StreamBench()
        bench.stream.run(seconds: 5)
        let before = bench.reactor.moments
        bench.stream.run(seconds: 20)
        // Those at which a batch came.
        #expect(bench.reactor.moments == before + 20)
    }

    @Test(
        "A bus whose address the kernel holds gives way to its driver; any other fault does so for auto alone",
        arguments: [
            (BusFailure.Code.held, UInt8?.none, false, true), (.held, 0x1D, false, true),
            (.noAnswer, nil, false, false),
            (.denied, nil, false, false), (.absent, nil, false, false), (.absent, nil, true, true),
            (.io, nil, true, true),
        ])
    func search(code: BusFailure.Code, only: UInt8?, auto: Bool, opens: Bool) {
        let bench = StreamBench(bus: FailingBus(code, only: only), takesAnyDriver: auto)
        #expect(bench.stream.isOpen == opens && bench.problems.isEmpty == opens)
    }

    @Test("Where neither has one, the bus is told; a driver that refuses is told itself") func neither() {
        let absent = BusFailure(code: .absent, cause: "no driver", remedy: "load it")
        #expect(StreamBench(bus: FailingBus(.held)) { $0.refusal = absent }.problems == ["the bus; look"])
        #expect(StreamBench { $0.refusal = absent }.problems == ["no driver; load it"])
        let busy = BusFailure(code: .io, cause: "busy", remedy: "stop it")
        #expect(StreamBench(bus: FailingBus(.held)) { $0.refusal = busy }.problems == ["busy; stop it"])
    }

    @Test("A device that vanishes is opened again after 0.1, 0.5, 2 and 10 s, and works when it is back")
    func vanished() {
        let bench = StreamBench()
        bench.stream.run(seconds: 10)
        bench.stream.refusal = BusFailure(code: .noAnswer, cause: "gone", remedy: "look")
        bench.stream.lose()
        #expect(bench.link.state == .fault && bench.link.lastReading == nil)
        let tries = [100, 600, 3_000, 14_000].map { millis -> Int in
            bench.reactor.advance(to: Instant(millis: 10_000 + Int64(millis)))
            return bench.stream.opened.count
        }
        #expect(tries == [2, 3, 4, 5] && bench.link.isFailing)
        bench.stream.refusal = nil
        bench.stream.run(seconds: 20)
        #expect(bench.link.state == .ok && bench.link.problem == nil)
    }

    @Test("Silence and one repeated value are faults, as of a chip", arguments: [true, false]) func silent(
        isFrozen: Bool
    ) {
        let bench = StreamBench()
        bench.stream.run(seconds: 10)
        if isFrozen { bench.stream.run(seconds: 10, isFrozen: true) } else { bench.reactor.advance(byMillis: 3_000) }
        #expect(bench.problems.first?.contains(isFrozen ? "repeats one value" : "gave 10 samples") == true)
    }

    @Test("One that is read sample by sample is degraded, says why, and counts no steps") func polled() throws {
        let stream = Box<ScriptedStream>()
        let bench = RuntimeBench(change: { $0.accelBus = "iio" }) { ports in
            guard let reactor = ports.reactor as? ManualReactor else { return }
            let made = ScriptedStream(reactor)
            made.polledBecause = "there is no trigger"
            (stream.value, ports.motion) = (made, made)
        }
        try bench.runtime.start()
        try #require(stream.value).run(seconds: 70)
        let sensors = JSONValue.object(bench.runtime.sensors())
        #expect(sensors["motionQuality"] == "degraded" && sensors["stepCounting"] == false)
        #expect(sensors["accelerometer.model"] == "mma8452" && sensors["accelerometer.address"] == nil)
        let missing = sensors["missing"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(missing.contains("25 samples a second") && missing.contains { $0.contains("there is no trigger") })
    }

    @Test("It cannot test itself: the driver has the chip") func selfTest() {
        let bench = StreamBench()
        bench.stream.run(seconds: 10)
        var answer: BusFailure?
        bench.link.runSelfTest { if case .failure(let failure) = $0 { answer = failure } }
        #expect(answer?.cause.contains("kernel") == true)
    }
}

private final class Box<Value> {
    var value: Value?
}
