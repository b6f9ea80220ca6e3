import Glibc
import Ports
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("What survives")
struct DurabilityTests {
    @Test("Reopening continues where the last run stopped")
    func reopen() throws {
        let scratch = try ScratchDirectory()
        let first = try SQLiteStore(path: scratch.database)
        try first.begin(session)
        for number in 1...3 { _ = try first.commit(sampleRecord(number)) }
        try first.markSent(ids: [1], stops: [], at: UTCTime(millis: 50))
        let summary = try first.queueSummary()
        first.close()
        #expect(throws: StoreFailure(code: .cannotOpen, cause: "", remedy: "")) { _ = try first.pending(limit: 1) }
        #expect(first.usage() == nil)

        let second = try SQLiteStore(path: scratch.database)
        #expect(second.recovery == nil)
        #expect(try second.openSession() == session)
        #expect(try second.state(.capture) == "state-3")
        #expect(try second.queueSummary() == summary)
        #expect(try second.commit(sampleRecord(4)) == 4)
        #expect(try second.lastPoint(sessionID: session.id)?.uuid == "uuid-4")
    }

    @Test("A power cut at any moment loses no committed point (E-121)")
    func powerCut() throws {
        let scratch = try ScratchDirectory()
        let store = try SQLiteStore(path: scratch.database)
        try store.begin(session)
        for number in 1...60 {
            _ = try store.commit(sampleRecord(number))
            guard number % 5 == 0 else { continue }
            // The files as the kernel holds them now, as a kill would leave them.
            let copy = try ScratchDirectory()
            for suffix in ["", "-wal"] {
                writeFile(copy.database + suffix, readFile(scratch.database + suffix))
            }
            let reopened = try SQLiteStore(path: copy.database)
            #expect(reopened.recovery == nil)
            #expect(try reopened.pending(limit: 100).map(\.id) == Array(1...Int64(number)))
            #expect(try reopened.state(.capture) == "state-\(number)")
        }
    }

    @Test("A log torn inside its last frame loses that frame's transaction only (E-122)")
    func tornLog() throws {
        let scratch = try ScratchDirectory()
        let store = try SQLiteStore(path: scratch.database)
        try store.begin(session)
        for number in 1...5 { _ = try store.commit(sampleRecord(number)) }
        let before = readFile(scratch.database + "-wal").count
        _ = try store.commit(sampleRecord(6))
        let log = readFile(scratch.database + "-wal")
        for cut in [before + 1, (before + log.count) / 2, log.count - 1] {
            let copy = try ScratchDirectory()
            writeFile(copy.database, readFile(scratch.database))
            writeFile(copy.database + "-wal", Array(log[..<cut]))
            let reopened = try SQLiteStore(path: copy.database)
            #expect(reopened.recovery == nil)
            #expect(try reopened.pending(limit: 100).map(\.id) == [1, 2, 3, 4, 5])
            #expect(try reopened.state(.capture) == "state-5")
        }
    }

    @Test("One writer: a second opening is told that the first lives, and may have it after")
    func secondOpening() throws {
        let scratch = try ScratchDirectory()
        let first = try SQLiteStore(path: scratch.database)
        #expect(throws: StoreFailure(code: .locked, cause: "", remedy: "")) {
            _ = try SQLiteStore(path: scratch.database)
        }
        first.close()
        _ = try SQLiteStore(path: scratch.database)
    }

    @Test("Another process's reader sees the committed rows while the tracker runs")
    func reader() throws {
        let scratch = try ScratchDirectory()
        let store = try SQLiteStore(path: scratch.database)
        try store.begin(session)
        _ = try store.commit(sampleRecord(1))
        let reader = try Database(path: scratch.database)
        #expect(try reader.integer("SELECT count(*) FROM point") == 1)
        _ = try store.commit(sampleRecord(2))
        #expect(try reader.integer("SELECT count(*) FROM point") == 2)
    }

    @Test("Usage counts the database and its log")
    func usage() throws {
        let scratch = try ScratchDirectory()
        let store = try SQLiteStore(path: scratch.database)
        try store.begin(session)
        let usage = try #require(store.usage())
        let files = ["", "-wal", "-shm"].map { Int64(readFile(scratch.database + $0).count) }
        #expect(usage.usedBytes == files.reduce(0, +))
        #expect(usage.freeBytes > 0)
        #expect(try SQLiteStore(path: ":memory:").usage() == nil)
    }
}
