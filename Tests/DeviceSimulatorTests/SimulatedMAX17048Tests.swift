import DeviceSimulator
import Testing
import TrackerModel

/// A gauge that is asked at seconds of its script.
private final class Probe {
    private var gauge: SimulatedMAX17048

    init(_ script: String) throws { gauge = SimulatedMAX17048(try BatteryScript(text: script)) }

    func read(_ register: UInt8, count: Int, second: Int64) -> [UInt8]? {
        guard case .done(let bytes) = gauge.transfer(register, count: count, at: Instant(millis: second * 1_000)) else {
            return nil
        }
        return bytes
    }
    func write(_ register: UInt8, _ values: [UInt8] = [0], second: Int64) -> Bool {
        gauge.transfer(register, count: values.count, values: values, at: Instant(millis: second * 1_000)) == .done([])
    }
    var isAlerting: Bool { gauge.isAlerting }
    func word(_ register: UInt8, _ second: Int64) -> UInt16? {
        read(register, count: 2, second: second).map { UInt16($0[0]) << 8 | UInt16($0[1]) }
    }
}

@Suite("Simulated battery and fuel gauge")
struct SimulatedMAX17048Tests {
    private func at(_ seconds: Int64) -> Instant { Instant(millis: seconds * 1_000) }

    @Test("A script drains, charges and fails; the registers tell in their units")
    func script() throws {
        let gauge = try Probe("battery 1000 50 # half\ndrain 500 3600\nfault 60\ncharge 1000 1800\n")
        #expect(gauge.word(0x08, 0) == 0x0012)
        #expect(gauge.word(0x04, 0) == 12_800)
        // −50 %/h are −240 digits of 0.208.
        #expect(gauge.word(0x16, 0) == UInt16(bitPattern: -240))
        #expect(gauge.word(0x04, 1_800) == 6_400)
        #expect(gauge.word(0x04, 3_610) == nil, "no acknowledge")
        #expect(!gauge.write(0x0C, second: 3_620))
        #expect(gauge.word(0x04, 3_660) == 0)
        #expect(gauge.word(0x16, 3_670) == 481)
        #expect(gauge.word(0x04, 9_999) == 12_800)
        #expect(gauge.word(0x16, 9_999) == 0)
    }

    @Test("A read goes on through the registers, as a block of voltage and charge")
    func block() throws {
        let gauge = try Probe("battery 1000 50\n")
        // 3.75 V are 48 000 digits of 78.125 µV.
        #expect(gauge.read(0x02, count: 4, second: 0) == [0xBB, 0x80, 50, 0])
    }

    @Test("The line is pulled when the charge falls past the threshold, until the alert is cleared by a word")
    func alert() throws {
        // 1 % in 36 s.
        let gauge = try Probe("battery 1000 50\ndrain 1000 3600\n")
        #expect(gauge.word(0x0C, 0) == 0x971C)
        #expect(gauge.write(0x0C, [0x97], second: 0) && gauge.word(0x0C, 0) == 0x971C)
        #expect(gauge.write(0x0C, [0x97, 0x02], second: 0))
        #expect(gauge.word(0x0C, 719) == 0x9702 && !gauge.isAlerting)
        #expect(gauge.word(0x0C, 722) == 0x9722 && gauge.isAlerting)
        #expect(gauge.write(0x0C, [0x97, 0x02], second: 723) && !gauge.isAlerting)
        #expect(gauge.word(0x0C, 800) == 0x9702, "no second alert below it")
    }

    @Test("A modem's load makes a flat battery sag below 3.0 V; at rest, and full, it holds (F-65)")
    func sag() {
        var flat = SimulatedBattery(capacityMilliwattHours: 3_000, percent: 4)
        flat.advance(to: .zero, loadMilliwatts: 600, chargerMilliwatts: 0)
        #expect((3_100...3_300).contains(flat.terminalMillivolts))
        flat.advance(to: .zero, loadMilliwatts: 2_300, chargerMilliwatts: 0)
        #expect(flat.terminalMillivolts < 3_000)
        var full = SimulatedBattery(capacityMilliwattHours: 3_000, percent: 90)
        full.advance(to: .zero, loadMilliwatts: 2_300, chargerMilliwatts: 0)
        #expect(full.terminalMillivolts > 3_300)
    }

    @Test("It is never more than full nor less than empty")
    func bounds() {
        var battery = SimulatedBattery(capacityMilliwattHours: 100, percent: 50)
        battery.advance(to: .zero, loadMilliwatts: 1_000, chargerMilliwatts: 0)
        battery.advance(to: at(36_000), loadMilliwatts: 0, chargerMilliwatts: 1_000)
        #expect(battery.percent == 0)
        battery.advance(to: at(72_000), loadMilliwatts: 0, chargerMilliwatts: 0)
        #expect(battery.percent == 100)
    }

    @Test(
        "A script that is not one is refused",
        arguments: [
            "", "drain 5 5", "battery 0 50", "battery 10 101", "battery 10 50\nfoo 1", "battery 10 50\ndrain x 5",
        ])
    func refused(text: String) {
        #expect(throws: ScriptFailure.self) { try BatteryScript(text: text) }
    }
}
