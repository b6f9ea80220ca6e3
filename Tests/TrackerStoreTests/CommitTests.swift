import Ports
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("What a fix changes")
struct CommitTests {
    @Test("Every column of a point comes back as it went in, with its insertion id")
    func pointRoundTrip() throws {
        let store = try memoryStore()
        var full = samplePoint(1)
        full.altitudeMM = -4_200
        full.latitudeE7 = -899_999_999
        full.longitudeE7 = 1_799_999_999
        full.hasBearing = true
        full.provider = .gnssDeadReckoning
        full.isMock = true
        full.movement = .steady
        full.acceptReason = .arrival
        full.batteryPercent = 82
        full.isCharging = false
        full.timeZone = "Europe/Berlin – \u{1F30D}"
        let bare = samplePoint(2)
        for point in [full, bare] {
            let record = FixRecord(sessionID: session.id, decision: nil, point: point, captureState: "")
            full.id = try #require(try store.commit(record)) == 1 ? 1 : full.id
        }
        let read = try store.pending(limit: 10)
        var expectedBare = bare
        expectedBare.id = 2
        #expect(read == [full, expectedBare])
        #expect(try store.lastPoint(sessionID: session.id) == expectedBare)
        #expect(try store.pointCount(sessionID: session.id) == 2)
        #expect(try store.lastPoint(sessionID: "another") == nil)
    }

    @Test("Every column of a decision comes back as it went in, unknowns as unknowns")
    func decisionRoundTrip() throws {
        let store = try memoryStore()
        let bare = Decision(
            time: nil, instant: Instant(nanos: 7), latitudeE7: nil, longitudeE7: nil, accuracyMM: nil, verdict: .reject,
            reason: .invalidCoordinates, distanceMM: nil, speedMMps: nil, motion: .stopPending)
        for decision in [sampleDecision(1), bare] {
            let record = FixRecord(sessionID: session.id, decision: decision, point: nil, captureState: "s")
            #expect(try store.commit(record) == nil)
        }
        #expect(try store.decisions(LayerPage(limit: 10)).map(\.decision) == [bare, sampleDecision(1)])
        #expect(try store.decisions(LayerPage(limit: 1)).map(\.decision) == [bare])
        #expect(try store.state(.capture) == "s")
    }

    @Test("The same fix stored twice is one point")
    func sameUUID() throws {
        let store = try memoryStore()
        #expect(try store.commit(sampleRecord(1)) == 1)
        #expect(try store.commit(sampleRecord(1)) == nil)
        #expect(try store.queueSummary().stored == 1)
        #expect(try store.queueSummary().pending == 1)
        #expect(try store.pending(limit: 10).count == 1)
        #expect(try store.commit(sampleRecord(2)) != nil)
    }

    @Test("A point that cannot be stored takes its decision and state with it")
    func atomic() throws {
        let store = try memoryStore()
        _ = try store.commit(sampleRecord(1))
        var orphan = sampleRecord(2)
        orphan.point?.sessionID = "no such session"
        #expect(throws: StoreFailure.self) { _ = try store.commit(orphan) }
        #expect(try store.state(.capture) == "state-1")
        #expect(try store.decisions(LayerPage(limit: 10)).map(\.decision).count == 1)
        #expect(try store.queueSummary().pending == 1)
        // And the store works on.
        #expect(try store.commit(sampleRecord(3)) == 2)
    }

    @Test("Words of a newer version read as the cautious case")
    func unknownWords() throws {
        let store = try memoryStore()
        _ = try store.commit(sampleRecord(1))
        let database = try store.connected()
        try database.execute(
            """
            UPDATE point SET provider = 'lidar', movement = 'flying', accept_reason = 'Because',
                latitude_e7 = 99999999999, battery_percent = -1;
            UPDATE decision SET verdict = 'MAYBE', reason = 'Because', motion = 'flying';
            """)
        let point = try #require(try store.pending(limit: 1).first)
        #expect(point.provider == .unknown)
        #expect(point.movement == .steady)
        #expect(point.acceptReason == .initial)
        #expect(point.latitudeE7 == .max)
        let decision = try #require(try store.decisions(LayerPage(limit: 1)).first?.decision)
        #expect(decision.verdict == .reject)
        #expect(decision.reason == .heuristicGate)
        #expect(decision.motion == .stopped)
    }

    @Test("At most one session is open")
    func sessions() throws {
        let store = try SQLiteStore(path: ":memory:")
        #expect(try store.openSession() == nil)
        try store.begin(session)
        #expect(try store.openSession() == session)
        let second = Session(id: "second", startedAt: UTCTime(millis: 5))
        #expect(throws: StoreFailure.self) { try store.begin(second) }
        try store.end(sessionID: session.id, at: UTCTime(millis: 9))
        #expect(try store.openSession() == nil)
        try store.begin(second)
        #expect(try store.openSession() == second)
        #expect(throws: StoreFailure.self) { try store.begin(session) }
        try store.end(sessionID: "unknown", at: UTCTime(millis: 9))
    }

    @Test("A named value is replaced and read back to the byte")
    func namedValues() throws {
        let store = try SQLiteStore(path: ":memory:")
        #expect(try store.state(.capture) == nil)
        try store.setState(.capture, "one")
        try store.setState(.capture, "nul\u{0} inside")
        #expect(try store.state(.capture) == "nul\u{0} inside")
    }
}

@Suite("What a point adds")
struct OdometerTests {
    @Test("The device's total grows once for each stored point, and not for one that was stored before")
    func total() throws {
        let store = try memoryStore()
        var record = sampleRecord(1)
        record.legMM = 1_500
        _ = try store.commit(record)
        _ = try store.commit(record)
        var next = sampleRecord(2)
        next.legMM = 2_500
        _ = try store.commit(next)
        #expect(try store.state(.odometer) == "4000")
    }

    @Test("A significant stop is marked on its point, which is queued once more if it was sent")
    func significantStop() throws {
        let store = try memoryStore()
        let id = try #require(try store.commit(sampleRecord(1)))
        try store.markSent(ids: [id], stops: [], at: UTCTime(millis: 1))
        try store.markSignificantStop(uuid: "uuid-1")
        try store.markSignificantStop(uuid: "uuid-1")
        #expect(try store.pending(limit: 9).map(\.isSignificantStop) == [true])
        #expect(try store.queueSummary().pending == 1)
        // A restarted tracker notices the same stop again: it was told, and is not told once more.
        try store.markSent(ids: [id], stops: [id], at: UTCTime(millis: 2))
        try store.markSignificantStop(uuid: "uuid-1")
        #expect(try store.queueSummary().pending == 0)
    }

    @Test("A stop that is marked while its row is under way is sent once more")
    func significantStopInFlight() throws {
        let store = try memoryStore()
        for number in 1...2 { _ = try store.commit(sampleRecord(number)) }
        let sent = try store.pending(limit: 9).map(\.id)
        try store.markSignificantStop(uuid: "uuid-1")
        try store.markSent(ids: sent, stops: [], at: UTCTime(millis: 1))
        #expect(try store.pending(limit: 9).map(\.id) == [1])
        #expect(try store.queueSummary().pending == 1)
        try store.markSent(ids: [1], stops: [1], at: UTCTime(millis: 2))
        #expect(try store.queueSummary().pending == 0)
    }

    @Test("Gap, activity and the evidence of a decision come back as they were")
    func evidence() throws {
        let store = try memoryStore()
        var record = sampleRecord(1)
        record.point?.silenceMillis = 600_000
        record.point?.gapCause = .sky
        record.point?.activity = .walking
        record.point?.activitySince = UTCTime(millis: 7)
        record.decision?.evidence.sigmaMM = 12
        record.decision?.evidence.flags = [.gap, .latched]
        _ = try store.commit(record)
        #expect(try store.decisions(LayerPage(limit: 1)).map(\.decision) == [record.decision])
        let point = try #require(try store.lastPoint(sessionID: session.id))
        #expect(point.silenceMillis == 600_000 && point.gapCause == .sky)
        #expect(point.activity == .walking && point.activitySince == UTCTime(millis: 7))
    }
}
