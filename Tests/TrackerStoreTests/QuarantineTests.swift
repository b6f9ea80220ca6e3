import Ports
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("Rows that do not go the ordinary way")
struct QuarantineTests {
    private func store(_ rows: Int) throws -> SQLiteStore {
        let store = try memoryStore()
        for number in 1...rows { _ = try store.commit(sampleRecord(number)) }
        return store
    }

    /// The counts that are kept are those that are there.
    private func expectTrueCounts(_ store: SQLiteStore) throws {
        let summary = try store.queueSummary()
        let database = try store.connected()
        #expect(try database.integer("SELECT count(*) FROM point") == summary.stored)
        #expect(try database.integer("SELECT count(*) FROM point WHERE sync_state = 0") == summary.pending)
        #expect(try database.integer("SELECT count(*) FROM point WHERE sync_state = 2") == summary.quarantined)
    }

    @Test("Set aside, they are listed with their reason, queued again in their old place, or deleted")
    func quarantine() throws {
        let store = try store(6)
        try store.quarantine(ids: [2, 4], reason: "status 422")
        try store.quarantine(ids: [5], reason: "futureDated")
        #expect(try store.quarantined(limit: 10).map(\.id) == [2, 4, 5])
        #expect(try store.quarantined(limit: 1).first?.reason == "status 422")
        #expect(try store.requeueQuarantined(ids: [4, 1, 99]) == 1)
        #expect(try store.pending(limit: 10).map(\.id) == [1, 3, 4, 6])
        #expect(try store.dropQuarantined(ids: [5]) == 1)
        try expectTrueCounts(store)
        #expect(try store.requeueQuarantined(ids: nil) == 1)
        #expect(try store.dropQuarantined(ids: nil) == 0)
        #expect(try store.pending(limit: 10).map(\.id) == [1, 2, 3, 4, 6])
        try expectTrueCounts(store)
    }

    @Test("The newest row, and a queue cut down from its old end; sent rows stay")
    func shed() throws {
        let store = try store(10)
        try store.markSent(ids: [1, 2], stops: [], at: UTCTime(millis: 5))
        #expect(try store.newestPending()?.id == 10)
        #expect(try store.shedQueue(keeping: 100) == 0)
        #expect(try store.shedQueue(keeping: 3) == 5)
        #expect(try store.pending(limit: 100).map(\.id) == [8, 9, 10])
        try expectTrueCounts(store)
        #expect(try store.shedQueue(keeping: 0) == 3)
        #expect(try store.newestPending() == nil)
        #expect(try store.queueSummary().stored == 2)
        try expectTrueCounts(store)
    }

    /// A store whose queue of 6 000 rows was to be wiped and, for a failure, lost only the first 5 000; and one row that
    /// came since.
    private func halfWiped(_ scratch: ScratchDirectory) throws -> SQLiteStore {
        let store = try SQLiteStore(path: scratch.database)
        try store.begin(session)
        for number in 1...6_002 { _ = try store.commit(sampleRecord(number)) }
        try store.markSent(ids: [1, 2], stops: [], at: UTCTime(millis: 5))
        try store.connected().execute(
            "CREATE TRIGGER stop BEFORE DELETE ON point WHEN old.id = 5900 BEGIN SELECT RAISE(ABORT, 'stop'); END")
        #expect(throws: StoreFailure.self) { try store.wipeQueue() }
        #expect(try store.queueSummary().pending == 1_000)
        _ = try store.commit(sampleRecord(6_003))
        try store.connected().execute("DROP TRIGGER stop")
        return store
    }

    @Test("A wipe that ended halfway is finished before the queue is read again; what was sent or came since stays")
    func wipeFailed() throws {
        let scratch = try ScratchDirectory()
        let store = try halfWiped(scratch)
        #expect(try store.newestPending()?.id == 6_003)
        #expect(try store.pending(limit: 10).map(\.id) == [6_003])
        #expect(try store.queueSummary().stored == 3)
        try expectTrueCounts(store)
        // That was all: what was wiped once does not go on being wiped.
        _ = try store.commit(sampleRecord(6_004))
        #expect(try store.pending(limit: 10).map(\.id) == [6_003, 6_004])
    }

    @Test("A kill in the middle of a wipe leaves nothing of it to the next start")
    func wipeKilled() throws {
        let scratch = try ScratchDirectory()
        try halfWiped(scratch).close()
        let store = try SQLiteStore(path: scratch.database)
        _ = store.maintain(at: nil)
        #expect(try store.queueSummary().pending == 1)
        #expect(try store.pending(limit: 10).map(\.id) == [6_003])
        try expectTrueCounts(store)
        #expect(try store.wipeQueue() == 1)
        #expect(try store.pending(limit: 10).isEmpty)
    }
}
