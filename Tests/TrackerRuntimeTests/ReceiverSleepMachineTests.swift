import GNSSCodecs
import Ports
import TestKit
import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Sending the receiver to sleep, and calling it")
struct ReceiverSleepMachineTests {
    /// The machine on a clock in milliseconds.
    private struct Bench {
        var machine = ReceiverSleepMachine()
        var now: Int64 = 0
        var actions: [ReceiverSleepMachine.Action] = []

        mutating func send(_ event: ReceiverSleepMachine.Event) {
            machine.handle(event, at: Instant(millis: now), into: &actions)
        }

        /// Lets time go on; `talks`: with a frame every 500 ms.
        mutating func run(_ millis: Int64, talks: Bool = false) {
            let end = now + millis
            while now < end {
                now += 100
                if talks, now % 500 == 0 { send(.heard) }
                if machine.deadline <= Instant(millis: now) { send(.timerFired) }
            }
        }
    }

    @Test("What falls silent sleeps; what talks on is told three times, and then left on")
    func sleep() {
        var obedient = Bench()
        obedient.send(.restOrdered(wakesAt: .never))
        obedient.run(1_000, talks: true)
        obedient.run(2_000)
        #expect(obedient.machine.state == .asleep && obedient.actions == [.sendSleep])
        var stubborn = Bench()
        stubborn.send(.restOrdered(wakesAt: .never))
        stubborn.run(10_000, talks: true)
        #expect(stubborn.machine.state == .awake)
        #expect(stubborn.actions == [.sendSleep, .sendSleep, .sendSleep, .refused])
    }

    @Test("It is called every second, after ten calls every ten, until it is heard")
    func call() {
        var bench = Bench()
        bench.send(.restOrdered(wakesAt: .never))
        bench.run(5_000)
        bench.actions = []
        bench.send(.wakeOrdered(isCertain: true))
        bench.run(9_900)
        #expect(bench.actions == (1...10).map { .call($0) })
        bench.run(30_000)
        #expect(bench.actions.count == 13)
        bench.send(.heard)
        bench.run(20_000)
        #expect(bench.actions.count == 14 && bench.actions.last == .spoke)
    }

    @Test("Who may be awake is not called before he had the time to speak")
    func uncertain() {
        var bench = Bench()
        bench.send(.wakeOrdered(isCertain: false))
        bench.run(1_500, talks: true)
        #expect(bench.actions == [.spoke])
    }

    @Test("Called while it falls asleep, what it said before counts for nothing")
    func tail() {
        var bench = Bench()
        bench.send(.restOrdered(wakesAt: .never))
        bench.run(200)
        bench.send(.wakeOrdered(isCertain: true))
        bench.run(600, talks: true)
        #expect(!bench.actions.contains(.spoke))
        bench.run(3_000)
        #expect(bench.actions.count { if case .call = $0 { true } else { false } } >= 3)
        bench.send(.heard)
        #expect(bench.actions.last == .spoke)
    }

    @Test("What wakes by itself is sent to sleep again, five times in a rest")
    func ownWakes() {
        var bench = Bench()
        bench.send(.restOrdered(wakesAt: .never))
        for number in 1...6 {
            bench.run(5_000)
            bench.send(.heard)
            #expect((bench.actions.last == .wokeByItself(isEarly: true)) == (number <= 5))
            if number <= 5 { bench.send(.restOrdered(wakesAt: .never)) }
        }
        #expect(bench.actions.last == .refused)
        bench.send(.restOrdered(wakesAt: .never))
        bench.run(5_000)
        bench.send(.heard)
        #expect(bench.actions.last == .wokeByItself(isEarly: true))
    }

    @Test("One that wakes at the time it was told, or some seconds before by its own clock, is not restless")
    func ownTime() {
        var bench = Bench()
        for _ in 1...20 {
            bench.send(.restOrdered(wakesAt: Instant(millis: bench.now + 60_000)))
            bench.run(58_000)
            bench.send(.heard)
            #expect(bench.actions.last == .wokeByItself(isEarly: false))
        }
        bench.send(.restOrdered(wakesAt: Instant(millis: bench.now + 60_000)))
        bench.run(50_000)
        bench.send(.heard)
        #expect(bench.actions.last == .wokeByItself(isEarly: true) && bench.machine.ownWakes == 1)
    }

    @Test("The command fits control and family")
    func commands() {
        let m8 = ReceiverIdentity(family: .ublox, protocolVersion: 1_800)
        let mtk = ReceiverIdentity(family: .mtk)
        let airoha = ReceiverIdentity(family: .quectel)
        #expect(ReceiverPowerControl.ubx.sleep(m8, wakesAfterMillis: 1_500_000).map(\.bytes.count) == [24])
        #expect(ReceiverPowerControl.ubx.sleep(nil, wakesAfterMillis: nil).map(\.bytes.count) == [16])
        #expect(ReceiverPowerControl.mtk.sleep(mtk, wakesAfterMillis: nil) == [.mtkStandby])
        #expect(ReceiverPowerControl.pair.sleep(airoha, wakesAfterMillis: nil) == [.pairLockSleep, .pairStop])
        for (control, other) in [
            (ReceiverPowerControl.ubx, mtk), (.mtk, m8), (.mtk, airoha), (.pair, mtk), (.none, m8), (.gpio, m8),
        ] {
            #expect(control.sleep(other, wakesAfterMillis: nil).isEmpty)
        }
        let calls = [1, 5, 6].map { String(decoding: ReceiverPowerControl.pair.call($0), as: UTF8.self) }
        #expect(calls == ["$PAIR002*38\r\n", "$PAIR002*38\r\n", "$PAIR004*3E\r\n"])
    }

    @Test("While the receiver rests its finder neither hunts nor complains; then it begins with the last good speed")
    func finder() {
        var finder = ReceiverFinder(fixedBaud: nil, lastGood: 115_200)
        var actions: [ReceiverFinder.Action] = []
        finder.handle(.started, at: .zero, into: &actions)
        finder.handle(.opened(candidates: 1), at: .zero, into: &actions)
        finder.handle(.bytes(frames: 2), at: Instant(millis: 500), into: &actions)
        finder.handle(.rested, at: Instant(millis: 1_000), into: &actions)
        actions = []
        #expect(finder.deadline == .never)
        finder.handle(.bytes(frames: 3), at: Instant(millis: 1_200), into: &actions)
        finder.handle(.lost, at: Instant(millis: 9_000), into: &actions)
        #expect(actions.isEmpty && !finder.isLocked)
        var other = finder
        finder.handle(.woken(isOpen: true), at: Instant(millis: 900_000), into: &actions)
        #expect(actions == [.setBaud(115_200)])
        actions = []
        other.handle(.woken(isOpen: false), at: Instant(millis: 900_000), into: &actions)
        #expect(actions == [.open(candidate: 0, baud: 115_200)])
    }

    @Test("The power of a receiver behind gpsd is not ours; other values are refused with a list")
    func configuration() {
        func problems(_ entries: [(String, String)]) -> [String] {
            do throws(ConfigFailure) {
                _ = try ConfigTable.resolve(
                    entries.enumerated().map { ConfigEntry(path: $1.0, text: $1.1, line: $0 + 1) })
                return []
            } catch { return error.problems.map(\.message) }
        }
        #expect(problems([("gnss.powerControl", "ubx"), ("service.backstopIntervalMin", "5")]).isEmpty)
        let behind = problems([("gnss.device", "gpsd://localhost"), ("gnss.powerControl", "ubx")])
        #expect(behind.first?.contains("gpsd") == true)
        #expect(problems([("gnss.powerControl", "off")]).first?.contains("none, ubx, mtk, pair, gpio") == true)
        #expect(problems([("gnss.powerControl", "gpio")]).first?.contains("gnss.powerLine") == true)
        #expect(problems([("gnss.powerControl", "gpio"), ("gnss.powerLine", "GPIO5")]).isEmpty)
        #expect(problems([("service.backstopIntervalMin", "4")]).count == 1)
    }
}
