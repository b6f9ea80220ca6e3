import TrackerModel

/// Whether a fix follows the ones before it, is a straggler, or comes from a clock that restarted (spec capture §6).
///
/// On the device the boot id says exactly when the clock restarted, and whatever is older than the newest fix is a
/// straggler. Fixes without a boot id (foreign recordings) have only their steps: back by 300 s or more, or three
/// stragglers in a row, is a restart.
struct ClockGuard {
    enum Answer: Equatable {
        case forward
        case outOfOrder
        case reboot
    }

    /// Spec capture §8.5: reboot step, out-of-order run.
    private static let rebootStepMillis: Int64 = 300_000
    private static let longestRun = 3

    /// Boot ids tell reboots; steps back never do.
    let knowsBoots: Bool
    /// The newest instant so far; `nil` is "nothing seen", and everything follows it.
    private(set) var newest: Instant?
    private var run = 0

    init(knowsBoots: Bool, newest: Instant? = nil) {
        self.knowsBoots = knowsBoots
        self.newest = newest
    }

    mutating func judge(_ instant: Instant) -> Answer {
        guard let newest, instant < newest else {
            self.newest = instant
            run = 0
            return .forward
        }
        guard !knowsBoots else { return .outOfOrder }
        if newest.millis(since: instant) >= Self.rebootStepMillis || run >= Self.longestRun {
            self = ClockGuard(knowsBoots: knowsBoots, newest: instant)
            return .reboot
        }
        run += 1
        return .outOfOrder
    }
}
