import TrackerModel

/// Which power tier the battery allows (spec power §2): down after three readings in a row over at least 60 s below a
/// bar while not charging, up at the bar + 5 or after 60 s of charging. An under-voltage counts as below the first bar.
/// An unknown battery is `normal`.
struct PowerTierMachine {
    private static let confirmingReadings = 3
    private static let confirmingMillis: Int64 = 60_000
    static let hysteresisPercent = 5

    private let bars: [(tier: PowerTier, percent: Int)]
    private(set) var tier = PowerTier.normal
    /// The unbroken run of readings that allow less than the present tier.
    private var lowRun = 0
    private var lowSince: Instant?
    private var chargingSince: Instant?

    init(_ config: PowerConfig) {
        bars = [
            (.saver, config.saveBelowPercent), (.critical, config.criticalBelowPercent),
            (.survival, config.survivalBelowPercent), (.shutdown, config.shutdownPercent),
        ]
    }

    mutating func take(_ reading: BatteryReading, at now: Instant) {
        let isCharging = reading.isFed
        chargingSince = isCharging ? chargingSince ?? now : nil
        if let chargingSince, now.millis(since: chargingSince) >= Self.confirmingMillis {
            tier = .normal
        } else if let percent = reading.percent {
            while let bar = bars.first(where: { $0.tier == tier }), percent >= bar.percent + Self.hysteresisPercent,
                !(bar.tier == .saver && reading.isUnderVoltage)
            {
                tier = above(tier)
            }
        } else if !reading.isUnderVoltage {
            tier = .normal
        }
        let allowed = isCharging ? tier : max(tier, Self.allowed(reading, bars))
        guard allowed > tier else {
            lowRun = 0
            lowSince = nil
            return
        }
        lowRun += 1
        let since = lowSince ?? now
        lowSince = since
        if lowRun >= Self.confirmingReadings, now.millis(since: since) >= Self.confirmingMillis {
            tier = allowed
            lowRun = 0
            lowSince = nil
        }
    }

    private static func allowed(
        _ reading: BatteryReading, _ bars: [(tier: PowerTier, percent: Int)]
    ) -> PowerTier {
        let byPercent = reading.percent.flatMap { percent in bars.last { percent < $0.percent }?.tier } ?? .normal
        return reading.isUnderVoltage ? max(byPercent, .saver) : byPercent
    }

    private func above(_ tier: PowerTier) -> PowerTier { PowerTier.allCases.last { $0 < tier } ?? .normal }
}
