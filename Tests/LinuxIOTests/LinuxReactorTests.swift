import CLinux
import Glibc
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("The loop")
struct LinuxReactorTests {
    @Test("Timers fire in deadline order, never early", arguments: [1.0, 7.3, 100, 1_000])
    func timersInOrder(scale: Double) throws {
        let reactor = try LinuxReactor(timeScale: scale)
        let start = reactor.now
        var fired: [Int64] = []
        var early: [Int64] = []
        // 30 real milliseconds apart at most, whatever the scale; deadlines that no rounding meets exactly.
        let step = Int64(10 * scale)
        for factor in [Int64(3), 1, 2, 1] {
            let deadline = start.advanced(byMillis: factor * step).advanced(byNanos: 333)
            reactor.schedule(at: deadline, toleranceMillis: 0) {
                if reactor.now < deadline { early.append(factor) }
                fired.append(factor)
                if fired.count == 4 { reactor.stop() }
            }
        }
        try Loop.run(reactor)
        #expect(fired == [1, 1, 2, 3])
        #expect(early == [])
    }

    @Test("A hundred simulated seconds pass in one real second or not much more")
    func scaledPace() throws {
        let reactor = try LinuxReactor(timeScale: 100)
        let start = reactor.now
        let realStart = System.bootMillis()
        let wallStart = reactor.wall.time
        reactor.schedule(at: start.advanced(byMillis: 20_000), toleranceMillis: 0) { reactor.stop() }
        try Loop.run(reactor)
        let real = System.bootMillis() - realStart
        #expect(real >= 199 && real < 10_000, "\(real) ms")
        #expect(reactor.now.millis(since: start) >= 20_000)
        #expect(reactor.wall.time.millis - wallStart.millis >= 19_999)
    }

    @Test("Timers whose tolerances overlap share one wake-up, in deadline order")
    func sharedWakeUp() throws {
        let reactor = try LinuxReactor()
        let start = reactor.now
        var fired: [String] = []
        reactor.schedule(at: start.advanced(byMillis: 20), toleranceMillis: 500) { fired.append("second") }
        reactor.schedule(at: start.advanced(byMillis: 10), toleranceMillis: 500) { fired.append("first") }
        reactor.schedule(at: start.advanced(byMillis: 60), toleranceMillis: 0) {
            fired.append("third")
            reactor.stop()
        }
        try Loop.run(reactor)
        #expect(fired == ["first", "second", "third"])
        #expect(reactor.wakeUps == 1)
    }

    @Test("A timer cancelled by one that fires before it stays silent")
    func cancelWhileFiring() throws {
        let reactor = try LinuxReactor()
        var fired: [Int] = []
        var second: TimerID?
        reactor.schedule(at: .zero, toleranceMillis: 0) {
            fired.append(1)
            if let second { reactor.cancel(second) }
        }
        second = reactor.schedule(at: .zero, toleranceMillis: 0) { fired.append(2) }
        reactor.schedule(at: .zero, toleranceMillis: 0) {
            fired.append(3)
            reactor.stop()
        }
        try Loop.run(reactor)
        #expect(fired == [1, 3])
    }

    @Test("A timer scheduled while firing, and not due, waits for its time")
    func scheduledWhileFiring() throws {
        let reactor = try LinuxReactor()
        var rounds: [Int64] = []
        reactor.schedule(at: .zero, toleranceMillis: 0) {
            rounds.append(reactor.wakeUps)
            reactor.schedule(at: reactor.now.advanced(byMillis: 5), toleranceMillis: 0) {
                rounds.append(reactor.wakeUps)
                reactor.stop()
            }
        }
        try Loop.run(reactor)
        #expect(rounds.count == 2 && rounds[0] < rounds[1])
    }

    @Test("A timer that keeps scheduling itself in the past leaves descriptors their turn")
    func noStarvation() throws {
        let reactor = try LinuxReactor()
        let signal = reactor.makeSignal { reactor.stop() }
        var count = 0
        func again() {
            count += 1
            if count == 100 { signal.raise() }
            if count < 1_000_000 { reactor.schedule(at: .zero, toleranceMillis: 0, again) }
        }
        reactor.schedule(at: .zero, toleranceMillis: 0, again)
        try Loop.run(reactor)
        #expect(count >= 100 && count < 1_000)
    }

    @Test("An idle loop sleeps: no wake-ups without cause")
    func idle() throws {
        let reactor = try LinuxReactor()
        try Loop.idle(reactor, millis: 100)
        #expect(reactor.wakeUps == 1, "only the timer that ends the test")
    }

    @Test("Time never moves back")
    func monotone() throws {
        let reactor = try LinuxReactor(timeScale: 3.7)
        var last = reactor.now
        for _ in 0..<10_000 {
            let now = reactor.now
            #expect(now >= last)
            last = now
        }
    }

    @Test("A handler removed by another of the same wake-up is not called")
    func removedDuringDispatch() throws {
        let reactor = try LinuxReactor()
        let pair = [try FilledPipe(), try FilledPipe()]
        var called: [Int] = []
        for (index, pipe) in pair.enumerated() {
            try reactor.watch(pipe.reader, for: .readable) { _ in
                called.append(index)
                reactor.unwatch(pair[1 - index].reader)
                reactor.unwatch(pipe.reader)
            }
        }
        try Loop.idle(reactor, millis: 50)
        #expect(called.count == 1)
    }

    @Test("An event of a closed descriptor does not reach the one that took its number")
    func reusedNumber() throws {
        let reactor = try LinuxReactor()
        let first = try FilledPipe()
        let second = try FilledPipe()
        let quiet = try FilledPipe(isFilled: false)
        var wrong = 0
        for (own, other) in [(first, second), (second, first)] {
            try reactor.watch(own.reader, for: .readable) { _ in
                reactor.unwatch(own.reader)
                reactor.unwatch(other.reader)
                // The other's number now names a pipe with nothing in it.
                dup2(quiet.reader, other.reader)
                _ = try? reactor.watch(other.reader, for: .readable) { _ in wrong += 1 }
            }
        }
        try Loop.idle(reactor, millis: 50)
        #expect(wrong == 0)
    }

    @Test("Raises from other threads wake the loop and coalesce")
    func signals() throws {
        let reactor = try LinuxReactor()
        var counts = [0, 0]
        let first = reactor.makeSignal { counts[0] += 1 }
        let second = reactor.makeSignal {
            counts[1] += 1
            reactor.stop()
        }
        let worker = Worker {
            for _ in 0..<1_000 { first.raise() }
            return true
        }
        _ = worker.wait()
        second.raise()
        try Loop.run(reactor)
        #expect(counts == [1, 1])
    }

    @Test("Values posted by a worker arrive, all of them, in order")
    func mailbox() throws {
        let reactor = try LinuxReactor()
        var taken: [Int] = []
        var mailbox: Mailbox<Int>?
        let signal = reactor.makeSignal {
            taken += mailbox?.takeAll() ?? []
            if taken.count == 5_000 { reactor.stop() }
        }
        let box = Mailbox<Int>(signal: signal)
        mailbox = box
        let worker = Worker {
            for value in 0..<5_000 { box.post(value) }
            return true
        }
        try Loop.run(reactor)
        _ = worker.wait()
        #expect(taken == Array(0..<5_000))
    }

    @Test("A raise after the reactor is gone is harmless")
    func lateRaise() throws {
        var reactor: LinuxReactor? = try LinuxReactor()
        let signal = try #require(reactor?.makeSignal {})
        reactor = nil
        signal.raise()
    }

    @Test("A signal of the process is a call on the loop")
    func processSignal() throws {
        let reactor = try LinuxReactor()
        var seen: [Int32] = []
        // SIGURG, because it does nothing where it is not blocked; sent to this thread, which blocks it.
        try reactor.onProcessSignals([SIGURG]) {
            seen.append($0)
            reactor.stop()
        }
        pthread_kill(pthread_self(), SIGURG)
        try Loop.run(reactor)
        #expect(seen == [SIGURG])
    }

    @Test("Watching again replaces events and handler")
    func rewatch() throws {
        let reactor = try LinuxReactor()
        let pipe = try FilledPipe()
        var calls: [String] = []
        try reactor.watch(pipe.reader, for: .readable) { _ in calls.append("old") }
        try reactor.watch(pipe.reader, for: .readable) { _ in
            calls.append("new")
            reactor.stop()
        }
        try Loop.run(reactor)
        #expect(calls == ["new"])
    }
}

/// A pipe with a byte in it.
private final class FilledPipe {
    let reader: Int32
    let writer: Int32

    init(isFilled: Bool = true) throws {
        var ends: [Int32] = [0, 0]
        try System.call("pipe") { pipe(&ends) }
        reader = ends[0]
        writer = ends[1]
        if isFilled { _ = try System.write(writer, [1]) }
    }

    deinit {
        System.close(reader)
        System.close(writer)
    }
}
