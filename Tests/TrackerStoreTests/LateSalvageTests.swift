import Ports
import Testing
import TrackerModel

@testable import TrackerStore

/// What is found of a damaged database while the tracker goes on with the fresh one.
@Suite("Salvage beside what has begun anew")
struct LateSalvageTests {
    private static let other = Session(id: "other", startedAt: UTCTime(millis: 1_700_000_100_000))
    private static let third = Session(id: "third", startedAt: UTCTime(millis: 1_700_000_200_000))

    /// 100 points of a session that has ended, 7 km on the odometer, another session open; behind them more than opening
    /// reads, then what the test adds.
    private func filled(_ scratch: ScratchDirectory, _ more: (SQLiteStore) throws -> Void = { _ in }) throws {
        let store = try SQLiteStore(path: scratch.database)
        try store.connected().execute("PRAGMA secure_delete = ON")
        try store.begin(session)
        for number in 1...100 {
            var record = sampleRecord(number)
            record.decision = nil
            record.legMM = number == 1 ? 7_000_000 : 0
            _ = try store.commit(record)
        }
        try store.end(sessionID: session.id, at: UTCTime(millis: 1_700_000_099_000))
        try store.begin(Self.other)
        try store.connected().execute(
            """
            CREATE TABLE padding (text);
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 600)
            INSERT INTO padding SELECT hex(zeroblob(1950)) FROM number
            """)
        try more(store)
        store.close()
    }

    /// The tables' rows to the end of the file, where they are found last, in this order.
    private func moveToEnd(_ tables: String..., of store: SQLiteStore) throws {
        let database = try store.connected()
        try database.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")
        let find = "SELECT sql FROM sqlite_master WHERE name = ?"
        for table in tables {
            let sql = try #require(try database.rows(find, [.text(table)]) { $0.text(0) ?? "" }.first)
            let copy = sql.replacing("TABLE \(table) (", with: "TABLE moved_\(table) (")
            try database.execute("\(copy); INSERT INTO moved_\(table) SELECT * FROM \(table)")
        }
        // Only now, or the copies would take the places of what was dropped.
        for table in tables {
            try database.execute("DROP TABLE \(table); ALTER TABLE moved_\(table) RENAME TO \(table)")
        }
    }

    private func zero(_ page: Int, of path: String) {
        var bytes = readFile(path)
        for index in ((page - 1) * 4_096)..<min(bytes.count, page * 4_096) { bytes[index] = 0 }
        writeFile(path, bytes)
    }

    /// The damaged database, of which opening has read the beginning.
    private func opened(
        _ scratch: ScratchDirectory, usage: @escaping (String) -> StorageUsage? = SQLiteStore.usage
    ) throws -> SQLiteStore {
        zero(1, of: scratch.database)
        let store = try SQLiteStore(path: scratch.database, usage: usage)
        #expect(store.salvage != nil)
        return store
    }

    /// Returns how many points were lost.
    @discardableResult
    private func finish(_ store: SQLiteStore) -> Int64? {
        var lost: Int64?
        var upkeep: StoreUpkeep
        repeat {
            upkeep = store.maintain(at: nil)
            for case .salvaged(let report) in upkeep.notices { lost = report.lostPoints }
        } while upkeep.isUnfinished
        #expect(store.salvage == nil)
        return lost
    }

    @Test("A total that is found late is added once to what was driven since, and nothing written since is lost")
    func odometer() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch) { try moveToEnd("state", of: $0) }
        let store = try opened(scratch)
        #expect(try store.state(.odometer) == nil)
        var record = FixRecord(
            sessionID: "other", decision: nil, point: samplePoint(9_000, session: "other"), captureState: "new")
        record.legMM = 500
        _ = try store.commit(record)
        finish(store)
        #expect(try store.state(.odometer) == "7000500")
        #expect(try store.state(.capture) == "new")
        #expect(try store.queueSummary().stored == 101)
    }

    @Test("Where the total is lost the ways of all sessions stand in for it, over any number of restarts")
    func ways() throws {
        let scratch = try ScratchDirectory()
        var root: Int64 = 0
        try filled(scratch) { store in
            // Of the second one, what comes after a restart.
            for number in 101...200 {
                _ = try store.commit(
                    FixRecord(
                        sessionID: "other", decision: nil, point: samplePoint(number, session: "other"),
                        captureState: ""))
            }
            root = try store.connected().integer("SELECT rootpage FROM sqlite_master WHERE name = 'state'") ?? 0
        }
        zero(Int(root), of: scratch.database)
        var isFirst = true
        while true {
            let store = try SQLiteStore(path: scratch.database)
            if isFirst {
                // The way goes on in the session that was open, and is counted by itself.
                var record = FixRecord(
                    sessionID: "other", decision: nil, point: samplePoint(8_000, session: "other"), captureState: "")
                record.legMM = 1_500
                _ = try store.commit(record)
            }
            isFirst = false
            if store.salvage == nil {
                #expect(try store.state(.odometer) == String((100 + 200 + 1) * 1_500))
                #expect(try store.queueSummary().stored == 201)
                return
            }
            _ = store.maintain(at: nil)
            store.close()
        }
    }

    @Test("A session that is found late gets an end: the next one can begin")
    func lateSession() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch) { try moveToEnd("session", of: $0) }
        let store = try opened(scratch)
        #expect(try store.openSession() == nil)
        finish(store)
        #expect(try store.session(id: "other")?.session.endedAt == Self.other.startedAt)
        try store.begin(Self.third)
        #expect(try store.openSession() == Self.third)
    }

    @Test("New crossings and runs of sessions get numbers above those that are found late")
    func numbers() throws {
        let scratch = try ScratchDirectory()
        func crossing(_ kind: FenceCrossing.Kind, _ fence: String, _ second: Int64) -> FenceCrossing {
            let circle = Geofence(
                id: fence, latitudeE7: 1, longitudeE7: 2, radiusMM: 200_000, notifyOnEntry: true, notifyOnExit: true)
            return FenceCrossing(circle, kind, at: UTCTime(millis: second * 1_000))
        }
        func run(_ boot: String) -> SessionRun {
            SessionRun(bootID: boot, startedAt: UTCTime(millis: 1), interruption: nil)
        }
        try filled(scratch) { store in
            for (kind, second) in [(FenceCrossing.Kind.enter, Int64(1)), (.exit, 2), (.enter, 3)] {
                #expect(try store.append(crossing(kind, "home", second)) != nil)
            }
            for boot in ["1", "2"] { try store.append(run(boot), sessionID: LateSalvageTests.other.id) }
            // A run may come before its session.
            try moveToEnd("geofence_event", "session_run", "session", of: store)
        }
        let store = try opened(scratch)
        try store.begin(Self.third)
        try store.append(run("3"), sessionID: "third")
        let fresh = try #require(try store.append(crossing(.enter, "office", 4)))
        #expect(fresh > 3)
        finish(store)
        #expect(try store.crossings(fenceID: nil, limit: 10).map(\.id) == [fresh, 3, 2, 1])
        #expect(try store.crossings(after: 3, limit: 10).map(\.fenceID) == ["office"])
        #expect(try store.session(id: "other")?.runs.map(\.bootID) == ["1", "2"])
        #expect(try store.session(id: "third")?.runs.map(\.bootID) == ["3"])
    }

    @Test("A piece that cannot be stored is read once more")
    func refusedPiece() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch) { try moveToEnd("point", of: $0) }
        let store = try opened(scratch)
        let salvage = try #require(store.salvaging)
        let before = salvage.report
        let policy = SalvagedRows.Policy(keepsOpen: false, wipedTo: 0, takesSent: true, returnsForSent: true)
        #expect(throws: StoreFailure.self) {
            try salvage.step(policy) { body throws(StoreFailure) in
                try store.change { (database, counts) throws(StoreFailure) in
                    try body(database, &counts)
                    throw StoreFailure(code: .io, cause: "the card", remedy: "")
                }
            }
        }
        #expect(salvage.report == before)
        finish(store)
        #expect(try store.queueSummary().stored == 100)
    }

    /// Free bytes of a file system of 1 MB, of which less than 50 000 are low.
    private final class Room {
        var free: Int64 = 60_000

        func usage(_ path: String) -> StorageUsage? {
            StorageUsage(usedBytes: 0, freeBytes: free, totalBytes: 1_000_000)
        }
    }

    @Test(
        "Where the room is short the queue comes first, wherever it stands, then what was sent, as long as there is room",
        arguments: [true, false])
    func queueFirst(roomLasts: Bool) throws {
        let scratch = try ScratchDirectory()
        try filled(scratch) { store in
            try store.markSent(ids: Array(1...100), stops: [], at: UTCTime(millis: 50))
            for number in 101...150 {
                _ = try store.commit(
                    FixRecord(
                        sessionID: "other", decision: nil, point: samplePoint(number, session: "other"),
                        captureState: ""))
            }
        }
        let room = Room()
        let store = try opened(scratch, usage: room.usage)
        // Those that were sent stand before the queue, but they would fill the room.
        let begun = try store.queueSummary()
        #expect(begun.pending < 50)
        #expect(begun.stored == begun.pending)
        var report: SalvageReport?
        while report == nil {
            for case .salvaged(let done) in store.maintain(at: nil).notices { report = done }
            if try store.queueSummary().pending == 50, !roomLasts { room.free = 40_000 }
        }
        #expect(try store.queueSummary().pending == 50)
        #expect(try store.queueSummary().stored == (roomLasts ? 150 : 50))
        #expect(report?.points == (roomLasts ? 150 : 50))
        #expect(report?.leftPoints == (roomLasts ? 0 : 100))
        #expect(report?.lostPoints == 0)
        #expect(try store.pending(limit: 1).first?.id == 101)
    }

    @Test("A second reading brings back nothing that was wiped or sent since the first")
    func secondReading() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch) { try $0.markSent(ids: Array(1...40), stops: [], at: UTCTime(millis: 50)) }
        let store = try opened(scratch, usage: Room().usage)
        while try store.queueSummary().pending < 60, store.salvage != nil { _ = store.maintain(at: nil) }
        #expect(store.salvage != nil)
        try store.markSent(ids: Array(41...50), stops: [], at: UTCTime(millis: 60))
        #expect(try store.wipeQueue() == 50)
        finish(store)
        let summary = try store.queueSummary()
        #expect((summary.stored, summary.pending) == (50, 0))
    }

    /// Points of the session that is open.
    private func commit(_ numbers: ClosedRange<Int>, to store: SQLiteStore) throws {
        for number in numbers {
            let point = samplePoint(number, session: Self.other.id)
            _ = try store.commit(
                FixRecord(sessionID: Self.other.id, decision: nil, point: point, captureState: ""))
        }
    }

    @Test("A wipe holds for what is found later, whatever its number; what is queued again since stays, over restarts")
    func wipedMeanwhile() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch) { store in
            try store.quarantine(ids: [3], reason: "status 422")
            try store.markSent(ids: [1], stops: [], at: UTCTime(millis: 50))
            try commit(101...150, to: store)
        }
        var store = try opened(scratch)
        // A number that is taken when its row is found.
        try store.connected().execute("UPDATE point SET id = 150 WHERE id = 1")
        let found = try store.wipeQueue()
        #expect((1..<148).contains(found), "some is found later")
        #expect(try store.requeueQuarantined(ids: [3]) == 1)
        #expect(try store.pending(limit: 200).map(\.id) == [3])
        store.close()
        store = try SQLiteStore(path: scratch.database)
        #expect(try store.newestPending()?.id == 3)
        #expect(finish(store) == 0, "what was wiped by order is not lost")
        #expect(try store.pending(limit: 200).map(\.id) == [3])
        #expect(try store.queueSummary().stored == 2)
        store.close()
        store = try SQLiteStore(path: scratch.database)
        _ = store.maintain(at: nil)
        #expect(try store.pending(limit: 200).map(\.id) == [3])
    }

    @Test("What a wipe had left when the file was damaged does not come back", arguments: [false, true])
    func unfinishedWipe(isFoundLate: Bool) throws {
        let scratch = try ScratchDirectory()
        try filled(scratch) { store in
            try store.quarantine(ids: [3], reason: "status 422")
            try store.markSent(ids: [1], stops: [], at: UTCTime(millis: 50))
            try store.connected().execute(
                "CREATE TRIGGER stop BEFORE DELETE ON point BEGIN SELECT RAISE(ABORT, 'stop'); END")
            #expect(throws: StoreFailure.self) { try store.wipeQueue() }
            try store.connected().execute("DROP TRIGGER stop")
            try commit(101...150, to: store)
            if isFoundLate { try moveToEnd("state", of: store) }
        }
        let new = (101...150).map(Int64.init)
        var store = try opened(scratch)
        if !isFoundLate {
            #expect(try store.pending(limit: 200).allSatisfy { $0.id > 100 })
            #expect(try store.requeueQuarantined(ids: nil) == 1)
            #expect(try store.pending(limit: 1).map(\.id) == [3])
        }
        finish(store)
        #expect(try store.pending(limit: 200).map(\.id) == (isFoundLate ? new : [3] + new))
        #expect(try store.queueSummary().stored == 52)
        store.close()
        store = try SQLiteStore(path: scratch.database)
        _ = store.maintain(at: nil)
        #expect(try store.pending(limit: 200).map(\.id) == (isFoundLate ? new : [3] + new))
    }

    @Test("A session is not deleted while some of it may still be found, and does not come back when it was")
    func deletedSession() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch) { store in
            try store.markSent(ids: Array(1...40), stops: [], at: UTCTime(millis: 50))
            try commit(101...150, to: store)
            try store.markSent(ids: Array(101...120), stops: [], at: UTCTime(millis: 50))
        }
        let store = try opened(scratch, usage: Room().usage)
        #expect(throws: StoreFailure.self) { try store.deleteSession(id: session.id) }
        while store.salvaging?.isSecondReading == false { _ = store.maintain(at: nil) }
        #expect(try store.deleteSession(id: session.id).points == 60)
        #expect(finish(store) == 0, "what was deleted by order is not lost")
        #expect(try store.session(id: session.id) == nil)
        #expect(try store.queueSummary().stored == 50)
    }

    @Test("Sent points that were left come with the second reading, also where the row of their session is lost")
    func lostSession() throws {
        let scratch = try ScratchDirectory()
        var root: Int64 = 0
        try filled(scratch) { store in
            try store.markSent(ids: Array(1...100), stops: [], at: UTCTime(millis: 50))
            root = try store.connected().integer("SELECT rootpage FROM sqlite_master WHERE name = 'session'") ?? 0
        }
        zero(Int(root), of: scratch.database)
        let store = try opened(scratch, usage: Room().usage)
        #expect(try store.queueSummary().stored == 0)
        finish(store)
        #expect(try store.queueSummary().stored == 100)
        #expect(try store.session(id: session.id)?.points == 100)
    }

    @Test("How far a salvage is, as this version and an earlier one wrote it; anything else begins anew")
    func progress() throws {
        let text = "65 1 0 150 10 2 3 40 200 1"
        #expect(SalvageProgress(text: text)?.text == text)
        #expect(SalvageProgress(text: "65 1 10 2 3 -1")?.text == "65 1 1 0 10 2 3 0 -1 0")
        for other in ["65 1 0 150 10 2 3 40 200", "", "done"] { #expect(SalvageProgress(text: other) == nil) }
    }

    @Test("On a disk without room sent points are left in the damaged file, and counted")
    func withoutRoom() throws {
        let scratch = try ScratchDirectory()
        let whole = try SQLiteStore(path: scratch.database)
        try whole.begin(session)
        for number in 1...200 { _ = try whole.commit(sampleRecord(number)) }
        try whole.quarantine(ids: [4], reason: "status 422")
        try whole.markSent(ids: Array(101...200), stops: [], at: UTCTime(millis: 50))
        whole.close()
        zero(1, of: scratch.database)
        let store = try SQLiteStore(path: scratch.database) { _ in
            StorageUsage(usedBytes: 0, freeBytes: 40, totalBytes: 1_000)
        }
        let reports = store.maintain(at: nil).notices.compactMap { notice -> SalvageReport? in
            if case .salvaged(let report) = notice { report } else { nil }
        }
        #expect(reports.map(\.points) == [100])
        #expect(reports.map(\.leftPoints) == [100])
        #expect(reports.map(\.lostPoints) == [0])
        let summary = try store.queueSummary()
        #expect((summary.stored, summary.pending, summary.quarantined) == (100, 99, 1))
    }
}
