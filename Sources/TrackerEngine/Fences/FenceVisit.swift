import TrackerModel

/// One stay inside a fence, from its entry on, and its dwell.
struct FenceVisit {
    /// A fix as old as this still says where the device is (spec api §6).
    static let freshMillis: Int64 = 10_000
    /// How long a fix is waited for before a dwell is reported without one: the default of a one-shot.
    static let fixDeadlineMillis: Int64 = 30_000

    /// When the dwell is complete; `nil` when none is wanted any more.
    private(set) var condition: UTCTime?
    /// The same on the boot clock; `nil` while the clocks are not tied to each other.
    private(set) var deadline: Instant?
    /// A fix to confirm the dwell by is waited for since then.
    private(set) var askedAt: Instant?
    /// It was complete before anybody watched again.
    private(set) var isLate = false
    /// When the dwell was reported.
    private(set) var reportedAt: Instant?
    /// Known from the history alone: no fix has said yet whether it still lasts.
    private(set) var isUnseen: Bool
    /// A dwell that begins with the first fix inside.
    private var dwellToBegin: Int64?

    /// A stay that was seen to begin.
    init(entry: FenceMoment, dwellAfterMillis: Int64?) {
        isUnseen = false
        dwellAfterMillis.map { begin(at: entry, $0) }
    }

    /// A stay whose fence was armed anew before anything was known of place and time.
    init(beginningWithFix dwellAfterMillis: Int64?) {
        isUnseen = false
        dwellToBegin = dwellAfterMillis
    }

    /// A stay of an earlier run, of which only the history tells.
    /// - Parameter condition: when its dwell is complete; `nil`: reported, or not wanted.
    init(restoredWith condition: UTCTime?) {
        isUnseen = true
        self.condition = condition
    }

    private mutating func begin(at entry: FenceMoment, _ dwellMillis: Int64) {
        let complete = entry.advanced(byMillis: dwellMillis)
        condition = complete.time
        deadline = complete.instant
    }

    /// A usable fix has come.
    mutating func seen(at moment: FenceMoment, isInside: Bool) {
        isUnseen = false
        guard isInside, let dwellToBegin else { return }
        begin(at: moment, dwellToBegin)
        self.dwellToBegin = nil
    }

    enum DwellCheck: Equatable {
        /// Not yet, or nothing to report.
        case none
        case fixWanted
        case report(at: UTCTime, isLate: Bool, isUnverified: Bool)
    }

    /// - Parameters:
    ///   - isConfirmed: whether a fresh fix says inside (true) or outside (false); `nil` when there is none.
    ///   - trusted: UTC of `now`, when something vouches for it.
    ///   - watchedSince: when this run began to watch.
    mutating func checkDwell(
        isConfirmed: Bool?, trusted: UTCTime?, watchedSince: Instant, at now: Instant
    ) -> DwellCheck {
        guard let condition else { return .none }
        if deadline == nil, let trusted {
            let deadline = now.advanced(byMillis: condition.millis(since: trusted))
            self.deadline = deadline
            isLate = deadline <= watchedSince
        }
        guard let deadline, deadline <= now else { return .none }
        switch isConfirmed {
        case true?: return report(condition, isUnverified: false, now)
        case false?:
            // Beyond the line, and not yet out: the next fixes decide.
            askedAt = nil
            return .none
        case nil:
            guard let askedAt else {
                self.askedAt = now
                return .fixWanted
            }
            guard now.millis(since: askedAt) >= Self.fixDeadlineMillis else { return .none }
            return report(condition, isUnverified: true, now)
        }
    }

    /// When the dwell must be looked at again by itself; `.never` where a fix will bring it up.
    func nextCheck(after now: Instant) -> Instant {
        guard condition != nil, let deadline else { return .never }
        if deadline > now { return deadline }
        return askedAt?.advanced(byMillis: Self.fixDeadlineMillis) ?? .never
    }

    private mutating func report(_ time: UTCTime, isUnverified: Bool, _ now: Instant) -> DwellCheck {
        condition = nil
        reportedAt = now
        return .report(at: time, isLate: isLate, isUnverified: isUnverified)
    }
}
