import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Power machine and boot gate")
struct PowerMachineTests {
    /// A machine with what it asked for, by the second.
    private struct Bench {
        var machine = PowerMachine(PowerConfig())
        var told: [String] = []
        private var wakesAt = Instant.never

        init(uncleanBoots: Int = 0) { send(.started(uncleanBoots: uncleanBoots), 0) }

        mutating func send(_ event: PowerEvent, _ second: Int64) {
            let now = Instant(millis: second * 1_000)
            while wakesAt <= now, event != .timerFired {
                let due = wakesAt
                wakesAt = .never
                handle(.timerFired, due)
            }
            handle(event, now)
        }

        private mutating func handle(_ event: PowerEvent, _ now: Instant) {
            var actions: [PowerAction] = []
            machine.handle(event, at: now, into: &actions)
            for action in actions {
                if case .wake(let at) = action { wakesAt = at } else { told.append("\(now.millis / 1_000) \(action)") }
            }
        }

        mutating func read(_ percent: Int?, charging: Bool? = false, sags: Bool = false, _ second: Int64) {
            let reading = BatteryReading(percent: percent, isCharging: charging)
            send(.batteryRead([reading], isUnderVoltage: sags), second)
        }

        func held(_ word: String) -> [String] { told.filter { $0.contains(word) } }
    }

    @Test("powerSaveChange only between normal and anything lower; batteryChange only when the value is another")
    func events() {
        var bench = Bench()
        for (minute, percent) in [40, 20, 20, 20, 10, 10, 10, 10].enumerated() {
            bench.read(percent, Int64(minute) * 60)
        }
        #expect(bench.held("powerSave") == ["180 powerSaveChanged(true)"])
        #expect(bench.held("tierChanged").count == 2)
        #expect(bench.held("batteryChanged").count == 3)
    }

    @Test("The operator's word counts, shows, and ends by itself")
    func override() {
        var bench = Bench()
        bench.read(80, 0)
        bench.send(.overridden(PowerOverride(tier: .critical, until: Instant(millis: 7_200_000))), 10)
        #expect(bench.machine.tier == .critical)
        bench.read(80, 7_140)
        #expect(bench.machine.tier == .critical)
        bench.read(80, 7_201)
        #expect(bench.machine.tier == .normal)
        #expect(bench.held("overrideEnded") == ["7200 overrideEnded"])
        #expect(
            bench.held("tierChanged") == [
                "10 tierChanged(TrackerModel.PowerTier.critical)",
                "7200 tierChanged(TrackerModel.PowerTier.normal)",
            ])
    }

    @Test("Only the battery's own word ends the run; a charger takes it back")
    func exhausted() {
        var bench = Bench()
        for minute in 0..<3 { bench.read(2, Int64(minute) * 60) }
        #expect(bench.held("exhausted") == ["120 exhausted"])
        bench.read(2, charging: true, 180)
        #expect(bench.held("recovered") == ["180 recovered"] && bench.machine.tier == .shutdown)
        bench.read(2, charging: true, 240)
        #expect(bench.machine.tier == .normal)
        var other = Bench()
        other.read(80, 0)
        other.send(.overridden(PowerOverride(tier: .shutdown, until: .never)), 10)
        #expect(other.machine.tier == .shutdown && other.held("exhausted").isEmpty)
    }

    @Test("A start at the survival bar powers nothing until bar + 5, and then one at a time (F-65)")
    func lowStart() {
        var bench = Bench()
        bench.read(5, 0)
        #expect(bench.machine.holdsReceiver && bench.machine.holdsModem)
        #expect(bench.machine.gateReason?.hasPrefix("battery at 5 %") == true)
        bench.read(9, 600)
        #expect(bench.machine.holdsReceiver)
        bench.read(10, 660)
        #expect(!bench.machine.holdsReceiver && bench.machine.holdsModem)
        bench.read(10, 691)
        #expect(!bench.machine.holdsModem && bench.machine.gateReason == nil)
    }

    @Test("Charging opens the gate; a battery that falls later does not close it")
    func charging() {
        var bench = Bench()
        bench.read(2, charging: true, 0)
        #expect(!bench.machine.holdsReceiver)
        var other = Bench()
        other.read(2, 0)
        other.read(2, charging: true, 60)
        #expect(!other.machine.holdsReceiver)
        var third = Bench()
        third.read(20, 0)
        third.read(5, 60)
        #expect(!third.machine.holdsReceiver)
    }

    @Test("A gauge that is awake only with its third reading still closes the gate")
    func lateGauge() {
        var bench = Bench()
        bench.read(nil, 0)
        #expect(!bench.machine.holdsReceiver)
        bench.read(4, 3)
        #expect(bench.machine.holdsReceiver && bench.machine.holdsModem)
    }

    @Test("An under-voltage at the start holds both until it is over; once is told once (E-125)")
    func underVoltage() {
        var bench = Bench()
        bench.read(nil, sags: true, 0)
        #expect(bench.machine.holdsReceiver)
        #expect(bench.machine.gateReason?.hasPrefix("under-voltage") == true)
        bench.read(nil, sags: true, 50)
        bench.read(nil, 120)
        #expect(!bench.machine.holdsReceiver)
        #expect(bench.held("underVoltage") == ["0 underVoltage"])
    }

    @Test("A gauge that dies while the gate is shut opens it: unknown is normal")
    func dying() {
        var bench = Bench()
        bench.read(3, 0)
        bench.read(nil, 240)
        #expect(bench.machine.holdsReceiver)
        bench.read(nil, 360)
        #expect(!bench.machine.holdsReceiver)
    }

    @Test("Three boots that were cut short hold both for 10 min, then the receiver, and 30 s later the modem")
    func loop() {
        var two = Bench(uncleanBoots: 2)
        two.read(50, 0)
        #expect(!two.machine.holdsReceiver)
        var bench = Bench(uncleanBoots: 3)
        bench.read(50, 599)
        #expect(bench.machine.holdsReceiver && bench.machine.gateReason?.contains("3 boots") == true)
        bench.read(50, 600)
        #expect(!bench.machine.holdsReceiver && bench.machine.holdsModem)
        bench.read(50, 629)
        #expect(bench.machine.holdsModem)
        bench.read(50, 630)
        #expect(!bench.machine.holdsModem)
    }

    @Test("Unclean boots count within 10 min of life; a clean end forgets them; the record survives as text")
    func record() throws {
        var record = BootRecord()
        for _ in 0..<3 {
            record = try #require(BootRecord(text: record.text))
            record.booted(wasClean: false)
            record.lived(byMillis: 120_000)
        }
        #expect(record.uncleanBoots == 3)
        record.lived(byMillis: 360_000)
        #expect(record.uncleanBoots == 2, "the first was more than 10 min ago")
        record.booted(wasClean: true)
        #expect(record.uncleanBoots == 0)
        #expect(BootRecord(text: "") == nil && BootRecord(text: "x 1") == nil && BootRecord(text: "1 2 3 4 5") == nil)
        #expect(BootRecord(text: "5 9")?.uncleanBoots == 0, "no boot lies ahead")
    }
}
