import TrackerModel

/// Which firings of a wake line count: at most one a second, and none any more once the line has fired twenty times
/// without rest: an open wire, not a moved board (E-116).
struct WakeGate {
    private static let spacingMillis: Int64 = 1_000
    private static let mostFirings = 20
    /// So long without a firing is rest.
    private static let restMillis: Int64 = 10_000

    private(set) var isMasked = false
    private var firings = 0
    private var last: Instant?
    private var counted: Instant?

    /// True when it is worth a look.
    mutating func fired(at now: Instant) -> Bool {
        if let last, now.millis(since: last) >= Self.restMillis { firings = 0 }
        last = now
        firings += 1
        if firings > Self.mostFirings { isMasked = true }
        if isMasked { return false }
        if let counted, now.millis(since: counted) < Self.spacingMillis { return false }
        counted = now
        return true
    }
}
