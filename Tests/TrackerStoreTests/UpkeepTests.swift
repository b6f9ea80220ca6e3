import Ports
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("Upkeep of the store")
struct UpkeepTests {
    private static let day: Int64 = 86_400_000
    /// The last sample point is some seconds after this.
    private static let start = UTCTime(millis: 1_700_000_000_000)

    private func drained(_ store: SQLiteStore, at time: UTCTime?) -> [StoreNotice] {
        var notices: [StoreNotice] = []
        for _ in 0..<10_000 {
            let upkeep = store.maintain(at: time)
            notices += upkeep.notices
            if !upkeep.isUnfinished { break }
        }
        return notices
    }

    private func store(_ retention: PointRetention = PointRetention(), points: Int) throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", retention: retention)
        try store.begin(session)
        for number in 1...points { _ = try store.commit(sampleRecord(number)) }
        return store
    }

    @Test("Points that were sent go after seven days; queued ones and those of the open session never (E-150)")
    func byAge() throws {
        let store = try store(points: 2_500)
        try store.markSent(ids: Array(1...2_000), stops: [], at: UTCTime(millis: 1))
        try store.quarantine(ids: [2_001], reason: "status 422")
        let later = Self.start.advanced(byMillis: 8 * Self.day)
        _ = drained(store, at: later)
        #expect(try store.queueSummary().stored == 2_500)
        try store.end(sessionID: session.id, at: Self.start)
        // Once a day is enough.
        _ = drained(store, at: later)
        #expect(try store.queueSummary().stored == 2_500)
        _ = drained(store, at: nil)
        #expect(try store.queueSummary().stored == 2_500)
        _ = drained(store, at: later.advanced(byMillis: Self.day))
        let summary = try store.queueSummary()
        #expect(summary.stored == 500)
        #expect(summary.pending == 499)
        // Set aside is not delivered: the operator may have them sent yet.
        #expect(summary.quarantined == 1)
        #expect(try store.connected().integer("SELECT count(*) FROM point") == 500)
    }

    @Test("Young points stay, and 0 days is for ever")
    func young() throws {
        var forEver = PointRetention()
        forEver.days = 0
        for (retention, age) in [(PointRetention(), 6), (forEver, 9_999)] {
            let store = try store(retention, points: 50)
            try store.markSent(ids: Array(1...50), stops: [], at: UTCTime(millis: 1))
            try store.end(sessionID: session.id, at: Self.start)
            _ = drained(store, at: Self.start.advanced(byMillis: Int64(age) * Self.day))
            #expect(try store.queueSummary().stored == 50)
        }
    }

    @Test("Beyond maxRecords the oldest that were sent go")
    func byNumber() throws {
        var retention = PointRetention()
        retention.most = 1_000
        let store = try store(retention, points: 3_000)
        try store.markSent(ids: Array(11...2_900), stops: [], at: UTCTime(millis: 1))
        try store.end(sessionID: session.id, at: Self.start)
        _ = drained(store, at: Self.start)
        #expect(try store.queueSummary().stored == 1_000)
        #expect(try store.pending(limit: 5_000).map(\.id) == Array(1...10) + Array(2_901...3_000))
    }

    @Test("Decisions older than their days go with it")
    func decisions() throws {
        let store = try store(points: 10)
        #expect(try store.decisions(LayerPage(limit: 100)).count == 10)
        var young = sampleRecord(11)
        young.decision?.time = Self.start.advanced(byMillis: -2 * Self.day)
        _ = try store.commit(young)
        _ = drained(store, at: Self.start)
        #expect(try store.decisions(LayerPage(limit: 100)).map(\.decision) == [try #require(young.decision)])
    }

    /// A store on a file system whose free room the test says.
    private func lowStore(_ scratch: ScratchDirectory, _ room: Room, points: Int) throws -> SQLiteStore {
        var layers = DiagnosticLayers()
        layers.keepsRawFixes = true
        layers.keepsRawPoints = true
        let store = try SQLiteStore(path: scratch.database, layers: layers) { _ in
            StorageUsage(usedBytes: 0, freeBytes: room.free, totalBytes: 1_000)
        }
        try store.begin(session)
        for number in 1...points {
            var record = sampleRecord(number)
            record.decision?.time = nil
            record.rawFix = RawFix(
                time: nil, instant: Instant(millis: Int64(number)), bootID: "boot", provider: .gnss, isMock: false)
            record.judged = JudgedPoint(point: samplePoint(number), verdict: .accept)
            _ = try store.commit(record)
        }
        return store
    }

    private final class Room {
        var free: Int64 = 1_000
    }

    private func rows(_ store: SQLiteStore) throws -> [Int64] {
        let database = try store.connected()
        return try ["raw_fix", "raw_point", "decision", "point WHERE sync_state = 1", "point WHERE sync_state = 0"].map
        {
            try database.integer("SELECT count(*) FROM \($0)") ?? -1
        }
    }

    @Test(
        "Below 5 % free layer 1, layer 3, decisions, sent and then queued points give way, the oldest first (E-141, F-64)"
    )
    func shedOrder() throws {
        let scratch = try ScratchDirectory()
        let room = Room()
        let store = try lowStore(scratch, room, points: 4_000)
        try store.markSent(ids: Array(1...2_000), stops: [], at: UTCTime(millis: 1))
        #expect(drained(store, at: nil).isEmpty)
        #expect(try rows(store) == [4_000, 4_000, 4_000, 2_000, 2_000])
        room.free = 49
        var seen: [[Int64]] = [try rows(store)]
        var notices: [StoreNotice] = []
        var next = 5_000
        for _ in 0..<40 {
            notices += drained(store, at: nil)
            seen.append(try rows(store))
            // What comes in takes the room that was made; then more is needed.
            for _ in 0..<300 {
                _ = try store.commit(
                    FixRecord(sessionID: session.id, decision: nil, point: samplePoint(next), captureState: ""))
                next += 1
            }
        }
        for (before, after) in zip(seen, seen.dropFirst()) {
            // A kind is touched only when those before it are gone.
            for kind in 0..<4 where after[kind] < before[kind] && kind > 0 { #expect(after[kind - 1] == 0) }
        }
        #expect(try rows(store).prefix(4).allSatisfy { $0 == 0 })
        #expect(notices.first == .low(freeBytes: 49))
        let shed = notices.reduce(Int64(0)) { if case .shed(let count) = $1 { $0 + count } else { $0 } }
        #expect(shed > 0)
        #expect(try store.queueSummary().pending == 2_000 + Int64(next - 5_000) - shed)
        #expect(try store.pending(limit: 1).first?.id == 2_001 + shed)
        // No more went than was needed.
        #expect(try store.queueSummary().pending > 5_000)
        room.free = 500
        #expect(drained(store, at: nil) == [.roomAgain])
    }

    @Test("A file that is full makes room by itself and takes the next point")
    func full() throws {
        let scratch = try ScratchDirectory()
        let store = try lowStore(scratch, Room(), points: 1_000)
        let pages = try #require(try store.connected().integer("PRAGMA page_count"))
        try store.connected().execute("PRAGMA max_page_count = \(pages)")
        var refused = 0
        for number in 2_000..<3_000 {
            let record = FixRecord(
                sessionID: session.id, decision: nil, point: samplePoint(number), captureState: "")
            do throws(StoreFailure) { _ = try store.commit(record) } catch {
                #expect(error.code == .full)
                refused += 1
                _ = drained(store, at: nil)
                #expect(try store.commit(record) != nil)
            }
        }
        #expect(refused > 0)
        #expect(try store.queueSummary().pending == 2_000)
    }

    @Test("Diagnostics in a file of their own: a damaged one is replaced, and on a low disk it goes first")
    func separateDiagnostics() throws {
        let scratch = try ScratchDirectory()
        let room = Room()
        var layers = DiagnosticLayers()
        layers.hasOwnFile = true
        func open() throws -> SQLiteStore {
            try SQLiteStore(path: scratch.database, layers: layers) { _ in
                StorageUsage(usedBytes: 0, freeBytes: room.free, totalBytes: 1_000)
            }
        }
        let first = try open()
        try first.begin(session)
        for number in 1...100 { _ = try first.commit(sampleRecord(number)) }
        #expect(try first.decisions(LayerPage(limit: 1_000)).count == 100)
        #expect(try first.connected().integer("SELECT count(*) FROM decision") == 0)
        first.close()
        writeFile(scratch.database + "-diagnostics", [UInt8](repeating: 7, count: 9_000))
        let second = try open()
        #expect(second.recovery == nil)
        for number in 101...110 { _ = try second.commit(sampleRecord(number)) }
        #expect(second.layerFailure == nil)
        #expect(try second.decisions(LayerPage(limit: 1_000)).count == 10)
        #expect(try second.queueSummary().stored == 110)
        room.free = 10
        _ = drained(second, at: nil)
        #expect(!scratch.names().contains { $0.contains("diagnostics") })
        #expect(try second.queueSummary().stored == 110)
    }

    @Test("Counts of commits and pages grow with what is written")
    func writes() throws {
        let scratch = try ScratchDirectory()
        let store = try SQLiteStore(path: scratch.database)
        try store.begin(session)
        let before = store.writes
        for number in 1...500 { _ = try store.commit(sampleRecord(number)) }
        let after = store.writes
        #expect(after.commits - before.commits == 500)
        #expect(after.pages - before.pages > 1_500)
        #expect(after.bytes == after.pages * 4_120)
        #expect(after.checkpoints > before.checkpoints)
    }
}
