import TrackerModel

/// Chooses the first point of a session: an accurate fix at once, else the best of 30 s (spec capture §8.2, Δ14).
struct InitialFix {
    static let budgetMillis: Int64 = 30_000

    private var best: TrackFix?
    private var since: Instant?

    /// The fix to begin with; `nil` while a better one may come. The reference begins with whatever comes first.
    mutating func choose(_ fix: TrackFix, trustM: Double, ruleSet: RuleSet) -> TrackFix? {
        if ruleSet == .reference { return fix }
        let start = since ?? fix.instant
        since = start
        if best.map({ fix.accuracyM < $0.accuracyM }) ?? true { best = fix }
        guard fix.accuracyM <= trustM || fix.instant.millis(since: start) >= Self.budgetMillis else { return nil }
        defer { self = InitialFix() }
        return best
    }
}
