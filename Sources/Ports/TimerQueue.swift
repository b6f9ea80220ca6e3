public import TrackerModel

/// The timers of a reactor, ordered by deadline, then by insertion. Used by the epoll reactor and by the manual one,
/// so that both fire alike.
public struct TimerQueue {
    private struct Entry {
        var deadline: Instant
        /// The last moment it may fire: deadline plus tolerance.
        var latest: Instant
        var id: TimerID
        var fire: () -> Void
    }

    /// Sorted by (deadline, id); short (tens), so insertion by shifting is right.
    private var entries: [Entry] = []
    private var nextID: UInt64 = 1

    public init() {}

    public var count: Int { entries.count }
    /// The earliest deadline, or `.never`.
    public var nextDeadline: Instant { entries.first?.deadline ?? .never }
    /// When to wake so that no timer is later than its tolerance: the earliest of all latest moments, or `.never`.
    public var nextWake: Instant { entries.reduce(.never) { min($0, $1.latest) } }

    public mutating func add(at deadline: Instant, toleranceMillis: Int64, _ fire: @escaping () -> Void) -> TimerID {
        let id = TimerID(value: nextID)
        nextID += 1
        let index = entries.firstIndex { $0.deadline > deadline } ?? entries.endIndex
        let latest = deadline.advanced(byMillis: max(0, toleranceMillis))
        entries.insert(Entry(deadline: deadline, latest: latest, id: id, fire: fire), at: index)
        return id
    }

    public mutating func remove(_ id: TimerID) {
        entries.removeAll { $0.id == id }
    }

    /// Takes the first timer due at `now`, or nothing. The caller fires it outside the queue, so that it may schedule.
    public mutating func popDue(at now: Instant) -> (deadline: Instant, fire: () -> Void)? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        entries.removeFirst()
        return (first.deadline, first.fire)
    }
}
