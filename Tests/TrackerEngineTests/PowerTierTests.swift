import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Power tiers")
struct PowerTierTests {
    /// Feeds readings 60 s apart; returns the tiers entered with their index.
    private func run(_ readings: [BatteryReading]) -> [String] {
        var machine = PowerTierMachine(CaptureConfig())
        return readings.enumerated().compactMap { index, reading in
            machine.handle(reading, at: Instant(millis: Int64(index) * 60_000)).map { "\(index):\($0.rawValue)" }
        }
    }

    private func percent(_ value: Int, charging: Bool = false) -> BatteryReading {
        BatteryReading(percent: value, isCharging: charging)
    }

    @Test("Three readings below the bar lower the tier, two do not")
    func down() {
        #expect(run([percent(31), percent(29), percent(29), percent(28)]) == ["3:saver"])
        #expect(run([percent(31), percent(29), percent(29), percent(31), percent(29), percent(29)]) == [])
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
    }

    @Test("An unknown battery is normal and stays so (E-230)")
    func unknown() { #expect(run(Array(repeating: .unknown, count: 5)) == []) }

    @Test("One nonsense reading changes nothing; a jump that lasts is taken")
    func nonsense() {
        #expect(run([percent(80), percent(2), percent(80), percent(79)]) == [])
        let jump = [percent(80)] + Array(repeating: percent(20), count: 6)
        #expect(run(jump) == ["5:saver"])
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
