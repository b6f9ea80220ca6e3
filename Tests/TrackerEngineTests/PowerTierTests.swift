import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Power tiers")
struct PowerTierTests {
    /// Feeds readings `every` milliseconds apart; returns the tiers entered with their index.
    private func run(_ readings: [BatteryReading], every millis: Int64 = 60_000) -> [String] {
        var machine = PowerTierMachine(PowerConfig())
        return readings.enumerated().compactMap { index, reading in
            let before = machine.tier
            machine.take(reading, at: Instant(millis: Int64(index) * millis))
            return machine.tier == before ? nil : "\(index):\(machine.tier.rawValue)"
        }
    }

    private func percent(_ value: Int, charging: Bool = false) -> BatteryReading {
        BatteryReading(percent: value, isCharging: charging)
    }

    @Test("Three readings below the bar lower the tier, two do not, nor do three in less than a minute")
    func down() {
        #expect(run([percent(31), percent(29), percent(29), percent(28)]) == ["3:saver"])
        #expect(run([percent(31), percent(29), percent(29), percent(31), percent(29), percent(29)]) == [])
        #expect(run([percent(30), percent(30), percent(30), percent(30)]) == [], "the bar itself is not below it")
        #expect(run(Array(repeating: percent(20), count: 7), every: 10_000) == ["6:saver"])
    }

    @Test("A discharge walks through all tiers")
    func walk() {
        let readings = stride(from: 40, through: 1, by: -1).flatMap { value in
            Array(repeating: percent(value), count: 3)
        }
        #expect(run(readings).map { $0.split(separator: ":")[1] } == ["saver", "critical", "survival", "shutdown"])
    }

    @Test("Upward needs the bar + 5, or a minute of charging")
    func up() {
        let low = Array(repeating: percent(29), count: 3)
        #expect(run(low + [percent(33), percent(34), percent(35)]) == ["2:saver", "5:normal"])
        #expect(run(low + [percent(29, charging: true), percent(29, charging: true)]) == ["2:saver", "4:normal"])
        // Charging for less than a minute changes nothing, and holds what would go down.
        let flicker = [percent(10), percent(10, charging: true), percent(10), percent(10)]
        #expect(run(low + flicker) == ["2:saver"])
    }

    @Test("From the lowest tier upward only as far as the bars allow")
    func partly() {
        let empty = Array(repeating: percent(2), count: 3)
        #expect(run(empty + [percent(9)]) == ["2:shutdown", "3:survival"])
        #expect(run(empty + [percent(20)]) == ["2:shutdown", "3:saver"])
    }

    @Test("An unknown battery is normal and stays so (E-230)")
    func unknown() {
        #expect(run(Array(repeating: .unknown, count: 5)) == [])
        #expect(run(Array(repeating: percent(29), count: 3) + [.unknown]) == ["2:saver", "3:normal"])
    }

    @Test("An under-voltage counts as a low reading, whatever the gauge says (E-125)")
    func sag() {
        let sagging = BatteryReading(percent: 90, isCharging: false, isUnderVoltage: true)
        #expect(run(Array(repeating: sagging, count: 4)) == ["2:saver"])
        let blind = BatteryReading(isUnderVoltage: true)
        #expect(run(Array(repeating: blind, count: 3) + [.unknown]) == ["2:saver", "3:normal"])
        #expect(run(Array(repeating: sagging, count: 3) + [percent(90)]) == ["2:saver", "3:normal"])
    }

    @Test(
        "Intervals follow the tier",
        arguments: [
            (PowerTier.normal, 60_000, 12_000), (.saver, 120_000, 24_000), (.critical, 300_000, 60_000),
            (.survival, 3_600_000, 3_600_000),
        ] as [(PowerTier, Int64, Int64)])
    func factors(tier: PowerTier, resting: Int64, moving: Int64) {
        let config = CaptureConfig()
        #expect(Cadence.choose(config, isUnderWay: false, power: tier).intervalMillis == resting)
        #expect(Cadence.choose(config, isUnderWay: true, power: tier).intervalMillis == moving)
        #expect(Cadence.choose(config, isUnderWay: true, power: .shutdown).tier == .off)
    }
}
