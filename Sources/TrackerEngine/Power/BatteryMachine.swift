public import TrackerModel

/// Makes one reading of what several sources say of the battery (spec power §1): the first that knows the percentage is
/// believed, a failure holds the last value for five minutes, a jump must be repeated.
public struct BatteryMachine: Sendable {
    /// Longer than this without an answer is unknown (spec api §8).
    private static let holdMillis: Int64 = 300_000
    /// An under-voltage counts for so long (spec power §1).
    private static let underVoltageMillis: Int64 = 60_000
    /// A gauge that has just got its supply may still change its mind (spec api §8).
    private static let settlingMillis: Int64 = 3_500

    /// The last reading that was taken as true.
    public private(set) var reading = BatteryReading.unknown
    private var filter = BatteryReadingFilter()
    private var answeredAt: Instant?
    private var saggedAt: Instant?
    private var settledAt: Instant?

    public init() {}

    /// - Parameters:
    ///   - sources: in the order of their rank; `.unknown` for one that does not answer.
    ///   - isUnderVoltage: what the board says of its supply; `nil` when it has no such sense.
    public mutating func take(_ sources: [BatteryReading], isUnderVoltage: Bool?, at now: Instant) {
        let settled = settledAt ?? now.advanced(byMillis: Self.settlingMillis)
        settledAt = settled
        var next = sources.first { $0.percent != nil } ?? sources.first { $0.voltageMV != nil } ?? .unknown
        next.supply = sources.first { $0.supply != .unknown }?.supply ?? .unknown
        if next.percent != nil {
            answeredAt = now
            next = now <= settled ? filter.reset(to: next) : filter.take(next)
        } else if let answeredAt, now.millis(since: answeredAt) <= Self.holdMillis {
            next.percent = reading.percent
            next.isCharging = next.isCharging ?? reading.isCharging
            next.voltageMV = next.voltageMV ?? reading.voltageMV
        } else {
            answeredAt = nil
            _ = filter.reset(to: next)
        }
        if isUnderVoltage == true { saggedAt = now }
        next.isUnderVoltage = saggedAt.map { now.millis(since: $0) < Self.underVoltageMillis } ?? false
        reading = next
    }
}

/// Takes a percentage that jumps without a charger only after three readings agree (spec power §1): a gauge that
/// answers nonsense once must not shut a tracker down.
struct BatteryReadingFilter {
    private static let rise = 5
    private static let fall = 20
    private static let agreeing = 3
    /// Readings of one jump agree within this many percent.
    private static let agreementPercent = 2

    private var accepted = BatteryReading.unknown
    private var candidate: Int?
    private var run = 0

    mutating func reset(to reading: BatteryReading) -> BatteryReading {
        candidate = nil
        run = 0
        accepted = reading
        return reading
    }

    mutating func take(_ reading: BatteryReading) -> BatteryReading {
        let chargerEvent =
            (reading.isCharging == true) != (accepted.isCharging == true) || reading.supply != accepted.supply
        guard let percent = reading.percent, let held = accepted.percent, !chargerEvent,
            percent - held > Self.rise || held - percent > Self.fall
        else { return reset(to: reading) }
        run = candidate.map { abs($0 - percent) <= Self.agreementPercent } ?? false ? run + 1 : 1
        candidate = percent
        if run >= Self.agreeing { return reset(to: reading) }
        accepted = reading
        accepted.percent = held
        return accepted
    }
}
