import TrackerModel

/// Decides what an epoch's UTC is from what its sentences or messages claim (spec capture §1.1).
///
/// A date counts where the receiver vouches for it and has a fix; else the date is the one that brings the time of day
/// nearest to the last dated fix, for 6 h. Without either there is no time: a point waits rather than guess.
struct GNSSTimekeeper {
    /// A date is carried on for 6 h (spec capture §1.1).
    private static let carriedMillis: Int64 = 6 * 3_600_000
    private static let dayMillis: Int64 = 86_400_000
    /// The week count of GPS has 10 bits: 1 024 weeks.
    private static let rolloverMillis: Int64 = 1_024 * 7 * dayMillis
    /// More than this and the clock was stepped (spec capture §1.1).
    private static let stepMillis: Int64 = 60_000
    /// The same UTC for longer than this is a clock that stands still (spec capture §2.2).
    private static let stallMillis: Int64 = 5_000
    /// A receiver that does not know the leap seconds is off by all of them at worst: 18 since 2017, with room for more.
    private static let leapSecondsMillis: Int64 = 30_000

    private let earliest: UTCTime
    private let lastTrusted: UTCTime?
    /// For a log whose sentences have no date: the day of its first epoch.
    private var firstDay: Int64?
    /// That day is all there is: it is carried on for as long as the recording goes on.
    private var hasOnlyFirstDay = false
    private var lastDated: (time: UTCTime, instant: Instant)?
    private var standing: (time: UTCTime, since: Instant, isReported: Bool)?
    private var isRolloverReported = false

    /// - Parameters:
    ///   - buildDate: vouched dates of more than a day before it are 1 024 weeks or more too early.
    ///   - lastTrusted: of an earlier run; a date of more than 512 weeks before it is 1 024 weeks too early.
    ///   - firstDay: dates the first epoch of a recording that has none.
    init(buildDate: UTCTime, lastTrusted: UTCTime? = nil, firstDay: UTCTime? = nil) {
        earliest = buildDate.advanced(byMillis: -Self.dayMillis)
        self.lastTrusted = lastTrusted
        self.firstDay = firstDay.map { $0.millis / Self.dayMillis }
    }

    /// - Parameters:
    ///   - hasFix: the epoch has a position; the clock of a receiver without one is not believed (F-26).
    ///   - instant: of the epoch.
    ///   - diagnose: called with `gnss_week_rollover_corrected` once, `clock_step:<ms>` for each step, and
    ///     `gnss_time_stalled` once for each stall.
    /// - Returns: `nil` when the time of day is missing, the date cannot be believed, or there has been none.
    mutating func resolve(
        _ claim: TimeClaim, hasFix: Bool, at instant: Instant, diagnose: (String) -> Void
    ) -> UTCTime? {
        guard let timeOfDay = claim.timeOfDay else { return nil }
        guard hasFix else { return carried(timeOfDay, at: instant) }
        let time: UTCTime
        switch claim.date {
        case .unbelievable: return nil
        case .day(let number) where claim.isVouched:
            time = corrected(UTCTime(millis: number * Self.dayMillis + Int64(timeOfDay)), diagnose)
            if claim.isFullyResolved { noteDated(time, at: instant, diagnose) }
        case .absent, .day:
            guard let kept = carried(timeOfDay, at: instant) ?? first(timeOfDay) else { return nil }
            time = kept
            if hasOnlyFirstDay { lastDated = (time, instant) }
        }
        guard claim.isFullyResolved else { return leapt(time, at: instant) }
        noteStanding(time, at: instant, diagnose)
        return time
    }

    /// An epoch with the time of the one before was dropped.
    mutating func noteRepeated(at instant: Instant, diagnose: (String) -> Void) {
        if let standing { noteStanding(standing.time, at: instant, diagnose) }
    }

    private mutating func corrected(_ time: UTCTime, _ diagnose: (String) -> Void) -> UTCTime {
        var corrected = time
        while corrected < earliest { corrected.millis += Self.rolloverMillis }
        if let lastTrusted, lastTrusted.millis - corrected.millis > Self.rolloverMillis / 2 {
            corrected.millis += Self.rolloverMillis
        }
        if corrected != time, !isRolloverReported {
            isRolloverReported = true
            diagnose("gnss_week_rollover_corrected")
        }
        return corrected
    }

    /// The receiver's clock is followed wherever it goes; a step is told.
    private mutating func noteDated(_ time: UTCTime, at instant: Instant, _ diagnose: (String) -> Void) {
        if let (last, since) = lastDated {
            let step = time.millis - last.millis - instant.millis(since: since)
            if abs(step) > Self.stepMillis { diagnose("clock_step:\(step)") }
        }
        lastDated = (time, instant)
        (firstDay, hasOnlyFirstDay) = (nil, false)
    }

    private mutating func noteStanding(_ time: UTCTime, at instant: Instant, _ diagnose: (String) -> Void) {
        guard let (_, since, isReported) = standing, standing?.time == time else {
            standing = (time, instant, false)
            return
        }
        guard !isReported, instant.millis(since: since) > Self.stallMillis else { return }
        standing?.isReported = true
        diagnose("gnss_time_stalled")
    }

    /// The day that brings this time of day nearest to now, so at most 12 h away: an epoch of 23:59:59 that is joined
    /// just after midnight belongs to the day before (F-22).
    private func carried(_ timeOfDay: Int, at instant: Instant) -> UTCTime? {
        guard let now = carriedNow(at: instant) else { return nil }
        // Both terms are positive: dates are of 2000 and later.
        let days = (now - Int64(timeOfDay) + Self.dayMillis / 2) / Self.dayMillis
        return UTCTime(millis: days * Self.dayMillis + Int64(timeOfDay))
    }

    private func carriedNow(at instant: Instant) -> Int64? {
        guard let (time, since) = lastDated else { return nil }
        let age = instant.millis(since: since)
        return abs(age) < Self.carriedMillis ? time.millis + age : nil
    }

    private mutating func first(_ timeOfDay: Int) -> UTCTime? {
        guard let day = firstDay else { return nil }
        (firstDay, hasOnlyFirstDay) = (nil, true)
        return UTCTime(millis: day * Self.dayMillis + Int64(timeOfDay))
    }

    /// Of a receiver that does not know the leap seconds: off by whole seconds, which those kept since it did tell.
    private func leapt(_ time: UTCTime, at instant: Instant) -> UTCTime? {
        guard let now = carriedNow(at: instant) else { return nil }
        let seconds = Int64((Double(now - time.millis) / 1_000).rounded())
        guard abs(seconds) <= Self.leapSecondsMillis / 1_000 else { return nil }
        return time.advanced(byMillis: seconds * 1_000)
    }
}
