import DeviceSimulator
import Ports
import Testing
import TrackerEngine
import TrackerModel
import TrackerRuntime

/// A bus with a simulated gauge on it; the test moves its time.
private final class GaugeBus: RegisterBus {
    let name = "bus@0x36"
    let isRealDevice = false
    var address: UInt8 = 0x36
    var gauge: SimulatedMAX17048?
    var second: Int64 = 0
    private(set) var transfers = 0
    private(set) var writes: [[UInt8]] = []
    var writeFailure: BusFailure?

    init(_ script: String?) throws { gauge = try script.map { SimulatedMAX17048(try BatteryScript(text: $0)) } }

    func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8] {
        transfers += 1
        guard case .done(let bytes) = gauge?.transfer(register, count: count, at: Instant(millis: second * 1_000))
        else {
            throw BusFailure(code: .noAnswer, cause: "bus@0x36 does not answer", remedy: "check the wiring")
        }
        return bytes
    }

    func write(_ register: UInt8, _ bytes: [UInt8]) throws(BusFailure) {
        if let writeFailure { throw writeFailure }
        writes.append(bytes)
        _ = gauge?.transfer(register, count: bytes.count, values: bytes, at: Instant(millis: second * 1_000))
    }

    func advance(toSecond second: Int64) {
        self.second = second
        gauge?.advance(to: Instant(millis: second * 1_000))
    }
}

@Suite("Fuel gauge")
struct FuelGaugeTests {
    @Test("A gauge is found and read; a fault is unknown with a reason, and heals")
    func reading() throws {
        let bus = try GaugeBus("battery 1000 50\ndrain 500 600\nfault 60\ncharge 500 600\n")
        let gauge = FuelGauge(bus: bus, isExpected: false)
        #expect(gauge.read().percent == 50 && gauge.read().isCharging == false)
        bus.second = 610
        #expect(gauge.read() == .unknown && gauge.problem?.isEmpty == false)
        bus.second = 700
        #expect(gauge.read().isCharging == true && gauge.problem == nil)
    }

    @Test("The alert stands at the next bar, is written only when it changes, and goes down with the charge")
    func alert() throws {
        // 1 % in 36 s.
        let bus = try GaugeBus("battery 1000 31\ndrain 1000 1200\n")
        let gauge = FuelGauge(bus: bus, isExpected: true)
        _ = gauge.read()
        #expect(bus.writes.isEmpty, "nobody listens")
        gauge.alert(below: [30, 15, 5, 3, 16, 40, 0])
        #expect(gauge.read().percent == 31 && gauge.read().percent == 31)
        #expect(bus.writes == [[0x97, 2]])
        bus.advance(toSecond: 40)
        #expect(bus.gauge?.isAlerting == true)
        #expect(gauge.read().percent == 29)
        #expect(bus.gauge?.isAlerting == false && bus.writes.last == [0x97, 16])
        bus.advance(toSecond: 1_050)
        _ = gauge.read()
        #expect(bus.writes.last == [0x97, 29] && gauge.alertProblem == nil, "below all bars: the lowest")
        bus.writeFailure = BusFailure(code: .io, cause: "no words", remedy: "look")
        gauge.alert(below: [32])
        #expect(gauge.read().percent != nil && gauge.alertProblem == "no words; look")
    }

    @Test("The alert is a word that keeps the compensation and the sleep bit")
    func configuration() {
        #expect(MAX17048.config([0x97, 0x1C], alertingBelow: 30) == [0x97, 2])
        #expect(MAX17048.config([0x80, 0xFC], alertingBelow: 4) == [0x80, 0x9C])
        #expect(MAX17048.config([0x97, 0x1C], alertingBelow: 4) == nil)
        #expect(MAX17048.config([0x97], alertingBelow: 4) == nil && MAX17048.config([0, 0], alertingBelow: 33) == nil)
    }

    @Test("One that is only looked for is given up quietly after the start; one that is configured is not")
    func absent() throws {
        let bus = try GaugeBus(nil)
        let gauge = FuelGauge(bus: bus, isExpected: false)
        for _ in 0..<10 { #expect(gauge.read() == .unknown) }
        #expect(bus.transfers == 4 && gauge.problem == nil)
        let expected = FuelGauge(bus: bus, isExpected: true)
        for _ in 0..<10 { _ = expected.read() }
        #expect(bus.transfers == 14 && expected.problem != nil)
        bus.gauge = SimulatedMAX17048(try BatteryScript(text: "battery 1000 50\n"))
        #expect(expected.read().percent == 50 && expected.problem == nil)
    }
}
