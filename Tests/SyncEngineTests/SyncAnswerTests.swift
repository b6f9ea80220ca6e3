import Testing
import TrackerModel

@testable import SyncEngine

@Suite("What an answer means, row by row (A-21)")
struct SyncAnswerTests {
    @Test("2xx: rows are marked, the back-off starts over, the next batch goes", arguments: [200, 201, 202, 204, 299])
    func success(status: Int) {
        var bench = SyncBench(150)
        bench.server = { _ in .answered(status: 500) }
        bench.give(.backlogChecked)
        bench.server = { _ in .answered(status: status) }
        _ = bench.passWait()
        #expect(bench.sent == Array(1...150) && bench.machine.attempts == 0)
        #expect(bench.statuses == [500, status, status])
        #expect(bench.events.last == .uploaded(count: 150))
        #expect(bench.effects.last == .save)
    }

    @Test("The event of an exchange comes before its outcome, and the rows of earlier batches stay sent")
    func order() {
        var bench = SyncBench(193) { $0.batchSize = 100 }
        bench.server = { $0.count == 100 ? .answered(status: 200) : .answered(status: 500) }
        bench.give(.backlogChecked)
        #expect(bench.sent.count == 100)
        #expect(bench.events.count == 4)
        let first: [UploadEvent] = [
            .httpResponse(status: 200, count: 100), .httpResponse(status: 500, count: 93), .uploaded(count: 100),
        ]
        #expect(Array(bench.events.prefix(3)) == first)
        #expect(bench.retries.count == 1)
    }

    @Test("401: endpoint and triggers are gone, rows kept, tracking on, one event (E-175)")
    func unauthorized() {
        var bench = SyncBench(5)
        bench.server = { _ in .answered(status: 401) }
        bench.give(.demanded)
        #expect(bench.effects == [.tearDown] && bench.queue.count == 5)
        #expect(bench.events == [.httpResponse(status: 401, count: 5), .authExpired])
        #expect(bench.results == [.authExpired] && !bench.machine.isConfigured)
        bench.give(.pointCommitted)
        bench.give(.backlogChecked)
        bench.pass(seconds: 7_200)
        bench.give(.demanded)
        #expect(bench.requests.count == 1 && bench.results.last == .notConfigured)
        var config = SyncConfig()
        config.url = "https://example.org/other"
        bench.server = { _ in .answered(status: 200) }
        bench.give(.configured(config))
        bench.give(.backlogChecked)
        #expect(bench.sent.count == 5)
    }

    @Test("401 with both switches: rows deleted, session stopped (E-176)")
    func unauthorizedWithSwitches() {
        var bench = SyncBench(5) {
            $0.wipesOnAuthExpiry = true
            $0.stopsTrackingOnAuthExpiry = true
        }
        bench.server = { _ in .answered(status: 401) }
        bench.give(.backlogChecked)
        #expect(bench.effects == [.wipeQueue, .tearDown, .stopTracking] && bench.queue.isEmpty)
    }

    @Test("401 with a credential by reference: it is read again once, and tried if it changed")
    func reread() {
        var bench = SyncBench(5) { $0.credentialFile = "/run/token" }
        bench.rereads = true
        bench.server = { _ in .answered(status: 401) }
        bench.give(.backlogChecked)
        #expect(bench.requests.count == 2 && bench.effects == [.rereadCredential, .tearDown])
        var changed = SyncBench(5) { $0.credentialFile = "/run/token" }
        changed.rereads = true
        changed.server = { _ in .answered(status: 401) }
        changed.hangs = true
        changed.give(.backlogChecked)
        changed.server = { _ in .answered(status: 200) }
        changed.answer(.answered(status: 401))
        #expect(changed.sent.count == 5 && changed.effects == [.rereadCredential])
        var same = SyncBench(5) { $0.credentialEnvironment = "TOKEN" }
        same.server = { _ in .answered(status: 401) }
        same.give(.backlogChecked)
        #expect(same.requests.count == 1 && same.effects == [.rereadCredential, .tearDown])
    }

    @Test("A status that means an unknown device to the format halts like a 403 and is reported as it came")
    func unknownDevice() {
        for status in [400, 404] {
            var bench = SyncBench(5)
            bench.server = { _ in .answered(status: status, isHalt: true) }
            bench.give(.backlogChecked)
            #expect(bench.effects == [.halt] && bench.queue.count == 5 && bench.machine.isHalted)
            #expect(bench.events.contains(.httpResponse(status: status, count: 5)))
        }
    }

    @Test("A broker's 403 may be a wrong password: a credential by reference is read once more, then it halts")
    func brokerForbidden() {
        func bench(rereads: Bool) -> SyncBench {
            var bench = SyncBench(5) {
                $0.url = "mqtts://broker.example/t"
                $0.credentialFile = "/run/token"
            }
            bench.rereads = rereads
            bench.server = { _ in .answered(status: 403) }
            bench.give(.demanded)
            return bench
        }
        let same = bench(rereads: false)
        #expect(same.requests.count == 1 && same.effects.contains(.rereadCredential) && same.effects.contains(.halt))
        #expect(same.machine.isHalted && !same.effects.contains(.tearDown) && same.queue.count == 5)
        let changed = bench(rereads: true)
        #expect(changed.requests.count == 2 && changed.machine.isHalted)
    }

    @Test("403: halt, rows kept, no request until the operator re-configures (E-178)")
    func forbidden() {
        var bench = SyncBench(5)
        bench.server = { _ in .answered(status: 403) }
        bench.give(.backlogChecked)
        #expect(bench.effects == [.halt] && bench.events.last == .forbidden && bench.queue.count == 5)
        let inputs: [SyncInput] = [.pointCommitted, .requested, .demanded, .backlogChecked, .timerFired]
        for input in inputs { bench.give(input) }
        bench.give(.linkChanged(.down))
        bench.give(.linkChanged(.up(LinkPath("eth0"))))
        bench.pass(seconds: 86_400)
        #expect(bench.requests.count == 1 && bench.wake == .never)
        var restarted = SyncBench(5, isHalted: true)
        restarted.give(.backlogChecked)
        #expect(restarted.requests.isEmpty && restarted.machine.isHalted)
    }

    @Test("The server's time counts for 408, 425, 429 and 503 (E-179)", arguments: [408, 425, 429, 503])
    func retryAfter(status: Int) {
        var bench = SyncBench(1)
        bench.server = { _ in .answered(status: status, retryAfter: "7200") }
        bench.give(.backlogChecked)
        #expect(bench.retries == [7_200], "longer than the ceiling, no jitter")
        bench.server = { _ in .answered(status: status, retryAfter: "soon") }
        #expect(bench.passWait() == 7_200)
        #expect(bench.retries.count == 2 && (48...72).contains(bench.retries[1]), "the back-off's second step")
    }

    @Test("Any other status ignores Retry-After", arguments: [404, 405, 410, 418, 500, 502, 504, 301, 307])
    func noRetryAfter(status: Int) {
        var bench = SyncBench(3)
        bench.server = { _ in .answered(status: status, retryAfter: "7200") }
        bench.give(.backlogChecked)
        #expect(bench.retries.count == 1 && (24...36).contains(bench.retries[0]) && bench.queue.count == 3)
        #expect(bench.diagnostics.contains { $0.hasPrefix("sync_redirect") } == (300..<400).contains(status))
    }

    @Test("413: halved at once down to what is taken, and not asked for more again")
    func halving() {
        var bench = SyncBench(200)
        bench.server = { .answered(status: $0.count > 10 ? 413 : 200) }
        bench.give(.backlogChecked)
        #expect(bench.requests.prefix(6).map(\.count) == [100, 50, 25, 12, 6, 9])
        while bench.wake < .never { _ = bench.passWait() }
        #expect(bench.sent == Array(1...200) && bench.quarantined.isEmpty)
        #expect(bench.requests.filter { $0.count > 10 }.count == 5, "the limit is found once")
    }

    @Test("413 for a single row: set aside, and the rest flows in full batches again (E-180)")
    func oneTooLarge() {
        var bench = SyncBench(100)
        bench.server = { .answered(status: $0.contains(37) ? 413 : 200) }
        bench.give(.backlogChecked)
        while bench.wake < .never { _ = bench.passWait() }
        #expect(bench.quarantined == [37] && bench.sent.count == 99)
        #expect(bench.events.contains(.quarantined(uuids: ["u37"], status: 413)))
    }

    @Test("One poison row is alone after at most 8 requests from the third refusal on; the rest is delivered (E-181)")
    func poison() {
        for (status, row) in [(422, 1), (422, 2), (400, 50), (422, 51), (400, 99), (422, 100)] as [(Int, Int64)] {
            var bench = SyncBench(100)
            bench.server = { .answered(status: $0.contains(row) ? status : 200) }
            bench.give(.backlogChecked)
            #expect(bench.requests.count == 1 && (24...36).contains(bench.retries[0]))
            _ = bench.passWait()
            #expect(bench.requests.count == 2)
            _ = bench.passWait()
            let alone = bench.requests.firstIndex { $0 == [row] } ?? 99
            // Known to be the one, or sent alone, whichever comes first.
            #expect(bench.requests[2..<alone].count <= 8, "row \(row): \(bench.requests.map(\.count))")
            #expect(bench.requests.filter { $0 == [row] }.count == 3)
            #expect(bench.quarantined == [row] && bench.sent.count == 99 && bench.queue.isEmpty)
            #expect(bench.events.contains(.quarantined(uuids: ["u\(row)"], status: status)))
        }
    }

    @Test("A refused record among many is parked after its tries, later ones too, and the rest flows (F-50)")
    func manyPoisonRows() {
        var bench = SyncBench(1_000)
        let bad: Set<Int64> = [3, 4, 5, 250, 777, 1_000]
        bench.server = { .answered(status: bad.isDisjoint(with: $0) ? 200 : 400) }
        bench.give(.backlogChecked)
        while bench.wake < .never { _ = bench.passWait() }
        #expect(Set(bench.quarantined) == bad && bench.sent.count == 994)
        #expect(Set(bench.sent).count == 994)
    }

    @Test("A server that refuses everything does not empty the queue: one row each growing wait")
    func allRefused() {
        var bench = SyncBench(100)
        bench.server = { _ in .answered(status: 422) }
        bench.give(.backlogChecked)
        bench.pass(seconds: 86_400)
        #expect(bench.quarantined.count < 30, "\(bench.quarantined.count) a day")
        bench.server = { _ in .answered(status: 200) }
        bench.pass(seconds: 3_600)
        #expect(bench.sent.count + bench.quarantined.count == 100)
    }

    @Test("A refusal that passes by itself sets nothing aside")
    func passingRefusal() {
        var bench = SyncBench(100)
        bench.server = { _ in .answered(status: 400) }
        bench.give(.backlogChecked)
        _ = bench.passWait()
        bench.server = { _ in .answered(status: 200) }
        _ = bench.passWait()
        #expect(bench.sent.count == 100 && bench.quarantined.isEmpty)
    }

    @Test("5xx twenty times: 30, 60, 120 … 1 800 s ± 20 %, and a success starts over (E-182)")
    func backoff() {
        var bench = SyncBench(1)
        bench.server = { _ in .answered(status: 500) }
        bench.give(.backlogChecked)
        for step in 0..<20 {
            let expected = min(30 * Double(1 << min(step, 10)), 1_800)
            bench.give(.pointCommitted)
            let waited = bench.passWait()
            #expect((expected * 0.8...expected * 1.2).contains(waited), "step \(step): \(waited) s")
        }
        #expect(bench.requests.count == 21)
        #expect(Set(bench.retries.suffix(10)).count > 3, "jitter at the ceiling too")
        bench.server = { _ in .answered(status: 200) }
        _ = bench.passWait()
        bench.queue = [2]
        bench.server = { _ in .answered(status: 500) }
        bench.give(.demanded)
        #expect((24...36).contains(bench.retries[bench.retries.count - 1]))
    }

    @Test("Two devices do not retry in step")
    func jitter() {
        var a = JitterSource(seed: "a")
        var b = JitterSource(seed: "b")
        let first = (0..<50).map { _ in a.nextPercent() }
        let second = (0..<50).map { _ in b.nextPercent() }
        #expect(first != second)
        #expect(first.allSatisfy { (-20...20).contains($0) } && Set(first).count > 10)
    }

    @Test(
        "No exchange: no status, rows kept, back-off (E-183, F-52)",
        arguments: [SyncFault.name, .connect, .timeout, .cut, .tls, .badRequest])
    func unanswered(fault: SyncFault) {
        var bench = SyncBench(1)
        bench.server = { _ in .unanswered(fault) }
        bench.give(.backlogChecked)
        #expect(bench.statuses == [nil] && bench.retries.count == 1 && bench.queue == [1])
        bench.server = { _ in .answered(status: 200) }
        _ = bench.passWait()
        #expect(bench.sent == [1])
    }

    @Test("A batch that does not get through in time is halved for the next attempt")
    func slowLink() {
        var bench = SyncBench(100)
        bench.server = { $0.count > 60 ? .unanswered(.timeout) : .answered(status: 200) }
        bench.give(.backlogChecked)
        _ = bench.passWait()
        #expect(bench.sent.count == 100 && bench.requests.map(\.count) == [100, 50, 50])
    }

    @Test("With an unset clock TLS is not tried; one that was only guessed gets its chance when it is right (E-191)")
    func clock() {
        var bench = SyncBench(1)
        bench.wall = .unknown
        bench.give(.backlogChecked)
        bench.give(.demanded)
        #expect(bench.requests.isEmpty && bench.diagnostics == ["sync_waiting_clock"])
        #expect(bench.results == [.retry(reason: "clock", afterMillis: nil)])
        bench.wall = .estimated
        bench.server = { _ in .unanswered(.tls) }
        bench.give(.backlogChecked)
        #expect(bench.requests.count == 1 && bench.diagnostics.count == 2)
        bench.server = { _ in .answered(status: 200) }
        bench.wall = .disciplined
        bench.give(.backlogChecked)
        #expect(bench.sent == [1], "at once, without waiting for the back-off")
        var plain = SyncBench(1) { $0.url = "http://10.0.0.1/points" }
        plain.wall = .unknown
        plain.give(.backlogChecked)
        #expect(plain.sent == [1])
    }
}
