import Testing
import TrackerModel

@testable import SyncEngine

@Suite("The state of the link")
struct LinkMachineTests {
    private func fresh() -> LinkMachine { LinkMachine(isMetered: { $0.hasPrefix("wwan") }) }

    @Test("A route makes it up, a lost carrier or route down, and what a modem says tells why")
    func states() {
        var machine = fresh()
        let rows: [(LinkReading, LinkState)] = [
            (LinkReading(), .down), (LinkReading(route: "eth0"), .up(LinkPath("eth0"))),
            (LinkReading(route: "eth0", hasCarrier: false), .down),
            (LinkReading(modem: ModemReading(.none)), .noService),
            (LinkReading(modem: ModemReading(.registering, quality: 20)), .registering),
            (LinkReading(modem: ModemReading(.registered, quality: 20)), .down),
            (
                LinkReading(route: "wwan0", modem: ModemReading(.registered, quality: 130)),
                .up(LinkPath("wwan0", isMetered: true, quality: 100))
            ),
        ]
        for (reading, expected) in rows {
            machine.read(reading, at: .zero)
            #expect(machine.state == expected, "\(reading)")
        }
    }

    @Test("A modem's quality says nothing of another interface")
    func otherInterface() {
        var machine = fresh()
        machine.read(LinkReading(route: "wlan0", modem: ModemReading(.registered, quality: 5)), at: .zero)
        #expect(machine.state == .up(LinkPath("wlan0")))
        let named = ModemReading(.registered, interface: "wwan1", quality: 5)
        machine.read(LinkReading(route: "wwan0", modem: named), at: .zero)
        #expect(machine.state == .up(LinkPath("wwan0", isMetered: true)))
    }

    @Test("Three exchanges that nobody answers make it captive; an answer, or another route, end that")
    func captive() {
        var machine = fresh()
        let path = LinkPath("eth0")
        machine.read(LinkReading(route: "eth0"), at: .zero)
        for expected in [LinkState.up(path), .up(path), .captive(path), .captive(path)] {
            machine.exchangeFinished(.unanswered, at: .zero)
            #expect(machine.state == expected)
        }
        machine.read(LinkReading(route: "eth0"), at: .zero)
        #expect(machine.state == .captive(path), "a look at the same route proves nothing")
        machine.exchangeFinished(.reached, at: .zero)
        #expect(machine.state == .up(path))
        machine.exchangeFinished(.foreign, at: .zero)
        #expect(machine.state == .captive(path), "somebody else's answer is enough")
        machine.read(LinkReading(route: "wlan0"), at: .zero)
        #expect(machine.state == .up(LinkPath("wlan0")))
        machine.exchangeFinished(.foreign, at: .zero)
        machine.read(LinkReading(route: "wlan0", hasCarrier: false), at: .zero)
        machine.read(LinkReading(route: "wlan0"), at: .zero)
        #expect(machine.state == .up(LinkPath("wlan0")), "the cable was elsewhere meanwhile")
    }

    @Test("Since when: from its first reading, and not from a change of quality")
    func since() {
        var machine = fresh()
        #expect(machine.since == nil)
        machine.read(LinkReading(), at: Instant(millis: 5))
        #expect(machine.since == Instant(millis: 5))
        for (millis, quality) in [(10, 50), (20, 10)] as [(Int64, Int)] {
            machine.read(
                LinkReading(route: "wwan0", modem: ModemReading(.registered, quality: quality)),
                at: Instant(millis: millis))
        }
        #expect(machine.since == Instant(millis: 10) && machine.state.path?.quality == 10)
        machine.exchangeFinished(.foreign, at: Instant(millis: 30))
        #expect(machine.since == Instant(millis: 30))
    }

    @Test("Two sources make one reading: the first that sees a route, the first that has a modem")
    func merged() {
        let kernel = LinkReading(route: "wwan0", hasCarrier: false)
        let modem = LinkReading(modem: ModemReading(.registered, quality: 40))
        let both = LinkReading(route: "wwan0", hasCarrier: false, modem: modem.modem)
        #expect(kernel.completed(by: modem) == both && modem.completed(by: kernel) == both)
        #expect(kernel.completed(by: LinkReading(route: "eth0")) == kernel)
    }
}

@Suite("The radio's time")
struct RadioMeterTests {
    @Test("An exchange counts with its tail; one within that tail adds only what is new")
    func tails() {
        var meter = RadioMeter()
        func use(_ from: Int64, _ to: Int64) -> [Int64] {
            let used = meter.used(from: Instant(millis: from), to: Instant(millis: to))
            return [used.isNewSession ? 1 : 0, used.millis]
        }
        #expect(use(100_000, 102_000) == [1, 12_000])
        #expect(use(102_000, 103_000) == [0, 1_000])
        #expect(use(113_000, 113_500) == [0, 10_500], "it began with the last moment of the tail")
        #expect(use(123_501, 123_501) == [1, 10_000])
    }
}
