public import TrackerModel

/// Names one scheduled timer; unique within a reactor.
public struct TimerID: Hashable, Sendable {
    public var value: UInt64
    public init(value: UInt64) { self.value = value }
}

/// The loop that everything runs on: one thread, boot time, timers and wake-ups from workers.
///
/// A promise, whatever keeps it: a timer never fires before its deadline and may fire up to its tolerance late;
/// due timers fire in deadline order, then in the order they were scheduled; `now` does not move back. A deadline
/// is fixed when it is scheduled. All calls and all callbacks are on the loop's thread.
public protocol Reactor: AnyObject {
    /// The boot clock. On the manual reactor, exactly the deadline of the timer that is being fired.
    var now: Instant { get }
    /// The host's wall clock: for display, schedules and log stamps only.
    var wall: WallReading { get }

    /// Calls `fire` once, at `deadline` or up to `toleranceMillis` later (so that several timers share one wake-up).
    @discardableResult
    func schedule(at deadline: Instant, toleranceMillis: Int64, _ fire: @escaping () -> Void) -> TimerID

    /// Forgets a timer; one that has fired or was cancelled is ignored.
    func cancel(_ timer: TimerID)

    /// A handle that any thread may raise to have `raised` called on the loop; raises coalesce.
    func makeSignal(_ raised: @escaping () -> Void) -> any LoopSignal
}

/// Wakes the loop from another thread.
public protocol LoopSignal: Sendable {
    func raise()
}
