import Ports
import TestKit
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("Fences and their history")
struct FenceStoreTests {
    private func fence(_ id: String, dwellMillis: Int64? = nil) -> Geofence {
        Geofence(
            id: id, latitudeE7: -899_999_999, longitudeE7: 1_799_999_999, radiusMM: 5_000, notifyOnEntry: false,
            notifyOnExit: true, dwellAfterMillis: dwellMillis)
    }

    private func crossing(_ id: String, _ kind: FenceCrossing.Kind, _ second: Int64) -> FenceCrossing {
        FenceCrossing(
            fenceID: id, kind: kind, time: UTCTime(millis: second * 1_000), latitudeE7: 1, longitudeE7: -2,
            radiusMM: 30_000)
    }

    private func at(_ second: Int64) -> UTCTime { UTCTime(millis: second * 1_000) }

    /// Both keep the promises of the port.
    private func stores() throws -> [any TrackStore] { [try SQLiteStore(path: ":memory:"), MemoryStore()] }

    @Test("Every column of a fence and of a crossing comes back as it went in, from the file too")
    func roundTrip() throws {
        let scratch = try ScratchDirectory()
        var store = try SQLiteStore(path: scratch.database)
        let home = Geofence(
            id: "Zuhause – \u{1F3E0}", latitudeE7: 470_000_001, longitudeE7: -83_000_000, radiusMM: 100_000_000,
            dwellAfterMillis: 600_000)
        _ = try store.arm(home, at: at(5))
        _ = try store.arm(fence("b"), at: at(6))
        var entry = crossing(home.id, .enter, 7)
        entry.isLate = true
        var stay = crossing(home.id, .dwell, 8)
        stay.isUnverified = true
        for (index, row) in [entry, stay].enumerated() { #expect(try store.append(row) == Int64(index + 1)) }
        (entry.id, stay.id) = (1, 2)
        store.close()
        store = try SQLiteStore(path: scratch.database)
        #expect(try store.crossings(fenceID: nil, limit: 10) == [stay, entry])
        #expect(
            try store.fences() == [
                ArmedFence(fence: home, armedAt: at(5), latest: stay), ArmedFence(fence: fence("b"), armedAt: at(6)),
            ])
    }

    @Test(
        "Arming under the same id replaces the fence and keeps its history, known as that of an earlier arming (E-158)")
    func replace() throws {
        for store in try stores() {
            #expect(try store.arm(fence("a"), at: at(1)) == ArmedFence(fence: fence("a"), armedAt: at(1)))
            _ = try store.append(crossing("a", .enter, 2))
            let moved = fence("a", dwellMillis: 9)
            let again = try store.arm(moved, at: at(3))
            #expect(again.fence == moved && again.latest?.kind == .enter && again.isLatestOlder)
            #expect(try store.fences() == [again])
            _ = try store.append(crossing("a", .exit, 4))
            #expect(try store.fences().first?.isLatestOlder == false)
        }
    }

    @Test("The history takes each crossing once, whoever reports it (E-168)")
    func once() throws {
        for store in try stores() {
            _ = try store.arm(fence("a"), at: at(1))
            let steps: [(FenceCrossing.Kind, isTaken: Bool)] = [
                (.enter, true), (.enter, false), (.dwell, true), (.dwell, false), (.enter, false), (.exit, true),
                (.exit, false), (.dwell, false), (.enter, true), (.dwell, true), (.exit, true),
            ]
            for (index, step) in steps.enumerated() {
                let id = try store.append(crossing("a", step.0, Int64(index)))
                #expect((id != nil) == step.isTaken, "step \(index), \(step.0)")
            }
            #expect(try store.crossings(fenceID: "a", limit: 100).count == 6)
        }
    }

    @Test("A dwell of an earlier arming does not stand in the way of one of this arming (E-158)")
    func dwellAgain() throws {
        for store in try stores() {
            _ = try store.arm(fence("a"), at: at(1))
            _ = try store.append(crossing("a", .enter, 2))
            _ = try store.append(crossing("a", .dwell, 3))
            _ = try store.arm(fence("a"), at: at(4))
            #expect(try store.append(crossing("a", .dwell, 5)) != nil)
            #expect(try store.append(crossing("a", .dwell, 5)) == nil)
        }
    }

    @Test("What nobody asked to be told of is kept as state and not listed; it does not silence what somebody asks for")
    func unreported() throws {
        for store in try stores() {
            _ = try store.arm(fence("a"), at: at(1))
            var silent = crossing("a", .enter, 2)
            silent.isNotified = false
            #expect(try store.append(silent) != nil)
            #expect(try store.append(silent) == nil)
            #expect(try store.crossings(fenceID: "a", limit: 10).isEmpty)
            #expect(try store.fences().first?.latest?.kind == .enter)
            #expect(try store.append(crossing("a", .enter, 3)) != nil)
            #expect(try store.crossings(fenceID: "a", limit: 10).count == 1)
            #expect(try store.deleteCrossings(fenceID: nil) == 1)
        }
    }

    @Test("Removing: false for an unknown id (E-159); the history stays until it is deleted (E-171)")
    func remove() throws {
        for store in try stores() {
            #expect(try !store.removeFence(id: "a", at: at(1)))
            for id in ["a", "b", "c"] {
                _ = try store.arm(fence(id), at: at(1))
                _ = try store.append(crossing(id, .enter, 2))
            }
            _ = try store.append(crossing("c", .exit, 3))
            #expect(try store.removeFence(id: "a", at: at(4)))
            #expect(try store.fences().map(\.fence.id) == ["b", "c"])
            #expect(try store.removeAllFences(at: at(5)) == ["b", "c"])
            #expect(try store.fences().isEmpty)
            #expect(try store.removeAllFences(at: at(6)).isEmpty)
            #expect(try store.crossings(fenceID: nil, limit: 10).map(\.fenceID) == ["c", "c", "b", "a"])
            #expect(try store.deleteCrossings(fenceID: "c") == 2)
            #expect(try store.crossings(fenceID: nil, limit: 10).map(\.fenceID) == ["b", "a"])
            #expect(try store.deleteCrossings(fenceID: nil) == 2)
            #expect(try store.crossings(fenceID: nil, limit: 10).isEmpty)
        }
    }

    @Test("A stay ends with its fence: armed once more, the entry is reported again")
    func removedInside() throws {
        for store in try stores() {
            for removal in 0..<2 {
                _ = try store.arm(fence("a"), at: at(1))
                #expect(try store.append(crossing("a", .enter, 2)) != nil, "removal \(removal)")
                #expect(try store.append(crossing("a", .enter, 2)) == nil)
                if removal == 0 {
                    _ = try store.removeFence(id: "a", at: at(3))
                } else {
                    _ = try store.removeAllFences(at: at(3))
                }
                #expect(try store.arm(fence("a"), at: at(4)).latest?.kind == .exit)
            }
            #expect(try store.crossings(fenceID: "a", limit: 10).map(\.kind) == [.enter, .enter])
        }
    }

    @Test("The newest rows are kept, trimmed every 256 inserts; and the state of an armed fence, however old")
    func ring() throws {
        let store = try SQLiteStore(path: ":memory:")
        store.crossingCapacity = 300
        for id in ["parked", "gone"] {
            _ = try store.arm(fence(id), at: at(1))
            _ = try store.append(crossing(id, .enter, 2))
        }
        _ = try store.removeFence(id: "gone", at: at(3))
        for second in 0..<Int64(997) {
            #expect(try store.append(crossing("busy", second.isMultiple(of: 2) ? .enter : .exit, second)) != nil)
        }
        let kept = try store.crossings(fenceID: nil, limit: 10_000)
        // The last trim was at insert 768; 232 came since.
        #expect(kept.count == 300 + 232 + 1)
        #expect(kept.last?.fenceID == "parked" && kept.first?.time == at(996))
        #expect(try store.fences().first?.latest?.kind == .enter)
        #expect(try SQLiteStore(path: ":memory:").crossingCapacity == 10_000)
    }

    @Test("The newest crossings of one fence or of all, newest first, up to a limit")
    func limit() throws {
        for store in try stores() {
            for second in 0..<Int64(20) {
                _ = try store.append(
                    crossing(second % 4 < 2 ? "a" : "b", second.isMultiple(of: 2) ? .enter : .exit, second))
            }
            #expect(try store.crossings(fenceID: nil, limit: 3).map(\.time.millis) == [19_000, 18_000, 17_000])
            #expect(try store.crossings(fenceID: "a", limit: 3).map(\.time.millis) == [17_000, 16_000, 13_000])
            #expect(try store.crossings(fenceID: "c", limit: 3).isEmpty)
            #expect(try store.crossings(fenceID: nil, limit: 0).isEmpty)
        }
    }

    @Test("Reported crossings after one, oldest first")
    func after() throws {
        for store in try stores() {
            for second in 1...3 {
                _ = try store.append(crossing("a", .enter, Int64(second) * 10))
                var silent = crossing("a", .exit, Int64(second) * 10 + 5)
                silent.isNotified = second == 2
                _ = try store.append(silent)
            }
            func ids(_ after: Int64, _ limit: Int) throws -> [Int64] {
                try store.crossings(after: after, limit: limit).map(\.id)
            }
            #expect(try ids(0, 10) == [1, 3, 4, 5])
            #expect(try ids(3, 10) == [4, 5])
            #expect(try ids(0, 2) == [1, 3])
            #expect(try ids(5, 10).isEmpty)
        }
    }

    @Test("Rows of another hand are read as something that does no harm")
    func foreignRows() throws {
        let store = try SQLiteStore(path: ":memory:")
        _ = try store.arm(fence("a"), at: at(1))
        _ = try store.append(crossing("a", .enter, 2))
        try store.connected().execute(
            """
            UPDATE geofence SET radius_mm = -9, dwell_after_ms = 9223372036854775807, latitude_e7 = 99999999999;
            UPDATE geofence_event SET kind = 'hover', time_ms = 9223372036854775807;
            """)
        let armed = try #require(try store.fences().first)
        #expect(armed.fence.radiusMM == 5_000 && armed.fence.dwellAfterMillis == nil && armed.fence.latitudeE7 == .max)
        #expect(armed.latest?.kind == .exit)
    }

    @Test("A file of the schema before fences is brought up with its rows, and takes fences (E-153)")
    func migrated() throws {
        let scratch = try ScratchDirectory()
        do {
            let old = try Database(path: scratch.database)
            let before = try #require(Schema.migrations.firstIndex { $0.name.hasPrefix("geofences") })
            for migration in Schema.migrations[..<before] { try old.execute(migration.sql) }
            try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(before)")
            try old.execute("INSERT INTO session VALUES ('s', 5, NULL)")
        }
        let store = try SQLiteStore(path: scratch.database)
        #expect(try store.openSession()?.id == "s")
        #expect(try store.arm(fence("a"), at: at(1)).fence.id == "a")
    }

    @Test("A full disk refuses an arming whole: the fence of before is still armed")
    func fullDisk() throws {
        let store = try SQLiteStore(path: ":memory:")
        _ = try store.arm(fence("a"), at: at(1))
        let database = try store.connected()
        let pages = try #require(try database.integer("PRAGMA page_count"))
        try database.execute("PRAGMA max_page_count = \(pages)")
        #expect(throws: StoreFailure.self) {
            for number in 0..<1_000 { _ = try store.arm(fence("more \(number)"), at: at(1)) }
        }
        #expect(try store.fences().contains { $0.fence.id == "a" })
    }
}
