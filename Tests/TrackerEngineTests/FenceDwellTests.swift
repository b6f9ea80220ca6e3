import TestKit
import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Fences: staying")
struct FenceDwellTests {
    /// Entered at second 50 of the epoch, to be reported after ten minutes.
    private func entered(_ bench: inout FenceBench, dwellSeconds: Int64 = 600) -> Geofence {
        let fence = bench.fence(dwellSeconds: dwellSeconds)
        bench.arm(fence)
        bench.fix(east: 0)
        return fence
    }

    @Test("A stay is reported once a visit, at entry + dwell, by the timer")
    func onTime() {
        var bench = FenceBench()
        _ = entered(&bench)
        bench.advance(1)
        bench.stay(3_000, east: 10)
        #expect(bench.told == ["enter 50.0", "dwell 650.0"])
        #expect(bench.crossings.last?.isLate == false && bench.crossings.last?.isUnverified == false)
        bench.drive(from: 10, to: 200, speedMps: 5)
        #expect(bench.kinds == [.enter, .dwell, .exit])
        bench.drive(from: -200, to: 0, speedMps: 5)
        bench.stay(700, east: 0)
        #expect(bench.kinds == [.enter, .dwell, .exit, .enter, .dwell])
    }

    @Test("A stay that ends before is none")
    func tooShort() {
        var bench = FenceBench()
        _ = entered(&bench)
        bench.advance(1)
        bench.stay(590, east: 10)
        bench.drive(from: 10, to: 200, speedMps: 20)
        bench.stay(600, east: 200)
        #expect(bench.kinds == [.enter, .exit])
    }

    @Test("A fence without a delay has no dwell, also when it had one before (E-158)")
    func without() {
        var bench = FenceBench()
        _ = entered(&bench)
        bench.advance(1)
        bench.arm(bench.fence(), latest: bench.crossings.last)
        bench.stay(1_200, east: 0)
        #expect(bench.kinds == [.enter])
    }

    @Test("Armed again, the dwell begins anew, whether it was reported or not (E-158)")
    func restartedByArming() {
        var bench = FenceBench()
        let fence = entered(&bench)
        bench.advance(1)
        bench.stay(300, east: 0)
        bench.arm(fence, latest: bench.crossings.last)
        bench.stay(599, east: 0)
        #expect(bench.kinds == [.enter])
        bench.stay(2, east: 0)
        #expect(bench.told == ["enter 50.0", "dwell 951.0"])
        bench.arm(fence, latest: bench.crossings.last)
        bench.stay(602, east: 0)
        #expect(bench.kinds == [.enter, .dwell, .dwell])
    }

    @Test(
        "Complete while the process was dead: its own time, once, when the first fix says that it still lasts (E-165)")
    func whileDead() {
        var bench = FenceBench()
        let fence = entered(&bench)
        bench.advance(120)
        var next = bench.restarted(after: 38 * 60, [fence])
        next.step(.dwellsDue(trusted: nil))
        #expect(next.kinds.isEmpty && next.fixRequests == 1)
        next.advance(25)
        next.fix(east: 5)
        #expect(next.told == ["dwell 650.0"])
        #expect(next.crossings.last?.isLate == true && next.crossings.last?.isUnverified == false)
        next.stay(1_000, east: 5)
        #expect(next.kinds == [.dwell])
        var third = next.restarted(after: 60, [fence], history: bench.crossings + next.crossings)
        third.stay(1_000, east: 5)
        #expect(third.kinds.isEmpty, "the history has it")
    }

    @Test("A restart before it is complete keeps its time (E-165)")
    func restartBefore() {
        var bench = FenceBench()
        let fence = entered(&bench)
        bench.advance(120)
        var next = bench.restarted(after: 60, [fence])
        next.step(.dwellsDue(trusted: next.utc))
        #expect(next.fixRequests == 1, "for what was crossed while off, not for the dwell")
        next.stay(500, east: 5)
        #expect(next.told == ["dwell 650.0"])
        #expect(next.crossings.last?.isLate == false)
    }

    @Test("Left during the outage: an exit and no dwell, complete or not (E-166)", arguments: [60.0, 2_280])
    func leftWhileDead(outage: Double) {
        var bench = FenceBench()
        let fence = entered(&bench)
        bench.advance(120)
        var next = bench.restarted(after: outage, [fence])
        next.step(.dwellsDue(trusted: next.utc))
        next.advance(5)
        next.stay(1_200, east: 400)
        #expect(next.kinds == [.exit])
        #expect(next.crossings.last?.isLate == true)
    }

    @Test("No fix at the check: one is asked for, and after 30 s without the stay is reported as unverified (E-167)")
    func noFix() {
        var bench = FenceBench()
        _ = entered(&bench)
        bench.advance(599)
        #expect(bench.fixRequests == 1, "at the arming")
        bench.advance(1)
        #expect(bench.fixRequests == 2)
        bench.advance(29.999)
        #expect(bench.kinds == [.enter])
        bench.advance(0.001)
        #expect(bench.told == ["enter 50.0", "dwell 650.0"])
        #expect(bench.crossings.last?.isUnverified == true && bench.crossings.last?.isLate == false)
        bench.advance(3_600)
        #expect(bench.kinds == [.enter, .dwell])
    }

    @Test("The same after a restart, when the clock can be trusted; else it waits for a fix (E-167)")
    func noFixAfterRestart() {
        var bench = FenceBench()
        let fence = entered(&bench)
        bench.advance(120)
        var next = bench.restarted(after: 38 * 60, [fence])
        next.step(.dwellsDue(trusted: nil))
        next.advance(3_600, trusted: false)
        #expect(next.kinds.isEmpty)
        next.step(.dwellsDue(trusted: next.utc))
        next.advance(30)
        #expect(next.told == ["dwell 650.0"])
        #expect(next.crossings.last?.isUnverified == true && next.crossings.last?.isLate == true)
    }

    @Test("Just beyond the line at the check, the next fixes decide")
    func onTheLine() {
        for returns in [true, false] {
            var bench = FenceBench()
            _ = entered(&bench)
            bench.advance(595)
            for east in [90.0, 96, 102, 105, 107, 108] {
                bench.fix(east: east, speedMps: 3)
                bench.advance(1)
            }
            #expect(bench.kinds == [.enter], "no fix at or after the time was inside")
            bench.drive(from: returns ? 98 : 110, to: returns ? 99 : 130, speedMps: 3)
            #expect(bench.kinds == (returns ? [.enter, .dwell] : [.enter, .exit]))
            #expect(returns || bench.crossings.last.map { $0.time.millis < FenceBench.epoch.millis + 650_000 } == true)
        }
    }

    @Test("An exit is not put before the stay that was reported")
    func exitAfterDwell() {
        var bench = FenceBench()
        _ = entered(&bench)
        bench.advance(599.5)
        bench.fix(east: 99, speedMps: 20)
        bench.advance(1)
        bench.fix(east: 119, speedMps: 20)
        #expect(bench.kinds == [.enter, .dwell, .exit])
        #expect(bench.crossings[1].time <= bench.crossings[2].time)
    }

    @Test("Two who look at the same time report it once (E-168)")
    func twice() {
        var bench = FenceBench()
        _ = entered(&bench)
        bench.advance(595)
        bench.fix(east: 0)
        bench.advance(6)
        bench.step(.dwellsDue(trusted: bench.utc))
        bench.step(.dwellsDue(trusted: nil))
        bench.fix(east: 0)
        #expect(bench.kinds == [.enter, .dwell])
    }
}
