import Testing
import TrackerEngine
import TrackerModel

@Suite("Battery readings")
struct BatteryMachineTests {
    private func percent(_ value: Int?, charging: Bool? = false) -> BatteryReading {
        BatteryReading(percent: value, isCharging: charging)
    }

    /// What is believed after each reading, a minute apart.
    private func believed(_ readings: [BatteryReading]) -> [Int?] {
        var machine = BatteryMachine()
        return readings.enumerated().map { index, reading in
            machine.take([reading], isUnderVoltage: nil, at: Instant(millis: Int64(index) * 60_000))
            return machine.reading.percent
        }
    }

    @Test("The first source that knows the percentage is believed; a voltage alone only where nobody does")
    func rank() {
        var machine = BatteryMachine()
        machine.take([BatteryReading(voltageMV: 3_600), percent(70)], isUnderVoltage: nil, at: .zero)
        #expect(machine.reading.percent == 70 && machine.reading.voltageMV == nil)
        machine.take([percent(69), percent(40)], isUnderVoltage: nil, at: Instant(millis: 60_000))
        #expect(machine.reading.percent == 69)
        var other = BatteryMachine()
        other.take([.unknown, BatteryReading(voltageMV: 3_600)], isUnderVoltage: nil, at: .zero)
        #expect(other.reading.percent == nil && other.reading.voltageMV == 3_600)
    }

    @Test("The supply is told by whoever knows it, beside the charge")
    func supply() {
        var machine = BatteryMachine()
        machine.take([BatteryReading(supply: .usb), percent(50)], isUnderVoltage: nil, at: .zero)
        #expect(machine.reading.percent == 50 && machine.reading.supply == .usb)
    }

    @Test("A gauge that fails is held for five minutes, then unknown (api §8)")
    func hold() {
        let fails = Array(repeating: BatteryReading.unknown, count: 6)
        #expect(believed([percent(50)] + fails + [percent(48)]) == [50, 50, 50, 50, 50, 50, nil, 48])
    }

    @Test("One nonsense reading changes nothing; a jump that lasts is taken with the third")
    func jumps() {
        #expect(believed([percent(80), percent(2), percent(80), percent(79)]) == [80, 80, 80, 79])
        #expect(believed([percent(80), percent(20), percent(20), percent(21), percent(21)]) == [80, 80, 80, 21, 21])
        #expect(believed([percent(80), percent(20), percent(50), percent(20)]) == [80, 80, 80, 80], "no agreement")
        #expect(believed([percent(50), percent(56), percent(56), percent(57)]) == [50, 50, 50, 57])
        #expect(believed([percent(50), percent(55)]) == [50, 55], "5 is no jump")
        #expect(believed([percent(50), percent(30)]) == [50, 30], "nor is a fall by 20")
    }

    @Test("With a charger event a jump is believed at once; a gauge that no longer says is no such event")
    func charger() {
        #expect(believed([percent(50), percent(70, charging: true)]) == [50, 70])
        #expect(believed([percent(50), percent(70, charging: nil)]) == [50, 50])
    }

    @Test("In the first three seconds a gauge may still change its mind")
    func settling() {
        var machine = BatteryMachine()
        for (millis, value) in [(0, 99), (250, 40), (1_000, 12), (3_000, 55)] as [(Int64, Int)] {
            machine.take([percent(value)], isUnderVoltage: nil, at: Instant(millis: millis))
            #expect(machine.reading.percent == value)
        }
        machine.take([percent(90)], isUnderVoltage: nil, at: Instant(millis: 60_000))
        #expect(machine.reading.percent == 55)
    }

    @Test("An under-voltage counts for 60 s")
    func underVoltage() {
        var machine = BatteryMachine()
        machine.take([percent(50)], isUnderVoltage: true, at: .zero)
        #expect(machine.reading.isUnderVoltage)
        machine.take([percent(50)], isUnderVoltage: false, at: Instant(millis: 59_999))
        #expect(machine.reading.isUnderVoltage)
        machine.take([percent(50)], isUnderVoltage: false, at: Instant(millis: 60_000))
        #expect(!machine.reading.isUnderVoltage)
    }

    @Test("Listeners hear of percent, charging and supply, and that it is low; not of every millivolt")
    func info() {
        let low = BatteryInfo(BatteryReading(percent: 15, voltageMV: 3_500), lowPercent: 15)
        #expect(low.isLow && low == BatteryInfo(BatteryReading(percent: 15, voltageMV: 3_501), lowPercent: 15))
        #expect(!BatteryInfo(percent(16), lowPercent: 15).isLow)
        #expect(!BatteryInfo(.unknown, lowPercent: 15).isLow, "unknown is not low")
    }
}
