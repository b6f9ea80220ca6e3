import TrackerModel

/// Faults of a device that come one after the other: how long to wait for the next attempt, what is worth telling, and
/// when it is over.
struct FaultRow {
    /// Waits between attempts, the last one repeats (spec capture §13.1).
    private static let backoffMillis: [Int64] = [100, 500, 2_000, 10_000]
    /// So long without a fault ends the row: one that comes and goes is told once, and waited for longer each time.
    private static let healthyMillis: Int64 = 60_000

    private var count = 0
    private var lastAt = Instant.zero
    /// It repeats one value, which only other values disprove.
    var isFrozen = false

    /// The first attempt to come back has failed too.
    var isFailing: Bool { count > 1 }

    mutating func failed(at now: Instant) -> (waitMillis: Int64, isNews: Bool) {
        let wait = Self.backoffMillis[min(count, Self.backoffMillis.count - 1)]
        count += 1
        lastAt = now
        return (wait, count == 1)
    }

    /// True once, when a row is over.
    mutating func hasEnded(at now: Instant, isOK: Bool) -> Bool {
        guard count > 0, isOK, now.millis(since: lastAt) >= Self.healthyMillis else { return false }
        self = FaultRow()
        return true
    }
}
