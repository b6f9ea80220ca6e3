import Testing
import TrackerModel

@testable import SyncEngine

@Suite("The uploader keeps to the policy")
struct SyncPolicyTests {
    private func metered(_ quality: Int?) -> SyncInput {
        .linkChanged(.up(LinkPath("wwan0", isMetered: true, quality: quality)))
    }

    @Test("saver: twenty rows go, nineteen wait until the oldest is four hours old")
    func batches() {
        var bench = SyncBench()
        bench.change = { $0.tier = .saver }
        bench.give(.linkChanged(.up(LinkPath("eth0"))))
        bench.oldestSince = bench.now
        for id in 1...19 { bench.commit(Int64(id)) }
        #expect(bench.requests.isEmpty)
        bench.commit(20)
        #expect(bench.sent.count == 20)
        bench.oldestSince = bench.now
        bench.commit(21)
        #expect(bench.passWait() == 14_400)
        #expect(bench.sent.count == 21)
    }

    @Test("A weak metered link is looked at every minute, and at once when it has become better by ten")
    func quality() {
        var bench = SyncBench()
        bench.give(metered(20))
        bench.oldestSince = bench.now
        bench.commit(1)
        #expect(bench.requests.isEmpty)
        #expect(bench.passWait() == 60)
        for better in [25, 29, 61] {
            #expect(bench.requests.isEmpty)
            bench.give(metered(better))
        }
        #expect(bench.sent == [1])
        bench.pass(seconds: 60)
        bench.oldestSince = bench.now
        bench.give(metered(30))
        bench.commit(2)
        bench.pass(seconds: 1_799)
        #expect(bench.sent == [1])
        bench.pass(seconds: 61)
        #expect(bench.sent == [1, 2], "half of an hour has halved the bar")
    }

    @Test("What becomes urgent goes at once; it does not go around a back-off, a halt or a clock")
    func urgent() {
        var bench = SyncBench()
        bench.change = { $0.tier = .saver }
        bench.give(metered(0))
        bench.commit(1)
        bench.give(.urgent(.fenceCrossing))
        #expect(bench.sent == [1])
        bench.commit(2)
        #expect(bench.sent == [1], "once")
        bench.server = { _ in .answered(status: 500) }
        bench.give(.urgent(.trackingGap))
        bench.give(.urgent(.trackingGap))
        #expect(bench.requests.count == 2 && bench.retries.count == 1)
        bench.server = { _ in .answered(status: 403) }
        _ = bench.passWait()
        bench.give(.urgent(.trackingGap))
        #expect(bench.requests.count == 3 && bench.machine.isHalted)
        var clockless = SyncBench(1)
        clockless.wall = .unknown
        clockless.give(.urgent(.trackingGap))
        #expect(clockless.requests.isEmpty && clockless.machine.obstacle == .clock)
        var manual = SyncBench(1) { $0.autoSync = false }
        manual.give(.urgent(.trackingGap))
        #expect(manual.requests.isEmpty)
    }

    @Test("What is urgent with nothing queued hurries the next row; what comes during an exchange goes right after it")
    func urgentLater() {
        var bench = SyncBench()
        bench.commit(1)
        bench.give(.urgent(.fenceCrossing))
        bench.commit(2)
        #expect(bench.sent == [1, 2], "in the minute of the first")
        bench.hangs = true
        bench.give(.urgent(.fenceCrossing))
        bench.commit(3)
        bench.queue.append(4)
        bench.give(.urgent(.trackingGap))
        bench.answer(.answered(status: 200))
        bench.pass(seconds: 1)
        #expect(bench.sent == [1, 2, 3, 4])
    }

    @Test("Entering critical is urgent, once")
    func critical() {
        var bench = SyncBench()
        bench.change = { $0.tier = .saver }
        bench.commit(1)
        #expect(bench.requests.isEmpty)
        bench.change = { $0.tier = .critical }
        bench.give(.conditionsChanged)
        #expect(bench.sent == [1])
        bench.commit(2)
        bench.give(.conditionsChanged)
        #expect(bench.sent == [1])
    }

    @Test("survival: the newest point, and six hours later the newest then; nothing else leaves")
    func survival() {
        var bench = SyncBench(150)
        bench.change = { $0.tier = .survival }
        bench.give(.backlogChecked)
        #expect(bench.requests == [[150]] && bench.results == [.uploaded(count: 1)])
        bench.commit(151)
        bench.give(.backlogChecked)
        #expect(bench.passWait() == 21_600)
        #expect(bench.requests == [[150], [151]])
        bench.give(.demanded)
        #expect(bench.queue.isEmpty, "the operator's sync now sends all")
    }

    @Test("survival: after a failure the retry names the six hours, and with something urgent the back-off")
    func survivalRetry() {
        var bench = SyncBench(3)
        bench.change = { $0.tier = .survival }
        bench.server = { _ in .answered(status: 500) }
        bench.give(.backlogChecked)
        #expect(bench.retries == [21_600] && bench.results == [.retry(reason: "status 500", afterMillis: 21_600_000)])
        bench.pass(seconds: 21_599)
        #expect(bench.requests.count == 1)
        bench.pass(seconds: 1)
        #expect(bench.requests.count == 2)
        bench.change = { $0.tier = .normal }
        bench.give(.conditionsChanged)
        bench.pass(seconds: 72)
        #expect(bench.requests.count > 2, "fed again, it is the back-off that is waited for")
        var urgent = SyncBench(3)
        urgent.server = bench.server
        urgent.change = { $0.tier = .survival }
        urgent.give(.urgent(.trackingGap))
        #expect(urgent.retries.first.map { $0 <= 36 } == true)
    }

    @Test("The first word on the quality of a link that has yet to settle begins nothing")
    func qualityWhileSettling() {
        var bench = SyncBench(1)
        bench.give(.linkChanged(.down))
        bench.give(.backlogChecked)
        bench.give(metered(nil))
        bench.pass(seconds: 1)
        bench.give(metered(90))
        #expect(bench.requests.isEmpty)
        bench.pass(seconds: 4)
        #expect(bench.sent == [1])
    }

    @Test("survival over a restart: the six hours are those since the last confirmation")
    func survivalRestart() {
        var bench = SyncBench(3)
        bench.change = {
            $0.tier = .survival
            $0.sinceSentMillis = 21_000_000
        }
        bench.give(.backlogChecked)
        #expect(bench.requests.isEmpty && bench.wake == bench.now.advanced(byMillis: 600_000))
    }

    @Test("shutdown: one attempt of a minute with the newest point, whatever comes of it")
    func shutdown() {
        for reply in [SyncReply.answered(status: 200), .unanswered(.timeout)] {
            var bench = SyncBench(150)
            bench.server = { _ in reply }
            bench.change = { $0.tier = .shutdown }
            var asked: [SyncSelection] = []
            var machine = bench.machine
            var dying = SyncFacts(wallTrust: .disciplined)
            dying.tier = .shutdown
            for case .send(let selection) in machine.handle(.conditionsChanged, at: bench.now, dying) {
                asked.append(selection)
            }
            for case .send(let selection) in machine.handle(.backlogChecked, at: bench.now, dying) {
                asked.append(selection)
            }
            #expect(asked == [SyncSelection(limit: 1, prefersNewest: true, timeoutSec: 60)])
            bench.give(.backlogChecked)
            for _ in 0..<3 {
                bench.pass(seconds: 86_400)
                bench.give(.backlogChecked)
                bench.give(.urgent(.fenceCrossing))
            }
            #expect(bench.requests == [[150]])
            bench.change = { _ in }
            bench.server = { _ in .answered(status: 200) }
            bench.give(.backlogChecked)
            #expect(bench.queue.isEmpty, "the battery has come back")
        }
    }

    @Test("Rule 7: a backlog goes on after its pause although too few rows or too weak a link are left")
    func sessionIsOpen() {
        var bench = SyncBench(2_010)
        bench.change = { $0.tier = .saver }
        bench.give(metered(90))
        bench.give(.backlogChecked)
        #expect(bench.sent.count == 2_000)
        bench.give(metered(5))
        bench.pass(seconds: 1)
        #expect(bench.sent.count == 2_010)
        bench.commit(3_000)
        bench.pass(seconds: 600)
        #expect(bench.sent.count == 2_010, "another session has to be worth it")
    }

    @Test("A spent budget stops a backlog at its pause, until the day is over")
    func budget() {
        var bench = SyncBench(2_010)
        bench.give(.backlogChecked)
        let midnight = bench.now.advanced(byMillis: 5_000_000)
        bench.change = { $0.spentForMillis = 5_000_000 - 1_000 }
        bench.pass(seconds: 1)
        #expect(bench.sent.count == 2_000 && bench.wake == midnight)
        bench.change = { _ in }
        bench.pass(until: midnight)
        #expect(bench.sent.count == 2_010)
    }
}
