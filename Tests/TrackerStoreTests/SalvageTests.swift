import Ports
import Testing
import TrackerModel

@testable import TrackerStore

/// What a store of these tests had committed, to compare with what is left of it.
private struct Left {
    var points: [String: TrackPoint] = [:]
    var queued: Set<String> = []
    /// `nil` when the old file did not say how many it had.
    var lost: Int64? = 0
    var isReset = false
    var odometer: String?

    init(_ path: String) throws {
        let store = try SQLiteStore(path: path)
        var notices: [StoreNotice] = []
        var upkeep = StoreUpkeep()
        repeat {
            upkeep = store.maintain(at: nil)
            notices += upkeep.notices
        } while upkeep.isUnfinished
        for _ in 0..<3 {
            // Damage that only a statement meets.
            _ = try? store.queueSummary()
            notices += store.maintain(at: nil).notices
        }
        let rows = try store.connected().rows("SELECT \(TrackPoint.columns), sync_state FROM point") { row in
            (TrackPoint(row: row), row.int(TrackPoint.columns.next) ?? 0)
        }
        for (point, state) in rows {
            points[point.uuid] = point
            if state == 0 { queued.insert(point.uuid) }
        }
        for notice in notices {
            if case .reset = notice { isReset = true }
            if case .salvaged(let report) = notice { lost = report.lostPoints }
        }
        odometer = try store.state(.odometer)
        let summary = try store.queueSummary()
        #expect(summary.stored == Int64(rows.count))
        #expect(summary.pending == Int64(queued.count))
        // Where its row was lost as well.
        if try store.openSession() == nil { try? store.begin(session) }
        #expect(try store.commit(sampleRecord(100_000)) != nil)
        store.close()
    }
}

@Suite("Salvage of a damaged database")
struct SalvageTests {
    /// Points 1...count, the odd ones sent, number 4 set aside, a fence with a crossing, 7 km on the odometer.
    @discardableResult
    private func filled(_ scratch: ScratchDirectory, _ count: Int, close: Bool = true) throws -> SQLiteStore {
        let store = try SQLiteStore(path: scratch.database)
        try store.begin(session)
        for number in 1...count {
            var record = sampleRecord(number)
            record.legMM = number == 1 ? 7_000_000 : 0
            _ = try store.commit(record)
        }
        try store.quarantine(ids: [4], reason: "status 422")
        try store.markSent(
            ids: (1...count).filter { $0 % 2 == 1 }.map(Int64.init), stops: [], at: UTCTime(millis: 50))
        let fence = Geofence(
            id: "home", latitudeE7: 1, longitudeE7: 2, radiusMM: 200_000, notifyOnEntry: true, notifyOnExit: true)
        _ = try store.arm(fence, at: UTCTime(millis: 5))
        if close { store.close() }
        return store
    }

    private func zero(_ page: Int, of path: String) {
        var bytes = readFile(path)
        for index in (page * 4_096)..<min(bytes.count, (page + 1) * 4_096) { bytes[index] = 0 }
        writeFile(path, bytes)
    }

    @Test("One zeroed page costs its rows alone: all others stay as they were, sent, queued or set aside (E-142, F-59)")
    func zeroedPages() throws {
        let original = try ScratchDirectory()
        try filled(original, 200)
        let bytes = readFile(original.database)
        for page in 0..<(bytes.count / 4_096) where page < 12 || page % 5 == 0 {
            let scratch = try ScratchDirectory()
            writeFile(scratch.database, bytes)
            zero(page, of: scratch.database)
            let left = try Left(scratch.database)
            // No page holds more than 26 of these rows.
            #expect(left.points.count >= 200 - 26, "page \(page)")
            if let lost = left.lost { #expect(Int64(200 - left.points.count) == lost, "page \(page)") }
            // The total, or the way that the newest point says.
            let way = left.points.values.map(\.odometerMM).max() ?? 0
            #expect(left.odometer == "7000000" || left.odometer == String(way), "page \(page)")
            if page == 0 { #expect(left.odometer == "7000000") }
            for (uuid, point) in left.points {
                let number = try #require(Int(uuid.dropFirst(5)))
                var wanted = samplePoint(number)
                wanted.id = Int64(number)
                #expect(point == wanted)
                #expect(left.queued.contains(uuid) == (number % 2 == 0 && number != 4), "page \(page), \(uuid)")
            }
        }
    }

    @Test("State, session, fences and what was set aside come over, and new points get higher numbers")
    func everythingElse() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch, 200)
        var bytes = readFile(scratch.database)
        bytes[0] = 0
        writeFile(scratch.database, bytes)
        let store = try SQLiteStore(path: scratch.database)
        #expect(store.recovery != nil)
        #expect(try store.openSession() == session)
        #expect(try store.state(.capture) == "state-200")
        #expect(try store.state(.odometer) == "7000000")
        #expect(try store.fences().map(\.fence.id) == ["home"])
        #expect(try store.quarantined(limit: 10).map(\.reason) == ["status 422"])
        #expect(try store.queueSummary().stored == 200)
        #expect(try store.commit(sampleRecord(201)) == 201)
        #expect(try store.commit(sampleRecord(7)) == nil)
        #expect(!scratch.names().contains { $0.contains("unread") })
        #expect(scratch.names().contains("tracker.db.damaged-1"))
    }

    @Test(
        "A flipped bit in each 512 bytes of file and log: the store opens, nothing is doubled, what is lost is counted")
    func flippedBits() throws {
        let original = try ScratchDirectory()
        let store = try filled(original, 40, close: false)
        let files = ["", "-wal"].map { readFile(original.database + $0) }
        try store.connected().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let alone = readFile(original.database)
        store.close()
        for (name, contents) in [("file", [alone, []]), ("log", files)] {
            let damagedFile = name == "file" ? 0 : 1
            // Each block of the file; of the log, which is longer, every eleventh.
            let step = damagedFile == 0 ? 512 : 512 * 11
            for (block, at) in stride(from: 0, to: contents[damagedFile].count, by: step).enumerated() {
                let scratch = try ScratchDirectory()
                var bytes = contents[damagedFile]
                let place = min(bytes.count - 1, at + block * 37 % 512)
                bytes[place] ^= 1 << (block % 8)
                for (index, suffix) in ["", "-wal"].enumerated() where !contents[index].isEmpty {
                    writeFile(scratch.database + suffix, index == damagedFile ? bytes : contents[index])
                }
                let left = try Left(scratch.database)
                let missing = (1...40).filter { left.points["uuid-\($0)"] == nil }
                // The last two commits of a log are what a power cut may tear; here that is the fence and the marks.
                #expect(missing.count <= 15, "\(name), byte \(place): \(missing) are missing")
                guard name == "file" else { continue }
                if !left.isReset { #expect(missing.count <= 1, "byte \(place): \(missing)") }
                if left.isReset, let lost = left.lost {
                    #expect(Int64(40 - left.points.count) == lost, "byte \(place)")
                }
            }
        }
    }

    @Test("A file cut at any place, or garbage from there on: what is whole stays", arguments: [true, false])
    func cut(isGarbage: Bool) throws {
        let original = try ScratchDirectory()
        let store = try filled(original, 300, close: false)
        try store.connected().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let leaves = try store.connected().rows(
            "SELECT pageno, ncell FROM dbstat WHERE name = 'point' AND pagetype = 'leaf'"
        ) { (end: Int($0.int(0) ?? 0) * 4_096, points: Int($0.int(1) ?? 0)) }
        #expect(leaves.reduce(0) { $0 + $1.points } == 300)
        store.close()
        let bytes = readFile(original.database)
        var noise: UInt32 = 1
        for cut in stride(from: 4_096, to: bytes.count, by: 4_096 * 3 + 1_111) {
            let scratch = try ScratchDirectory()
            var damaged = Array(bytes[..<cut])
            while isGarbage, damaged.count < bytes.count {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                damaged.append(UInt8(truncatingIfNeeded: noise >> 24))
            }
            writeFile(scratch.database, damaged)
            let left = try Left(scratch.database)
            #expect(left.isReset)
            let whole = leaves.reduce(0) { $1.end <= cut ? $0 + $1.points : $0 }
            #expect(left.points.count >= whole, "cut at \(cut)")
            for (uuid, point) in left.points {
                let number = try #require(Int(uuid.dropFirst(5)))
                var wanted = samplePoint(number)
                wanted.id = Int64(number)
                #expect(point == wanted)
            }
            if let lost = left.lost { #expect(Int64(300 - left.points.count) == lost) }
        }
    }

    @Test(
        "Damage that a statement meets at run time: the next call goes on, in the same session, with what was legible")
    func atRunTime() throws {
        let scratch = try ScratchDirectory()
        let store = try filled(scratch, 400, close: false)
        try store.connected().execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = 1; PRAGMA shrink_memory")
        for page in 10..<30 { zero(page, of: scratch.database) }
        var refused = 0
        for number in 401...420 {
            do throws(StoreFailure) { _ = try store.commit(sampleRecord(number)) } catch {
                #expect(error.code == .corrupt)
                refused += 1
                _ = try store.commit(sampleRecord(number))
            }
            _ = try? store.pending(limit: 500)
        }
        #expect(refused <= 1)
        while store.maintain(at: nil).isUnfinished {}
        #expect(store.recovery != nil)
        #expect(try store.openSession() == session)
        let uuids = try store.pending(limit: 1_000).map(\.uuid)
        #expect(Set(uuids).isSuperset(of: (402...420).map { "uuid-\($0)" }))
        #expect(try store.queueSummary().stored > 150)
    }

    @Test("A salvage that is interrupted goes on at the next opening, and no row comes twice")
    func interrupted() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch, 6_000)
        zero(3, of: scratch.database)
        var found: Int64 = 0
        for _ in 0..<100 {
            let store = try SQLiteStore(path: scratch.database)
            found = try store.queueSummary().stored
            if store.salvage == nil { break }
            _ = store.maintain(at: nil)
        }
        #expect(found > 5_900)
        #expect(scratch.names().contains("tracker.db.damaged-1"))
    }

    @Test("Of damaged files the newest three are kept")
    func generations() throws {
        let scratch = try ScratchDirectory()
        for number in 1...5 {
            writeFile(scratch.database, Array("not a database \(number)".utf8))
            try SQLiteStore(path: scratch.database).close()
        }
        let kept = scratch.names().filter { $0.contains("damaged") }
        #expect(kept == (3...5).map { "tracker.db.damaged-\($0)" })
    }
}
