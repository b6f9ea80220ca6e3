import Ports
import TestKit
import Testing
import TrackerModel
import TrackerRuntime

@Suite("Manual reactor")
struct ManualReactorTests {
    @Test("Due timers fire in deadline, then insertion order, with now at each deadline")
    func order() {
        let reactor = ManualReactor()
        var fired: [String] = []
        for (name, millis) in [("c", 30), ("a", 10), ("b1", 20), ("b2", 20)] as [(String, Int64)] {
            reactor.schedule(at: Instant(millis: millis), toleranceMillis: 500) {
                fired.append("\(name)@\(reactor.now.millis)")
            }
        }
        reactor.advance(byMillis: 25)
        #expect(fired == ["a@10", "b1@20", "b2@20"])
        #expect(reactor.now == Instant(millis: 25))
        reactor.advance(byMillis: 5)
        #expect(fired.last == "c@30")
    }

    @Test("A timer scheduled by a timer fires in the same advance when it is due")
    func nested() {
        let reactor = ManualReactor()
        var ticks: [Int64] = []
        func tick() {
            ticks.append(reactor.now.millis)
            reactor.schedule(at: reactor.now.advanced(byMillis: 100), toleranceMillis: 0, tick)
        }
        tick()
        reactor.advance(byMillis: 350)
        #expect(ticks == [0, 100, 200, 300])
    }

    @Test("An alarm that is set again, cancelled or let go does not fire for what it was set to before")
    func alarm() {
        let reactor = ManualReactor()
        var fired: [String] = []
        var alarm: Alarm? = Alarm(reactor)
        alarm?.set(at: Instant(millis: 10), toleranceMillis: 0) { fired.append("first") }
        alarm?.set(afterMillis: 20, toleranceMillis: 0) { fired.append("second@\(reactor.now.millis)") }
        #expect(alarm?.isSet == true && alarm?.deadline == Instant(millis: 20))
        reactor.advance(byMillis: 30)
        #expect(fired == ["second@20"])
        #expect(alarm?.isSet == false && alarm?.deadline == .never)
        alarm?.set(afterMillis: 10, toleranceMillis: 0) { fired.append("cancelled") }
        alarm?.cancel()
        alarm?.set(afterMillis: 10, toleranceMillis: 0) { fired.append("never") }
        alarm?.set(at: .never, toleranceMillis: 0) { fired.append("never") }
        #expect(alarm?.isSet == false)
        alarm?.set(afterMillis: 10, toleranceMillis: 0) { fired.append("let go") }
        alarm = nil
        reactor.advance(byMillis: 100)
        #expect(fired == ["second@20"])
    }

    @Test("What an alarm calls may set it again")
    func alarmAgain() {
        let reactor = ManualReactor()
        let alarm = Alarm(reactor)
        var ticks: [Int64] = []
        func tick() {
            ticks.append(reactor.now.millis)
            alarm.set(afterMillis: 100, toleranceMillis: 0, tick)
        }
        tick()
        reactor.advance(byMillis: 350)
        #expect(ticks == [0, 100, 200, 300])
    }

    @Test("A cancelled timer does not fire, and cancelling again is nothing")
    func cancel() {
        let reactor = ManualReactor()
        var count = 0
        let timer = reactor.schedule(at: Instant(millis: 10), toleranceMillis: 0) { count += 1 }
        reactor.cancel(timer)
        reactor.cancel(timer)
        reactor.advance(byMillis: 50)
        #expect(count == 0 && reactor.timerCount == 0)
    }

    @Test("A signal is delivered once however often it is raised, and the wall clock runs along")
    func signal() {
        let reactor = ManualReactor(wall: .init(time: UTCTime(millis: 1_000), trust: .estimated))
        var heard = 0
        let signal = reactor.makeSignal { heard += 1 }
        signal.raise()
        signal.raise()
        reactor.advance(byMillis: 10)
        reactor.advance(byMillis: 10)
        #expect(heard == 1)
        #expect(reactor.wall.time == UTCTime(millis: 1_020))
    }
}
