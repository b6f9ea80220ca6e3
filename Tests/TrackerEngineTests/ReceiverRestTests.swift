import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("How deep the receiver rests (power.md §2, §3)")
struct ReceiverRestTests {
    @Test(
        "It looks every 15, 30, 60 min and 6 h by tier; in survival it is without supply where a line is wired",
        arguments: [
            (PowerTier.normal, Int64(900)), (.saver, 1_800), (.critical, 3_600), (.survival, 21_600),
        ])
    func tiers(tier: PowerTier, seconds: Int64) {
        for (sleep, hasLine) in [(ReceiverRest.standby, false), (.standby, true), (.backup, true), (nil, true)] {
            var bench = PowerBench(ReceiverPowerRules(sleep: sleep))
            bench.demand.tier = tier
            bench.demand.hasSupplyLine = hasLine
            bench.boot()
            #expect(bench.machine.rest == (sleep == nil || hasLine && tier == .survival ? .off : sleep))
            #expect(bench.machine.plan(at: bench.now)?.fixAt.millis(since: bench.machine.since) == seconds * 1_000)
        }
    }

    @Test("When the battery falls to survival while it sleeps by command, its supply is taken away, once")
    func deeper() {
        var bench = PowerBench(ReceiverPowerRules(sleep: .standby))
        bench.demand.hasSupplyLine = true
        bench.boot()
        #expect(bench.rests.count == 1)
        bench.run(to: 100)
        bench.want { $0.tier = .survival }
        #expect(bench.rests == [52, 100] && bench.machine.rest == .off)
        bench.want { $0.tier = .critical }
        #expect(bench.rests.count == 2 && bench.machine.rest == .off)
    }

    @Test("Without supply it is taken for cold, until a start with a fix before any ephemeris shows that it remembers")
    func unpowered() {
        var bench = PowerBench(ReceiverPowerRules(sleep: nil))
        bench.demand.hasSupplyLine = true
        bench.boot()
        func look(_ fixAfter: Int64) -> ReceiverStartClass {
            bench.run(to: bench.machine.deadline.millis / 1_000 + 1)
            let startClass = bench.machine.startClass
            bench.find(after: fixAfter)
            bench.run(to: bench.second + 3)
            #expect(bench.machine.state == .off)
            return startClass
        }
        #expect(look(3) == .cold)
        #expect(bench.machine.firstFixMillis(.cold) == nil && bench.machine.firstFixMillis(.hot) != nil)
        #expect(look(3) == .hot)
        // Its own supply is empty.
        #expect(look(27) == .hot)
        #expect(look(27) == .cold, "and it does not stay for an ephemeris that it would forget")
        #expect(bench.machine.firstFixMillis(.cold).map { $0 > 25_000 } == true)
    }

    @Test("Held it sleeps without a time to wake at; where its supply is cut nothing is sent")
    func held() {
        var told = PowerBench()
        told.boot()
        told.want { $0.motion = .moving }
        told.send(.held(isCut: false))
        #expect(told.actions.last?.action == .rest(.backup, wakesAfterMillis: nil) && told.machine.state == .off)
        var cut = PowerBench()
        cut.boot()
        cut.want { $0.motion = .moving }
        let count = cut.actions.count
        cut.send(.held(isCut: true))
        #expect(cut.actions.count == count && cut.machine.rest == .off && cut.machine.deadline == .never)
    }
}
