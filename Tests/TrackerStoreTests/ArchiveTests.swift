import Ports
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("Points and sessions read again")
struct ArchiveTests {
    /// Two sessions of ten points each, a second apart over both.
    private func filled() throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:")
        try store.begin(session)
        for number in 1...10 { try commit(number, session.id, to: store) }
        try store.end(sessionID: session.id, at: UTCTime(millis: 1_700_000_010_500))
        var second = Session(id: "5f1c0000-0000-4000-8000-000000000002", startedAt: UTCTime(millis: 1_700_000_010_600))
        second.tag = "to work"
        second.configSnapshot = #"{"geolocation.intervalMs":"60000"}"#
        try store.begin(second)
        for number in 11...20 { try commit(number, second.id, to: store) }
        return store
    }

    private func commit(_ number: Int, _ id: String, to store: SQLiteStore) throws {
        let record = FixRecord(
            sessionID: id, decision: sampleDecision(number), point: samplePoint(number, session: id),
            captureState: "state", legMM: 1_500)
        _ = try store.commit(record)
    }

    private func numbers(_ store: SQLiteStore, _ query: PointQuery) throws -> [Int64] {
        try store.points(query).map(\.id)
    }

    @Test("Points come in the order of insertion, by session, time (inclusive), row, limit and offset")
    func points() throws {
        let store = try filled()
        #expect(try numbers(store, PointQuery()) == Array(1...20))
        #expect(try numbers(store, PointQuery(sessionID: session.id, limit: 3, offset: 2)) == [3, 4, 5])
        var query = PointQuery()
        query.from = UTCTime(millis: 1_700_000_009_000)
        query.to = UTCTime(millis: 1_700_000_012_000)
        #expect(try numbers(store, query) == [9, 10, 11, 12])
        #expect(try store.pointCount(query) == 4)
        query.sessionID = session.id
        #expect(try numbers(store, query) == [9, 10])
        query.afterID = 9
        #expect(try numbers(store, query) == [10])
        #expect(try store.pointCount(PointQuery(limit: 1, offset: 5)) == 20)
        #expect(try store.pointCount(PointQuery(sessionID: "nowhere")) == 0)
    }

    @Test(
        "A span of time is looked up by its index and needs no sorting, so that a page of 500 000 points is cheap (E-149)"
    )
    func plan() throws {
        let store = try filled()
        let sql = """
            EXPLAIN QUERY PLAN SELECT \(TrackPoint.columns) FROM point
            WHERE id IN (SELECT id FROM point WHERE time_ms BETWEEN 1 AND 2) ORDER BY id LIMIT 5 OFFSET 0
            """
        let plan = try store.connected().rows(sql) { $0.text(3) ?? "" }
        #expect(plan.contains { $0.contains("point_time") }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN point ") }, "\(plan)")
    }

    @Test("Sessions come newest first, by when they began, with what is stored of them")
    func sessions() throws {
        let store = try filled()
        try store.append(SessionRun(bootID: "a", startedAt: session.startedAt), sessionID: session.id)
        let again = SessionRun(bootID: "b", startedAt: UTCTime(millis: 1_700_000_005_000), interruption: .powerCut)
        try store.append(again, sessionID: session.id)
        let all = try store.sessions(SessionQuery())
        #expect(all.map(\.points) == [10, 10] && all.map(\.distanceMM) == [30_000, 15_000])
        #expect(all[0].session.tag == "to work" && all[0].session.endedAt == nil)
        #expect(all[0].session.configSnapshot == nil, "a list is not for that")
        #expect(all[1].runs.map(\.interruption) == [nil, .powerCut] && all[1].runs[1] == again)
        var query = SessionQuery(limit: 1, offset: 1)
        #expect(try store.sessions(query).map(\.session.id) == [session.id])
        query = SessionQuery()
        query.to = session.startedAt
        #expect(try store.sessions(query).map(\.session.id) == [session.id])
        query.from = UTCTime(millis: session.startedAt.millis + 1)
        query.to = nil
        #expect(try store.sessions(query).count == 1)
        let one = try #require(try store.session(id: "5f1c0000-0000-4000-8000-000000000002"))
        #expect(one.session.configSnapshot == #"{"geolocation.intervalMs":"60000"}"#)
        #expect(try store.openSession() == one.session)
        #expect(try store.session(id: "nowhere") == nil)
    }

    @Test("A session is found by how its id begins; what is special to a query is not special in it")
    func prefixes() throws {
        let store = try filled()
        #expect(try store.sessionIDs(startingWith: "5f1c7", limit: 2) == [session.id])
        #expect(try store.sessionIDs(startingWith: "5f1c", limit: 2).count == 2)
        for odd in ["%", "_f", "*", "'", "5f1c7c2e-0000-4000-8000-000000000001x"] {
            #expect(try store.sessionIDs(startingWith: odd, limit: 2).isEmpty, "\(odd)")
        }
    }

    @Test("A session goes with its rows of every kind, the counts of the queue with it, the odometer stays")
    func deletion() throws {
        let store = try filled()
        try store.append(SessionRun(bootID: "a", startedAt: session.startedAt), sessionID: session.id)
        try store.markSent(ids: [1, 2, 3], stops: [], at: UTCTime(millis: 1))
        try store.quarantine(ids: [4], reason: "status 422")
        #expect(try store.unsentCount(sessionID: session.id) == 7)
        let rows = try store.deleteSession(id: session.id)
        #expect(rows.points == 10 && rows.decisions == 10 && rows.rawFixes == 0)
        let summary = try store.queueSummary()
        #expect(summary.stored == 10 && summary.pending == 10 && summary.quarantined == 0)
        #expect(try store.connected().integer("SELECT count(*) FROM point WHERE sync_state = 0") == 10)
        #expect(try store.session(id: session.id) == nil)
        #expect(try store.state(.odometer) == "30000")
        #expect(try store.connected().integer("SELECT count(*) FROM session_run") == 0)
    }

    @Test("An open session, and one that is not there, are left alone")
    func notDeleted() throws {
        let store = try filled()
        let open = try #require(try store.openSession())
        #expect(try store.deleteSession(id: open.id) == DeletedRows())
        #expect(try store.deleteSession(id: "nowhere") == DeletedRows())
        #expect(try store.queueSummary().stored == 20)
    }

    @Test("A word of a later version reads as a crash")
    func laterWord() throws {
        let store = try filled()
        try store.connected().run(
            "INSERT INTO session_run (session_id, boot_id, started_at_ms, interruption) VALUES (?, 'b', 1, 'flood')",
            [.text(session.id)])
        #expect(try store.session(id: session.id)?.runs.map(\.interruption) == [.crash])
    }
}
