import DeviceSimulator
import ModemControl
import Testing
import TrackerModel

/// Bringing up and mending, against a modem that fails on request (spec power §5, F-68).
struct ModemMachineTests {
    private func bench(
        _ faults: Set<SimulatedModem.Fault> = [], cure: SimulatedModem.Cure = .never, hasPowerControl: Bool = true
    ) -> ModemBench {
        var options = SimulatedModem.Options()
        options.faults = faults
        options.cure = cure
        return ModemBench(options, hasPowerControl: hasPowerControl)
    }

    @Test("A modem that is wanted is up within its limits, with SIM, network and signal known")
    func bringUp() {
        var bench = bench()
        #expect(bench.report.stage == .off)
        bench.give(.wanted(true))
        bench.run(seconds: 20)
        #expect(bench.report.stage == .up)
        bench.run(seconds: 200)
        #expect(bench.report.sim == .ready)
        #expect(bench.report.registration == .home)
        #expect(bench.report.quality == 58)
        #expect(bench.report.network == "Simulated")
        #expect(bench.report.fault == nil)
        #expect(bench.remedies.isEmpty)
        #expect(bench.modem.boots == 1)
    }

    @Test(
        "Each stage that fails has its own name when its limit is over",
        arguments: [
            (SimulatedModem.Fault.hang, ModemReport.Fault.silent, 11), (.simAbsent, .simAbsent, 24),
            (.simLocked, .simLocked, 12), (.noCoverage, .notRegistered, 130), (.denied, .denied, 130),
            (.bearerLost, .noRoute, 75),
        ])
    func namedFailure(fault: SimulatedModem.Fault, name: ModemReport.Fault, seconds: Int) {
        var bench = bench([fault])
        bench.give(.wanted(true))
        bench.run(seconds: Int64(seconds))
        #expect(bench.report.fault == name)
        #expect(bench.report.stage != .up)
        #expect(!name.remedy.isEmpty)
    }

    @Test("A modem without a port is named as that, and found when it comes")
    func noPort() {
        var bench = bench(hasPowerControl: false)
        bench.modem.setPower(false, at: bench.now)
        bench.give(.wanted(true))
        bench.run(seconds: 15)
        #expect(bench.report.fault == .noPort)
        bench.modem.setPower(true, at: bench.now)
        bench.run(seconds: 40)
        #expect(bench.report.stage == .up)
        #expect(bench.report.fault == nil)
    }

    @Test("A slow modem, and one that knows no LTE, come up too", arguments: [SimulatedModem.Fault.slow, .noLTE])
    func oddButUsable(fault: SimulatedModem.Fault) {
        var bench = bench([fault])
        bench.give(.wanted(true))
        bench.run(seconds: 200)
        #expect(bench.report.stage == .up)
        // The route alone makes it up: these say that it was understood, too.
        #expect(bench.report.quality == 58)
        #expect(bench.report.registration == .home)
    }

    @Test("A lost route is mended by reconnecting after a minute, and that is all")
    func reconnect() throws {
        var bench = bench(cure: .reconnect)
        bench.give(.wanted(true))
        bench.run(seconds: 60)
        #expect(bench.report.stage == .up)
        bench.modem.options.faults = [.bearerLost]
        let lost = bench.now
        bench.run(seconds: 90)
        #expect(bench.remedies.map(\.remedy) == [.reconnect])
        let first = try #require(bench.remedies.first)
        #expect((60_000...61_000).contains(first.at.millis(since: lost)))
        #expect(bench.report.stage == .up)
        bench.run(seconds: 7_200)
        #expect(bench.remedies.count == 1)
    }

    @Test("Reconnecting failed: a reset 5 min later; that failed: a power cycle after 30 min more")
    func escalation() {
        var bench = bench(cure: .powerCycle)
        bench.give(.wanted(true))
        bench.run(seconds: 60)
        bench.modem.options.faults = [.bearerLost]
        let lost = bench.now
        bench.run(seconds: 2_400)
        #expect(bench.remedies.map(\.remedy) == [.reconnect, .reset, .powerCycle])
        let minutes = bench.remedies.map { $0.at.millis(since: lost) / 60_000 }
        #expect(minutes == [1, 6, 36])
        #expect(bench.report.stage == .up)
        #expect(bench.report.remedy == nil)
        #expect(bench.report.powerCycles == 1)
    }

    @Test("A hung modem is reset blindly and comes back", arguments: [SimulatedModem.Cure.reset, .powerCycle])
    func hung(cure: SimulatedModem.Cure) {
        var bench = bench(cure: cure)
        bench.give(.wanted(true))
        bench.run(seconds: 60)
        bench.modem.options.faults = [.hang]
        bench.run(seconds: 2_700)
        #expect(bench.report.stage == .up)
    }

    @Test("F-68: at most six power cycles a day, then resets, for days")
    func dailyCap() {
        var bench = bench([.bearerLost])
        bench.give(.wanted(true))
        bench.run(seconds: 3 * 86_400)
        let cycles = bench.remedies.filter { $0.remedy == .powerCycle }.map(\.at)
        for at in cycles {
            let within = cycles.filter { $0 >= at && $0.millis(since: at) < 86_400_000 }
            #expect(within.count <= 6)
        }
        #expect(cycles.count == 18)
        #expect(bench.remedies.contains { $0.remedy == .reset })
        #expect(bench.modem.boots == 19)
    }

    @Test("Power cycles of an earlier run count")
    func earlierCycles() {
        let now = Instant(millis: 1_000)
        let earlier = (1...6).map { now.advanced(byMillis: -Int64($0) * 600_000) }
        var machine = ModemMachine(ModemConfig(hasPowerControl: true), powerCycledAt: earlier, at: now)
        #expect(machine.report.powerCycles == 6)
        _ = machine.handle(.wanted(true), at: now)
        var at = now
        var remedies: [ModemRemedy] = []
        while at.millis(since: now) < 3_600_000 {
            at = at.advanced(byMillis: 1_000)
            for case .escalated(let remedy) in machine.handle(.timerFired, at: at) { remedies.append(remedy) }
        }
        #expect(remedies.count >= 3)
        #expect(!remedies.contains(.powerCycle))
    }

    @Test("Three exchanges without an answer are a lost route although one is there; an answer ends the trouble")
    func unanswered() {
        var bench = bench()
        bench.give(.wanted(true))
        bench.run(seconds: 60)
        for _ in 0..<2 { bench.give(.exchanged(isAnswered: false)) }
        bench.run(seconds: 120)
        #expect(bench.remedies.isEmpty)
        bench.give(.exchanged(isAnswered: false))
        #expect(bench.report.fault == .noAnswer)
        bench.run(seconds: 90)
        #expect(bench.remedies.map(\.remedy) == [.reconnect])
        bench.give(.exchanged(isAnswered: true))
        #expect(bench.report.fault == nil)
        bench.run(seconds: 7_200)
        #expect(bench.remedies.count == 1)
    }

    @Test("Nobody wants it: off 10 s later, and not before; wanted again within that time it stays")
    func off() {
        var bench = bench()
        bench.give(.wanted(true))
        bench.run(seconds: 60)
        bench.give(.wanted(false))
        bench.run(seconds: 9)
        #expect(bench.modem.isPowered)
        bench.give(.wanted(true))
        bench.run(seconds: 60)
        #expect(bench.modem.isPowered)
        bench.give(.wanted(false))
        bench.run(seconds: 11)
        #expect(!bench.modem.isPowered)
        #expect(bench.report.stage == .off)
        let before = bench.wakeUps
        bench.run(seconds: 86_400)
        #expect(bench.wakeUps == before)
    }

    @Test("A modem that nobody here switches is left to the host")
    func unmanaged() {
        var bench = bench(hasPowerControl: false)
        bench.give(.wanted(true))
        bench.run(seconds: 60)
        bench.give(.wanted(false))
        bench.run(seconds: 60)
        #expect(bench.modem.isPowered)
        bench.modem.options.faults = [.bearerLost]
        bench.run(seconds: 86_400)
        #expect(!bench.remedies.contains { $0.remedy == .powerCycle })
        #expect(bench.modem.boots == 1)
    }

    @Test("While the link is up the modem costs a wake-up a minute or two")
    func quiet() {
        var bench = bench()
        bench.give(.wanted(true))
        bench.run(seconds: 60)
        let before = bench.wakeUps
        bench.run(seconds: 3_600)
        #expect(bench.wakeUps - before <= 70)
    }

    @Test("Any bytes at any time are survived (seeded)")
    func noise() {
        for seed: UInt64 in 1...40 {
            var random = SeededBytes(seed)
            var bench = bench(cure: .never)
            bench.give(.wanted(true))
            for _ in 0..<300 {
                bench.give(.received(random.bytes()))
                bench.run(seconds: 1)
            }
            #expect(bench.modem.isPowered, "seed \(seed)")
        }
    }
}
