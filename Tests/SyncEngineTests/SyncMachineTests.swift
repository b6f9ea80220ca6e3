import Testing
import TrackerModel

@testable import SyncEngine

@Suite("When to upload")
struct SyncMachineTests {
    @Test("The first point after quiet goes at once; later ones once per coalescing interval (E-197)")
    func coalescing() {
        var bench = SyncBench()
        for second in 0..<600 {
            bench.commit(Int64(second + 1))
            bench.pass(seconds: 1)
        }
        #expect(bench.requests.first == [1])
        #expect(bench.requests.count == 11, "one a minute")
        #expect(bench.sent == Array(1...600))
    }

    @Test("A drain sends 20 batches, yields a second, and goes on until the queue is empty (A-22: oldest first)")
    func draining() {
        var bench = SyncBench(4_320)
        bench.give(.backlogChecked)
        #expect(bench.requests.count == 20)
        #expect(bench.passWait() == 1)
        #expect(bench.requests.count == 40)
        #expect(bench.passWait() == 1)
        #expect(bench.sent == Array(1...4_320) && bench.requests.count == 44)
        #expect(bench.events.filter { if case .uploaded = $0 { true } else { false } }.count == 3)
        #expect(bench.wake == .never)
    }

    @Test("One exchange at a time; who demands another one hears that it is under way (E-195, F-53)")
    func singleFlight() {
        var bench = SyncBench(5)
        bench.hangs = true
        bench.give(.demanded)
        bench.give(.demanded)
        #expect(bench.results == [.alreadyDraining])
        bench.give(.backlogChecked)
        bench.give(.pointCommitted)
        bench.give(.timerFired)
        #expect(bench.requests.count == 1)
        bench.answer(.answered(status: 200))
        #expect(bench.results == [.alreadyDraining, .uploaded(count: 5)])
    }

    @Test("Points that come in during an exchange wait for the next interval: a drain ends")
    func duringExchange() {
        var bench = SyncBench(1)
        bench.hangs = true
        bench.give(.pointCommitted)
        bench.commit(2)
        bench.answer(.answered(status: 200))
        #expect(bench.sent == [1] && bench.requests.count == 1)
        #expect(bench.passWait() == 60)
        #expect(bench.sent == [1, 2] && bench.wake == .never)
    }

    @Test("What a demand came to: uploaded, empty, refused, halted, none configured")
    func demanded() {
        var bench = SyncBench(250)
        bench.give(.demanded)
        bench.give(.demanded)
        bench.queue = [900]
        bench.server = { _ in .answered(status: 429, retryAfter: "120") }
        bench.give(.demanded)
        #expect(
            bench.results == [
                .uploaded(count: 250), .empty, .retry(reason: "status 429", afterMillis: 120_000),
            ])
        // The operator's word goes before a wait, and leads to the next one.
        bench.give(.demanded)
        #expect(bench.requests.count == 5)
        bench.server = { _ in .answered(status: 403) }
        bench.give(.demanded)
        bench.give(.demanded)
        #expect(bench.results.suffix(2) == [.forbidden, .forbidden] && bench.requests.count == 6)
        bench.give(.configured(SyncConfig()))
        bench.give(.demanded)
        #expect(bench.results.last == .notConfigured)
    }

    @Test("A request coalesces but does not wait for a back-off; a demand waits for neither")
    func requested() {
        var bench = SyncBench(1)
        bench.server = { _ in .answered(status: 500) }
        bench.give(.pointCommitted)
        bench.give(.requested)
        #expect(bench.requests.count == 1)
        #expect(bench.passWait() == 60)
        #expect(bench.requests.count == 2)
        bench.give(.demanded)
        #expect(bench.requests.count == 3)
    }

    @Test("The health loop does not wait for the interval once the last confirmation is 960 s old")
    func overdue() {
        var bench = SyncBench { $0.coalesceMillis = 3_600_000 }
        bench.commit(1)
        bench.pass(seconds: 10)
        bench.commit(2)
        bench.pass(seconds: 900)
        bench.give(.backlogChecked)
        #expect(bench.sent == [1])
        bench.pass(seconds: 60)
        bench.give(.backlogChecked)
        #expect(bench.sent == [1, 2])
    }

    @Test("An empty drain neither delays the next point nor counts as a failure")
    func empty() {
        var bench = SyncBench()
        bench.give(.backlogChecked)
        #expect(bench.results == [.empty] && bench.wake == .never)
        bench.commit(1)
        #expect(bench.sent == [1])
    }

    @Test("Without an endpoint nothing is attempted; without autoSync only what the operator asks for")
    func off() {
        var none = SyncBench(1) { $0.url = nil }
        none.give(.pointCommitted)
        none.give(.linkChanged(.down))
        none.give(.linkChanged(.up(LinkPath("eth0"))))
        #expect(none.requests.isEmpty && none.wake == .never)
        var manual = SyncBench(1) { $0.autoSync = false }
        manual.server = { _ in .answered(status: 500) }
        for input in [SyncInput.pointCommitted, .backlogChecked, .timerFired] { manual.give(input) }
        #expect(manual.requests.isEmpty)
        manual.give(.demanded)
        #expect(manual.requests.count == 1 && manual.wake == .never, "no retry by itself either")
    }

    @Test("Without a route nothing is attempted and the back-off stands still; 5 s after it is back all is sent (F-52)")
    func offline() {
        var bench = SyncBench()
        bench.give(.linkChanged(.down))
        bench.commit(1)
        bench.pass(seconds: 3_600)
        bench.give(.demanded)
        #expect(bench.requests.isEmpty && bench.machine.obstacle == .offline && bench.machine.attempts == 0)
        #expect(bench.results == [.retry(reason: "offline", afterMillis: nil)])
        bench.give(.linkChanged(.up(LinkPath("eth0"))))
        #expect(bench.requests.isEmpty)
        #expect(bench.passWait() == 5)
        #expect(bench.sent == [1] && bench.machine.obstacle == nil)
        var indifferent = SyncBench(1) { $0.requiresNetwork = false }
        indifferent.give(.linkChanged(.down))
        indifferent.give(.backlogChecked)
        #expect(indifferent.sent == [1])
        var local = SyncBench(1) { $0.url = "http://127.0.0.1:8080/points" }
        local.give(.linkChanged(.down))
        local.give(.backlogChecked)
        #expect(local.sent == [1], "this host needs no route")
    }

    @Test("A route that comes back shortens a back-off, at most once a minute, and never the server's own time")
    func linkUp() {
        var bench = SyncBench(1)
        bench.server = { _ in .unanswered(.name) }
        bench.give(.backlogChecked)
        for _ in 0..<5 {
            bench.give(.linkChanged(.down))
            bench.give(.linkChanged(.up(LinkPath("eth0"))))
            bench.pass(seconds: 5)
        }
        #expect(bench.requests.count == 2, "the first time only, not in the minute after it")
        bench.server = { _ in .answered(status: 503, retryAfter: "7200") }
        bench.pass(seconds: 600)
        let before = bench.requests.count
        bench.give(.linkChanged(.down))
        bench.give(.linkChanged(.up(LinkPath("eth0"))))
        bench.pass(seconds: 60)
        #expect(bench.requests.count == before)
    }

    @Test("A metered link that is not wanted is used when the oldest row is a day old (E-188)")
    func metered() {
        var bench = SyncBench(1) { $0.allowsMetered = false }
        bench.give(.linkChanged(.up(LinkPath("wwan0", isMetered: true))))
        bench.oldestAgeMillis = 86_399_000
        bench.give(.backlogChecked)
        #expect(bench.requests.isEmpty && bench.machine.obstacle == .metered)
        bench.oldestAgeMillis = 86_400_000
        bench.give(.backlogChecked)
        #expect(bench.sent == [1])
    }

    @Test("newestFirst: the newest point alone, then the backlog oldest first; nothing twice (F-49)")
    func newestFirst() {
        var bench = SyncBench(250) { $0.order = .newestFirst }
        bench.give(.backlogChecked)
        #expect(bench.requests.map(\.count) == [1, 100, 100, 49])
        #expect(bench.sent == [250] + Array(1...249))
        bench.queue = [300, 301]
        bench.give(.demanded)
        #expect(bench.requests.last == [300, 301], "one batch holds them all")
    }

    @Test("A store that refuses leads to a wait, and nothing is lost")
    func storeRefused() {
        var bench = SyncBench(1)
        bench.hangs = true
        bench.give(.backlogChecked)
        bench.give(.storeRefused)
        #expect(bench.retries.count == 1 && bench.wake < .never)
    }
}
