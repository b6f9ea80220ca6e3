public import TrackerModel

/// The one timer of something that waits for one moment at a time: setting it replaces what it waited for, and who lets it
/// go is not called any more.
public final class Alarm {
    private let reactor: any Reactor
    private var timer: TimerID?
    /// When it fires; `.never` while nothing is waited for.
    public private(set) var deadline = Instant.never

    public init(_ reactor: any Reactor) { self.reactor = reactor }

    deinit { cancel() }

    public var isSet: Bool { timer != nil }

    /// Calls `fire` once, at `deadline` or up to `toleranceMillis` later; not at all for `.never`.
    public func set(at deadline: Instant, toleranceMillis: Int64, _ fire: @escaping () -> Void) {
        cancel()
        guard deadline < .never else { return }
        self.deadline = deadline
        timer = reactor.schedule(at: deadline, toleranceMillis: toleranceMillis) { [unowned self] in
            (timer, self.deadline) = (nil, .never)
            fire()
        }
    }

    /// The same so many milliseconds from now.
    public func set(afterMillis millis: Int64, toleranceMillis: Int64, _ fire: @escaping () -> Void) {
        set(at: reactor.now.advanced(byMillis: millis), toleranceMillis: toleranceMillis, fire)
    }

    public func cancel() {
        timer.map(reactor.cancel)
        (timer, deadline) = (nil, .never)
    }
}
