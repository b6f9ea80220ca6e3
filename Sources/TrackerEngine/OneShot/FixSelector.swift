import TrackerModel

/// Chooses one fix out of a stream: the first that is good enough, else the best when the time is up (spec capture §4.1).
///
/// Requirement 35 m, age 10 s, budget 20 s; fixes of 10 m (900 s old), 65, 50 and 30 m at 0.1, 4, 6 and 8 s: three waits,
/// then the 30 m fix. Requirement 10 m, budget 5 s; 65 m at 4 s and 80 m at 6 s: settles for 65 m.
struct FixSelector: Equatable {
    enum Answer: Equatable {
        case wait
        /// Good enough.
        case accept(TrackFix)
        /// The time is up: the best so far, if any.
        case settle(TrackFix?)
    }

    /// Accept at or under, metres.
    let accuracyM: Double
    let requestedAt: Instant
    /// The time is up then; fixed when the request is made.
    let deadline: Instant
    private let oldest: Instant
    private var best: TrackFix?

    /// - Parameter maximumAgeMillis: the oldest fix that counts, back from the request.
    init(accuracyM: Double, maximumAgeMillis: Int64, budgetMillis: Int64, requestedAt: Instant) {
        self.accuracyM = accuracyM
        self.requestedAt = requestedAt
        deadline = requestedAt.advanced(byMillis: budgetMillis)
        oldest = requestedAt.advanced(byMillis: -maximumAgeMillis)
    }

    /// A fix arrives. After the deadline it is too late for it to count.
    mutating func offer(_ fix: TrackFix, at now: Instant) -> Answer {
        if now >= deadline { return .settle(best) }
        guard fix.accuracyM > 0, fix.instant >= oldest else { return .wait }
        if fix.accuracyM <= accuracyM { return .accept(fix) }
        if best.map({ fix.accuracyM < $0.accuracyM }) ?? true { best = fix }
        return .wait
    }

    /// What the deadline's timer asks.
    func expired(at now: Instant) -> Answer { now >= deadline ? .settle(best) : .wait }
}
