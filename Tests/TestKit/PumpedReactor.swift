import Glibc
public import Ports
import Synchronization
public import TrackerModel

/// A reactor that a test turns by hand: signals from other threads wait until `pump`.
public final class PumpedReactor: Reactor {
    private let bell = Bell()
    private var handlers: [() -> Void] = []
    private var timers = TimerQueue()

    public init() {}

    public var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(nanos: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
    public var wall: WallReading { WallReading(time: UTCTime(millis: 0), trust: .unknown) }

    public func schedule(at deadline: Instant, toleranceMillis: Int64, _ fire: @escaping () -> Void) -> TimerID {
        timers.add(at: deadline, toleranceMillis: toleranceMillis, fire)
    }

    public func cancel(_ timer: TimerID) { timers.remove(timer) }

    public func makeSignal(_ raised: @escaping () -> Void) -> any LoopSignal {
        handlers.append(raised)
        return Signal(bell: bell, index: handlers.count - 1)
    }

    /// Runs handlers and timers until the condition holds; false when it did not within the time.
    public func pump(seconds: Double, until isDone: () -> Bool) -> Bool {
        let end = now.advanced(byNanos: Int64(seconds * 1e9))
        while !isDone() {
            if now > end { return false }
            for index in bell.take() { handlers[index]() }
            while let due = timers.popDue(at: now) { due.fire() }
            usleep(1_000)
        }
        return true
    }

    private final class Bell: Sendable {
        private let raised = Mutex<Set<Int>>([])
        func raise(_ index: Int) { raised.withLock { _ = $0.insert(index) } }
        func take() -> [Int] {
            raised.withLock { held in
                defer { held = [] }
                return held.sorted()
            }
        }
    }

    private struct Signal: LoopSignal {
        let bell: Bell
        let index: Int
        func raise() { bell.raise(index) }
    }
}
