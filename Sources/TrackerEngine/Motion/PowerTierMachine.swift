import TrackerModel

/// Which power tier the battery allows (spec power §2): down after three readings in a row over at least 60 s below a
/// bar while not charging, up at the bar + 5 or after 60 s of charging. An unknown battery is `normal`.
struct PowerTierMachine {
    private static let confirmingReadings = 3
    private static let confirmingMillis: Int64 = 60_000
    private static let hysteresisPercent = 5

    private let bars: [(tier: PowerTier, percent: Int)]
    private(set) var tier = PowerTier.normal
    private var filter = BatteryReadingFilter()
    /// The unbroken run of readings that allow less than the present tier.
    private var lowRun = 0
    private var lowSince: Instant?
    private var chargingSince: Instant?

    init(_ config: CaptureConfig) {
        bars = [
            (.saver, config.saveBelowPercent), (.critical, config.criticalBelowPercent),
            (.survival, config.survivalBelowPercent), (.shutdown, config.shutdownPercent),
        ]
    }

    /// The last reading that was taken as true.
    var reading: BatteryReading { filter.accepted }

    /// Takes a reading; returns the new tier when it changed.
    mutating func handle(_ raw: BatteryReading, at now: Instant) -> PowerTier? {
        let reading = filter.take(raw)
        let before = tier
        let charging = reading.isCharging == true
        chargingSince = charging ? chargingSince ?? now : nil
        guard let percent = reading.percent else {
            forgetRun()
            tier = .normal
            return tier == before ? nil : tier
        }
        if let chargingSince, now.millis(since: chargingSince) >= Self.confirmingMillis {
            tier = .normal
        } else {
            while let bar = bars.first(where: { $0.tier == tier }), percent >= bar.percent + Self.hysteresisPercent {
                tier = above(tier)
            }
        }
        let allowed = charging ? tier : max(tier, bars.last { percent < $0.percent }?.tier ?? .normal)
        if allowed > tier {
            lowRun += 1
            lowSince = lowSince ?? now
            if lowRun >= Self.confirmingReadings, now.millis(since: lowSince ?? now) >= Self.confirmingMillis {
                tier = allowed
                forgetRun()
            }
        } else {
            forgetRun()
        }
        return tier == before ? nil : tier
    }

    private mutating func forgetRun() {
        lowRun = 0
        lowSince = nil
    }

    private func above(_ tier: PowerTier) -> PowerTier { PowerTier.allCases.last { $0 < tier } ?? .normal }
}

/// Takes a percentage that jumps without a charger only after three readings agree (spec power §1): a gauge that
/// answers nonsense once must not shut a tracker down.
struct BatteryReadingFilter {
    private static let rise = 5
    private static let fall = 20
    private static let agreeing = 3
    /// Readings of one jump agree within this many percent.
    private static let agreementPercent = 2

    private(set) var accepted = BatteryReading.unknown
    private var candidate: Int?
    private var run = 0

    mutating func take(_ reading: BatteryReading) -> BatteryReading {
        let chargerEvent =
            reading.isCharging != accepted.isCharging || reading.externalSupply != accepted.externalSupply
        guard let percent = reading.percent, let held = accepted.percent, !chargerEvent,
            percent - held > Self.rise || held - percent > Self.fall
        else {
            candidate = nil
            run = 0
            accepted = reading
            return accepted
        }
        run = candidate.map { abs($0 - percent) <= Self.agreementPercent } ?? false ? run + 1 : 1
        candidate = percent
        var taken = reading
        if run < Self.agreeing { taken.percent = held } else { run = 0 }
        accepted = taken
        return accepted
    }
}
