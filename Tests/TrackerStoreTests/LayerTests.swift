import Ports
import Testing
import TrackerModel

@testable import TrackerStore

/// A store in memory with `session` open and all layers on.
private func layeredStore(_ change: (inout DiagnosticLayers) -> Void = { _ in }) throws -> SQLiteStore {
    var layers = DiagnosticLayers()
    layers.keepsRawFixes = true
    layers.keepsRawPoints = true
    change(&layers)
    let store = try SQLiteStore(path: ":memory:", layers: layers)
    try store.begin(session)
    return store
}

private func sampleFix(_ number: Int) -> RawFix {
    var fix = RawFix(
        time: UTCTime(millis: Int64(number)), instant: Instant(millis: Int64(number)), bootID: "boot",
        provider: .gnss, isMock: false)
    fix.latitudeE7 = 1
    fix.hdopCenti = 95
    return fix
}

private func layered(_ number: Int, session id: String = session.id) -> FixRecord {
    var record = FixRecord(sessionID: id, decision: sampleDecision(number), point: nil, captureState: "")
    record.rawFix = sampleFix(number)
    record.judged = JudgedPoint(point: samplePoint(number, session: id), verdict: .skip)
    return record
}

@Suite("Diagnostic layers")
struct LayerTests {
    @Test("A decision that is only to be told is not stored")
    func toldOnly() throws {
        let store = try layeredStore()
        var record = layered(1)
        record.keepsDecision = false
        _ = try store.commit(record)
        _ = try store.commit(layered(2))
        #expect(try store.decisions(LayerPage(limit: 9)).count == 1)
    }

    @Test("Every column of a raw fix and of a judged point comes back as it went in, unknowns as unknowns")
    func roundTrip() throws {
        let store = try layeredStore()
        var full = RawFix(
            time: UTCTime(millis: 1), instant: Instant(nanos: 2), bootID: "b", provider: .gnssDeadReckoning,
            isMock: true)
        full.latitudeE7 = 3
        full.longitudeE7 = -4
        full.accuracyMM = 5
        full.altitudeMM = 6
        full.verticalAccuracyMM = 7
        full.speedMMps = 8
        full.courseCentideg = 9
        full.speedAccuracyMMps = 10
        full.courseAccuracyCentideg = 11
        full.satellitesUsed = 12
        full.hdopCenti = 13
        let bare = RawFix(time: nil, instant: .zero, bootID: "", provider: .unknown, isMock: false)
        var record = layered(1)
        record.rawFix = full
        _ = try store.commit(record)
        record.rawFix = bare
        _ = try store.commit(record)
        #expect(try store.rawFixes(LayerPage(limit: 9)) == [bare, full])
        var judged = try store.judgedPoints(LayerPage(limit: 1, offset: 1))
        #expect(judged.first?.point.id == 1)
        judged[0].point.id = 0
        #expect(judged == [record.judged])
    }

    @Test("Layers that are off are not written, and the decisions neither (E-155)")
    func off() throws {
        let store = try SQLiteStore(path: ":memory:")
        try store.begin(session)
        _ = try store.commit(layered(1))
        #expect(try store.rawFixes(LayerPage(limit: 9)).isEmpty)
        #expect(try store.judgedPoints(LayerPage(limit: 9)).isEmpty)
        #expect(try store.decisions(LayerPage(limit: 9)).count == 1)
        let silent = try layeredStore { $0.keepsDecisions = false }
        _ = try silent.commit(layered(1))
        #expect(try silent.decisions(LayerPage(limit: 9)).isEmpty)
        #expect(try silent.rawFixes(LayerPage(limit: 9)).count == 1)
    }

    @Test("Each ring keeps the newest rows and is trimmed every 256 inserts; raw points session by session (E-154)")
    func rings() throws {
        let store = try layeredStore {
            $0.rawFixCapacity = 100
            $0.decisionCapacity = 300
            $0.rawPointCapacity = 150
        }
        try store.end(sessionID: session.id, at: UTCTime(millis: 1))
        try store.begin(Session(id: "other", startedAt: UTCTime(millis: 2)))
        for number in 1...1_000 { _ = try store.commit(layered(number, session: number <= 512 ? session.id : "other")) }
        // The last trim was at insert 768; 232 more came since.
        let page = LayerPage(limit: 10_000)
        #expect(try store.rawFixes(page).map(\.instant.millis) == Array((669...1_000).reversed()))
        let decisions = try store.decisions(page)
        #expect(decisions.map(\.id) == Array((469...1_000).reversed()))
        #expect(decisions.last?.decision == sampleDecision(469))
        #expect(try store.judgedPoints(LayerPage(sessionID: session.id, limit: 10_000)).count == 150)
        #expect(try store.judgedPoints(LayerPage(sessionID: "other", limit: 10_000)).count == 150 + 232)
        #expect(try store.judgedPoints(LayerPage(sessionID: "none", limit: 10_000)).isEmpty)
    }

    @Test("At its default size a parked night does not push out the day before (E-154)")
    func night() {
        // Twelve hours with a fix due every 60 s, sixteen with one every 12 s.
        #expect(DiagnosticLayers().rawFixCapacity > 12 * 60 + 16 * 300)
    }

    @Test("Decisions older than the days they are kept go, those without a date stay")
    func days() throws {
        let store = try layeredStore { $0.decisionDays = 2 }
        let day = 86_400_000
        for number in 1...256 {
            var record = layered(number)
            record.decision?.time = number == 1 ? nil : UTCTime(millis: Int64(number == 2 ? 1 : 2 * day + number))
            record.point = samplePoint(number)
            record.point?.time = UTCTime(millis: Int64(2 * day + number))
            _ = try store.commit(record)
        }
        // Row 2 is 2 days and 255 ms older than the newest.
        #expect(try store.decisions(LayerPage(limit: 999)).map(\.id).reversed() == [1] + Array(3...256))
    }

    @Test("A refused fix whose date is years ahead takes no decision away")
    func wrongDate() throws {
        let store = try layeredStore { $0.decisionDays = 2 }
        for number in 1...256 {
            var record = layered(number)
            if number == 1 {
                record.point = samplePoint(number)
                record.point?.time = UTCTime(millis: 1)
            }
            if number == 256 { record.decision?.time = UTCTime(millis: 4_102_444_800_000) }
            _ = try store.commit(record)
        }
        #expect(try store.decisions(LayerPage(limit: 999)).count == 256)
    }

    @Test("Judged points of sessions that are closed go once ten rings are full, so that the table has an end")
    func closedSessions() throws {
        let store = try layeredStore { $0.rawPointCapacity = 100 }
        for number in 1...2_048 { _ = try store.commit(layered(number, session: "session \((number - 1) / 64)")) }
        #expect(try store.judgedPoints(LayerPage(limit: 9_999)).count == 1_000)
    }

    @Test("What fails without the layers' fault is not tried again without them, and they are not blamed")
    func otherFailure() throws {
        let store = try layeredStore()
        try store.connected().execute(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON point WHEN (SELECT count(*) FROM raw_fix) > 0
            BEGIN SELECT raise(ABORT, 'refused'); END
            """)
        var record = layered(1)
        record.point = samplePoint(1)
        #expect(throws: StoreFailure.self) { _ = try store.commit(record) }
        #expect(store.layerFailure == nil)
        #expect(try store.rawFixes(LayerPage(limit: 9)).isEmpty)
    }

    @Test("On a full disk the point is stored where its layers leave no room for it")
    func full() throws {
        let store = try layeredStore()
        let database = try store.connected()
        let pages = try database.integer("PRAGMA page_count") ?? 0
        _ = try database.integer("PRAGMA max_page_count = \(pages + 15)")
        var record = layered(1)
        // Ten pages each.
        record.rawFix?.bootID = String(repeating: "b", count: 40_000)
        record.point = samplePoint(1)
        record.point?.bootID = String(repeating: "b", count: 40_000)
        #expect(try store.commit(record) == 1)
        #expect(store.layerFailure?.code == .full)
        #expect(try store.rawFixes(LayerPage(limit: 9)).isEmpty)
    }

    @Test("One decision is found by the number of its row, and none where it is not")
    func byNumber() throws {
        let store = try layeredStore()
        for number in 1...3 { _ = try store.commit(layered(number)) }
        #expect(try store.decision(id: 2) == StoredDecision(id: 2, decision: sampleDecision(2)))
        #expect(try store.decision(id: 4) == nil)
        #expect(try store.decisions(LayerPage(limit: 1, offset: 1)).map(\.id) == [2])
    }

    @Test("A diagnostic write that fails costs no point, and is told", arguments: ["raw_fix", "decision", "raw_point"])
    func refusingTable(table: String) throws {
        let store = try layeredStore()
        try store.connected().execute("DROP TABLE \(table)")
        var record = layered(1)
        record.point = samplePoint(1)
        record.legMM = 700
        #expect(try store.commit(record) == 1)
        #expect(store.layerFailure?.cause.contains(table) == true)
        #expect(try store.state(.odometer) == "700")
        #expect(try store.queueSummary().pending == 1)
    }

    @Test("Diagnosis works again as soon as it can be written")
    func recovers() throws {
        let store = try layeredStore()
        let database = try store.connected()
        try database.execute("ALTER TABLE raw_fix RENAME TO away")
        _ = try store.commit(layered(1))
        try database.execute("ALTER TABLE away RENAME TO raw_fix")
        _ = try store.commit(layered(2))
        #expect(store.layerFailure == nil)
        #expect(try store.rawFixes(LayerPage(limit: 9)) == [sampleFix(2)])
    }
}
