import CLinux
import Glibc
public import Ports
public import TrackerModel

/// The event loop of the daemon: epoll, one timerfd on `CLOCK_BOOTTIME` and one eventfd (epoll(7), timerfd_create(2)).
///
/// Sleeps until a descriptor is ready, a timer is due or a signal is raised; on every wake-up all timers that are due
/// fire, so that timers with tolerance share wake-ups. Everything but `LoopSignal.raise` is for the loop's thread.
public final class LinuxReactor: Reactor {
    private struct Watch {
        var handler: (FileEvents) -> Void
        /// The round in which it was added: an event of the same round may belong to a descriptor closed in it.
        var addedInRound: UInt64
    }

    /// What is ready beyond this comes with the next wait.
    private static let mostEventsAtOnce = 32

    private let epoll: Int32
    private let timer: Int32
    private let wakeUp: WakeUp
    private let clock: ScaledClock
    private let ready = UnsafeMutablePointer<epoll_event>.allocate(capacity: LinuxReactor.mostEventsAtOnce)

    private var timers = TimerQueue()
    private var watches: [Int32: Watch] = [:]
    private var signals: [UInt64: () -> Void] = [:]
    private var round: UInt64 = 0
    /// What the timerfd is set to; `.never` when it is not.
    private var armedFor = Instant.never
    private var latest = Instant.zero
    private var isStopping = false
    /// Readers of process signals, closed with the reactor.
    private var signalReaders: [Int32] = []

    /// How often the loop has woken since it was made (spec power §4).
    public private(set) var wakeUps: Int64 = 0

    /// The simulated seconds of one real second.
    public var timeScale: Double { clock.scale }

    /// - Parameter timeScale: > 0; boot time is multiplied by it from boot on, so that a daemon started again in the same
    ///   boot finds its clock where it left it. The wall clock starts at the wall time of this call.
    /// - Throws: the call for which the system had no descriptor left, or `EINVAL` for another scale.
    public init(timeScale: Double = 1) throws(SystemFailure) {
        let boot = linux_clock_nanos(CLOCK_BOOTTIME)
        let wall = linux_clock_nanos(CLOCK_REALTIME)
        guard let clock = ScaledClock(scale: timeScale, bootNanos: boot, wallNanos: wall) else {
            throw SystemFailure(call: "time scale", subject: "\(timeScale)", number: EINVAL)
        }
        self.clock = clock
        let wakeUp = try WakeUp()
        let epoll = try System.makeEpoll()
        let timer: Int32
        do throws(SystemFailure) {
            timer = try System.makeTimer()
        } catch {
            System.close(epoll)
            throw error
        }
        self.wakeUp = wakeUp
        self.epoll = epoll
        self.timer = timer
        try watch(timer, for: .readable) { [unowned self] _ in timerExpired() }
        try watch(wakeUp.fd, for: .readable) { [unowned self] _ in signalsRaised() }
    }

    deinit {
        for reader in signalReaders { System.close(reader) }
        System.close(timer)
        System.close(epoll)
        ready.deallocate()
    }

    public var now: Instant {
        latest = max(latest, clock.instant(atBootNanos: linux_clock_nanos(CLOCK_BOOTTIME)))
        return latest
    }

    public var wall: WallReading {
        let millis = clock.wallMillis(now: now, hostWallNanos: linux_clock_nanos(CLOCK_REALTIME))
        return WallReading(
            time: UTCTime(millis: millis),
            trust: Self.trust(wallMillis: millis, isDisciplined: linux_clock_disciplined() == 1))
    }

    /// A clock that nothing holds is believed from 2024 on: a board without a battery-backed clock starts in 1970 or at
    /// the date of its image.
    static func trust(wallMillis: Int64, isDisciplined: Bool) -> WallTrust {
        if isDisciplined { return .disciplined }
        let startOf2024: Int64 = 1_704_067_200_000
        return wallMillis >= startOf2024 ? .estimated : .unknown
    }

    /// Handles events until `stop`.
    /// - Throws: only when the kernel refuses to wait, which leaves the process nothing to do but end.
    public func run() throws(SystemFailure) {
        isStopping = false
        while !isStopping {
            try armTimer()
            let count = try System.epollWait(epoll, ready, capacity: Self.mostEventsAtOnce)
            wakeUps += 1
            round += 1
            dispatch(count)
            fireDueTimers()
        }
    }

    /// Makes `run` return after the callback that calls it.
    public func stop() { isStopping = true }
}

// MARK: - Timers

extension LinuxReactor {
    @discardableResult
    public func schedule(at deadline: Instant, toleranceMillis: Int64, _ fire: @escaping () -> Void) -> TimerID {
        timers.add(at: deadline, toleranceMillis: toleranceMillis, fire)
    }

    public func cancel(_ timer: TimerID) { timers.remove(timer) }

    private func armTimer() throws(SystemFailure) {
        let next = timers.nextWake
        guard next != armedFor else { return }
        try System.armTimer(timer, atBootNanos: next == .never ? 0 : clock.bootNanos(reaching: next))
        armedFor = next
    }

    /// A timerfd that has expired is set again even for the same moment: scaled time may not be there yet.
    private func timerExpired() {
        _ = try? System.read(timer, limit: 8)
        armedFor = .never
    }

    /// Fires what is due now, at most as many as were waiting: timers that keep scheduling themselves in the past must
    /// not keep descriptors from being served.
    private func fireDueTimers() {
        let moment = now
        var remaining = timers.count
        while remaining > 0, !isStopping, let due = timers.popDue(at: moment) {
            remaining -= 1
            due.fire()
        }
    }
}

// MARK: - Descriptors and signals

extension LinuxReactor {
    /// Calls `handler` whenever the descriptor is ready for one of `events`, hung up or failed, until `unwatch`; which
    /// comes before closing it. Watching a descriptor again replaces events and handler.
    public func watch(
        _ fd: Int32, for events: FileEvents, handler: @escaping (FileEvents) -> Void
    ) throws(SystemFailure) {
        if watches[fd] == nil {
            try System.epollAdd(epoll, fd, events)
        } else {
            try System.epollModify(epoll, fd, events)
        }
        watches[fd] = Watch(handler: handler, addedInRound: round)
    }

    /// Forgets the descriptor; its handler is not called any more, even for what has happened already.
    public func unwatch(_ fd: Int32) {
        guard watches.removeValue(forKey: fd) != nil else { return }
        // Fails only when the descriptor was closed first, and then the kernel has forgotten it.
        _ = try? System.epollRemove(epoll, fd)
    }

    /// Calls `handler` on the loop for each of these signals of the process, `[SIGTERM, SIGINT]`. Call it before
    /// starting threads, which inherit that the signals are blocked.
    public func onProcessSignals(
        _ numbers: [Int32], handler: @escaping (Int32) -> Void
    ) throws(SystemFailure) {
        let reader = try System.makeSignalReader(numbers)
        signalReaders.append(reader)
        try watch(reader, for: .readable) { _ in
            while let number = (try? System.readSignal(reader)) ?? nil { handler(number) }
        }
    }

    public func makeSignal(_ raised: @escaping () -> Void) -> any LoopSignal {
        let id = UInt64(signals.count)
        signals[id] = raised
        return ReactorSignal(id: id, wakeUp: wakeUp)
    }

    private func signalsRaised() {
        for id in wakeUp.takeAll() { signals[id]?() }
    }

    private func dispatch(_ count: Int) {
        for index in 0..<count {
            let fd = linux_epoll_fd(ready + index)
            guard let watch = watches[fd], watch.addedInRound != round else { continue }
            watch.handler(FileEvents(rawValue: ready[index].events))
        }
    }
}
