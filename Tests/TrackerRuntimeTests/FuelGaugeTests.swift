import DeviceSimulator
import Ports
import Testing
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

    init(_ script: String?) throws { gauge = try script.map { SimulatedMAX17048(try BatteryScript(text: $0)) } }

    func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8] {
        transfers += 1
        guard case .done(let bytes) = gauge?.transfer(register, count: count, at: Instant(millis: second * 1_000))
        else {
            throw BusFailure(code: .noAnswer, cause: "bus@0x36 does not answer", remedy: "check the wiring")
        }
        return bytes
    }

    func write(_ register: UInt8, _ value: UInt8) throws(BusFailure) {}
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
