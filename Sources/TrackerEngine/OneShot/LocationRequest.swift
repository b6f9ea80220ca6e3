import TrackerModel

/// A question for one position: a selector behind a plausibility filter of its own (spec capture §4.3).
struct LocationRequest {
    private(set) var selector: FixSelector
    private var plausibility = PlausibilityFilter()

    init(_ selector: FixSelector) { self.selector = selector }

    mutating func offer(_ fix: TrackFix, at now: Instant) -> FixSelector.Answer {
        if now < selector.deadline, plausibility.judge(fix) == .implausible { return .wait }
        return selector.offer(fix, at: now)
    }
}
