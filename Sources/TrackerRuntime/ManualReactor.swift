public import Ports
public import TrackerModel

/// The reactor of replay and tests: its clock moves only on command, and due timers fire in deadline, then insertion
/// order with `now` set to each deadline.
public final class ManualReactor: Reactor {
    public private(set) var now: Instant
    /// What the wall clock reads at `now`; tests may set it.
    public var wall: WallReading
    private var timers = TimerQueue()
    private var signals: [ManualSignal] = []

    public init(now: Instant = .zero, wall: WallReading = WallReading(time: UTCTime(millis: 0), trust: .unknown)) {
        self.now = now
        self.wall = wall
    }

    @discardableResult
    public func schedule(at deadline: Instant, toleranceMillis: Int64, _ fire: @escaping () -> Void) -> TimerID {
        timers.add(at: deadline, toleranceMillis: toleranceMillis, fire)
    }

    public func cancel(_ timer: TimerID) { timers.remove(timer) }

    public func makeSignal(_ raised: @escaping () -> Void) -> any LoopSignal {
        let signal = ManualSignal()
        signals.append(signal)
        signal.raised = raised
        return signal
    }

    /// Different times at which the clock stood still for something to happen.
    public private(set) var moments: Int64 = 0

    public var timerCount: Int { timers.count }
    public var nextDeadline: Instant { timers.nextDeadline }

    /// Moves the clock to `target`, firing everything that becomes due on the way, what is scheduled meanwhile included.
    public func advance(to target: Instant) {
        deliverSignals()
        while let due = timers.popDue(at: target) {
            moveClock(to: max(now, due.deadline))
            due.fire()
            deliverSignals()
        }
        moveClock(to: max(now, target))
    }

    public func advance(byMillis millis: Int64) { advance(to: now.advanced(byMillis: millis)) }

    private func moveClock(to instant: Instant) {
        if instant > now { moments += 1 }
        wall.time = wall.time.advanced(byMillis: instant.millis - now.millis)
        now = instant
    }

    private func deliverSignals() {
        while let signal = signals.first(where: \.isRaised) {
            signal.isRaised = false
            signal.raised?()
        }
    }
}

/// Raised on the loop's own thread only: replay and tests have no workers.
private final class ManualSignal: LoopSignal, @unchecked Sendable {
    var isRaised = false
    var raised: (() -> Void)?
    func raise() { isRaised = true }
}
