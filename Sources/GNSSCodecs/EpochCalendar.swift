import TrackerModel

/// Gives an epoch its date: its own where an active RMC (or the ZDA of a fix) has one, else the one that follows from
/// the last dated fix (spec capture §1.1).
struct EpochCalendar {
    /// A date is carried on for 6 h (spec capture §1.1).
    private static let carriedMillis: Int64 = 6 * 3_600_000
    private static let dayMillis: Int64 = 86_400_000

    private var lastDated: (time: UTCTime, instant: Instant)?

    /// `nil` when the time of day is missing, the date cannot be believed, or there has been none to carry on.
    mutating func time(of epoch: NavigationEpoch, hasFix: Bool) -> UTCTime? {
        guard let timeOfDay = epoch.timeOfDay else { return nil }
        guard hasFix else { return carriedTime(timeOfDay, at: epoch.firstByteAt) }
        switch date(of: epoch) {
        case .unbelievable: return nil
        case .absent: return carriedTime(timeOfDay, at: epoch.firstByteAt)
        case .day(let number):
            let time = UTCTime(millis: number * Self.dayMillis + Int64(timeOfDay))
            lastDated = (time, epoch.firstByteAt)
            return time
        }
    }

    private func date(of epoch: NavigationEpoch) -> DateField {
        if let date = epoch.rmc?.date, date != .absent { return date }
        return epoch.zda?.date ?? .absent
    }

    /// The day that brings this time of day nearest to now, so at most 12 h away: an epoch of 23:59:59 that is joined
    /// just after midnight belongs to the day before (F-22).
    private func carriedTime(_ timeOfDay: Int, at instant: Instant) -> UTCTime? {
        guard let (time, since) = lastDated else { return nil }
        let age = instant.millis(since: since)
        guard abs(age) < Self.carriedMillis else { return nil }
        let now = time.millis + age
        // Both terms are positive: dates are of 2000…2079.
        let days = (now - Int64(timeOfDay) + Self.dayMillis / 2) / Self.dayMillis
        return UTCTime(millis: days * Self.dayMillis + Int64(timeOfDay))
    }
}
