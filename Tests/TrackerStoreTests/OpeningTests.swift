import Glibc
import Ports
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("Opening what is there")
struct OpeningTests {
    private static func failure(_ code: StoreFailure.Code) -> StoreFailure {
        StoreFailure(code: code, cause: "", remedy: "")
    }

    /// A closed database with 500 points, some tens of pages.
    private func filled(_ scratch: ScratchDirectory) throws {
        let store = try SQLiteStore(path: scratch.database)
        try store.begin(session)
        for number in 1...500 { _ = try store.commit(sampleRecord(number)) }
        store.close()
    }

    @Test(
        "A file that is no database is set aside whole and a fresh one begun",
        arguments: [2, 100, 511, 4_096, 100_000])
    func garbage(size: Int) throws {
        let scratch = try ScratchDirectory()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
        writeFile(scratch.database, bytes)
        writeFile(scratch.database + "-wal", [1, 2, 3])
        let store = try SQLiteStore(path: scratch.database)
        let aside = scratch.database + ".damaged-1"
        #expect(store.recovery?.setAside.first == aside)
        #expect(readFile(aside) == bytes)
        try store.begin(session)
        // Where the old file does not say how far ids had come, new ones begin far behind.
        #expect(try store.commit(sampleRecord(1)) == (1 << 40) + 1)
    }

    @Test("Damaged files are numbered, none is overwritten")
    func numbering() throws {
        let scratch = try ScratchDirectory()
        for number in 1...3 {
            writeFile(scratch.database, Array("not a database \(number)".utf8))
            let store = try SQLiteStore(path: scratch.database)
            #expect(store.recovery?.setAside.first == scratch.database + ".damaged-\(number)")
            store.close()
        }
        #expect(readFile(scratch.database + ".damaged-2") == Array("not a database 2".utf8))
    }

    @Test("Zeroed pages are noticed at opening and set aside (E-142)", arguments: [1, 2, 5, 20])
    func zeroedPage(page: Int) throws {
        let scratch = try ScratchDirectory()
        try filled(scratch)
        var bytes = readFile(scratch.database)
        for index in (page * 4_096)..<((page + 1) * 4_096) { bytes[index] = 0 }
        writeFile(scratch.database, bytes)
        let store = try SQLiteStore(path: scratch.database)
        #expect(store.recovery != nil)
        #expect((475...500).contains(try store.queueSummary().stored))
    }

    @Test("A file cut short is set aside, what is whole brought over; begun anew when nothing was left; never a crash")
    func truncated() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch)
        let bytes = readFile(scratch.database)
        for cut in [0, 2, 99, 100, 4_095, 4_096, 8_192, bytes.count / 2, bytes.count - 4_096] {
            let copy = try ScratchDirectory()
            writeFile(copy.database, Array(bytes[..<cut]))
            let store = try SQLiteStore(path: copy.database)
            #expect((store.recovery != nil) == (cut > 0), "cut at \(cut)")
            #expect(try store.queueSummary().stored <= 500 * Int64(cut) / Int64(bytes.count) + 25, "cut at \(cut)")
        }
    }

    @Test("A newer schema is refused and not touched (E-138)")
    func newerSchema() throws {
        let scratch = try ScratchDirectory()
        try filled(scratch)
        try Database(path: scratch.database).execute("PRAGMA user_version = 99")
        let before = readFile(scratch.database)
        #expect(throws: Self.failure(.newerSchema)) { _ = try SQLiteStore(path: scratch.database) }
        #expect(readFile(scratch.database) == before)
        #expect(!scratch.names().contains { $0.contains("damaged") })
    }

    @Test("Another program's database is refused and not touched")
    func foreign() throws {
        let scratch = try ScratchDirectory()
        try Database(path: scratch.database).execute("CREATE TABLE recipe (name TEXT)")
        let before = readFile(scratch.database)
        #expect(throws: Self.failure(.cannotOpen)) { _ = try SQLiteStore(path: scratch.database) }
        #expect(readFile(scratch.database) == before)
    }

    @Test(
        "A directory that is missing, is a file, or takes no files is said so",
        arguments: ["/nonexistent/tracker.db", "/etc/hostname/tracker.db", "/proc/tracker.db", "/sys/tracker.db"])
    func unusableDirectory(path: String) throws {
        #expect {
            _ = try SQLiteStore(path: path)
        } throws: { error in
            guard let failure = error as? StoreFailure else { return false }
            return [.cannotOpen, .readOnly].contains(failure.code) && failure.cause.contains(path)
        }
    }

    @Test("A read-only directory is said so", .enabled(if: geteuid() != 0, "skipped: root may write anywhere"))
    func readOnlyDirectory() throws {
        let scratch = try ScratchDirectory()
        chmod(scratch.path, 0o555)
        defer { chmod(scratch.path, 0o755) }
        #expect(throws: Self.failure(.cannotOpen)) { _ = try SQLiteStore(path: scratch.database) }
    }

    struct ResultCode: Sendable {
        var sqlite: Int32
        var systemError: Int32
        var code: StoreFailure.Code
    }

    /// sqlite.org/rescode.html and errno(3).
    static let resultCodes: [ResultCode] = [
        ResultCode(sqlite: 13, systemError: 0, code: .full),
        ResultCode(sqlite: 264, systemError: 0, code: .readOnly),  // READONLY_RECOVERY
        ResultCode(sqlite: 778, systemError: EIO, code: .io),  // IOERR_WRITE
        ResultCode(sqlite: 4_874, systemError: ENOSPC, code: .full),  // IOERR_SHMSIZE
        ResultCode(sqlite: 5, systemError: 0, code: .locked),
        ResultCode(sqlite: 6, systemError: 0, code: .locked),
        ResultCode(sqlite: 11, systemError: 0, code: .corrupt),
        ResultCode(sqlite: 26, systemError: 0, code: .corrupt),
        ResultCode(sqlite: 14, systemError: EACCES, code: .cannotOpen),
        ResultCode(sqlite: 14, systemError: EROFS, code: .readOnly),
        ResultCode(sqlite: 2_067, systemError: 0, code: .io),  // CONSTRAINT_UNIQUE
    ]

    @Test("SQLite's result codes become the store's", arguments: resultCodes)
    func resultCode(row: ResultCode) {
        let failure = StoreFailure(sqlite: row.sqlite, systemError: row.systemError, message: "said")
        #expect(failure.code == row.code)
        #expect(failure.cause.contains("said"))
        #expect(!failure.remedy.isEmpty)
    }

    @Test(
        "On a full disk the diagnostic layers give way first; then the fix is refused whole, and the store goes on when there is room (E-141)"
    )
    func fullDisk() throws {
        let store = try memoryStore()
        let database = try store.connected()
        let pages = try #require(try database.integer("PRAGMA page_count"))
        try database.execute("PRAGMA max_page_count = \(pages + 2)")
        var stored = 0
        #expect(throws: Self.failure(.full)) {
            for number in 1...10_000 {
                _ = try store.commit(sampleRecord(number))
                stored = number
            }
        }
        #expect(try store.queueSummary().stored == Int64(stored))
        #expect(try store.decisions(LayerPage(limit: 10_000)).count <= stored)
        try database.execute("PRAGMA max_page_count = 100000")
        #expect(try store.commit(sampleRecord(stored + 1)) != nil)
    }
}
