import Ports
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("The upload queue")
struct QueueTests {
    @Test("Rows leave the queue oldest first, and only once")
    func marking() throws {
        let store = try memoryStore()
        for number in 1...5 { _ = try store.commit(sampleRecord(number)) }
        #expect(try store.pending(limit: 2).map(\.id) == [1, 2])
        try store.markSent(ids: [1, 2], stops: [], at: UTCTime(millis: 100))
        // 2 is sent already, 99 never was: both are left alone.
        try store.markSent(ids: [2, 3, 99], stops: [], at: UTCTime(millis: 200))
        #expect(try store.pending(limit: 10).map(\.id) == [4, 5])
        let times = try store.connected().rows("SELECT sync_time_ms FROM point ORDER BY id") { $0.int(0) }
        #expect(times == [100, 100, 200, 0, 0])
        #expect(
            try store.queueSummary()
                == QueueSummary(pending: 2, oldest: samplePoint(4).time, stored: 5, lastSent: UTCTime(millis: 200)))
    }

    @Test("A quarantined row is neither offered nor marked")
    func quarantined() throws {
        let store = try memoryStore()
        _ = try store.commit(sampleRecord(1))
        try store.quarantine(ids: [1, 7], reason: "futureDated")
        try store.quarantine(ids: [1], reason: "again")
        #expect(try store.pending(limit: 10).isEmpty)
        #expect(try store.queueSummary().pending == 0)
        #expect(try store.queueSummary().quarantined == 1)
        #expect(try store.connected().rows("SELECT sync_error FROM point") { $0.text(0) } == ["futureDated"])
        try store.markSent(ids: [1], stops: [], at: UTCTime(millis: 1))
        #expect(try store.connected().integer("SELECT sync_state FROM point") == 2)
    }

    @Test("An empty queue has no oldest row and was never sent")
    func empty() throws {
        let store = try memoryStore()
        #expect(try store.queueSummary() == QueueSummary(pending: 0, oldest: nil, stored: 0, lastSent: nil))
        #expect(try store.pending(limit: 0).isEmpty)
        #expect(try store.pending(limit: -1).isEmpty)
    }

    @Test("20 000 points drain in pages without loss, repetition or disorder")
    func paging() throws {
        let store = try memoryStore()
        for number in 1...20_000 { _ = try store.commit(sampleRecord(number)) }
        var drained: [Int64] = []
        while case let page = try store.pending(limit: 100), !page.isEmpty {
            drained += page.map(\.id)
            try store.markSent(ids: page.map(\.id), stops: [], at: UTCTime(millis: 1))
        }
        #expect(drained == Array(1...20_000))
        #expect(try store.queueSummary().stored == 20_000)
    }

    @Test(
        "Summary, page and last point are found by index",
        arguments: [
            "SELECT time_ms FROM point WHERE sync_state = 0 ORDER BY id LIMIT 1",
            "SELECT max(sync_time_ms) FROM point WHERE sync_state = 1",
            "SELECT * FROM point WHERE session_id = 's' ORDER BY id DESC LIMIT 1",
        ])
    func indexed(sql: String) throws {
        let store = try memoryStore()
        let plan = try store.connected().rows("EXPLAIN QUERY PLAN " + sql) { $0.text(3) ?? "" }.joined()
        #expect(plan.contains("USING"), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }
}
