import Glibc
import Ports

/// The diagnostic layers in a file of their own. Nobody waits for the disk (`synchronous = OFF`), and a file that is damaged
/// or of another version is replaced by an empty one.
final class DiagnosticsFile {
    private let path: String
    private var database: Database?

    /// Beside `tracker.db` it is `tracker.db-diagnostics`.
    init(beside path: String) { self.path = path + "-diagnostics" }

    /// One transaction; why it could not be, or `nil`.
    func write(_ body: (Database) throws(StoreFailure) -> Void) -> StoreFailure? {
        do throws(StoreFailure) {
            let database = try connected()
            try database.transaction { () throws(StoreFailure) in try body(database) }
            return nil
        } catch {
            return error
        }
    }

    func connected() throws(StoreFailure) -> Database {
        if let database, database.damage == nil { return database }
        do throws(StoreFailure) {
            if database == nil { return try open() }
        } catch { guard error.code != .full, error.code != .readOnly else { throw error } }
        _ = remove()
        return try open()
    }

    /// False when there is none.
    func remove() -> Bool {
        database = nil
        return ["", "-wal", "-shm"].reduce(false) { unlink(path + $1) == 0 || $0 }
    }

    private func open() throws(StoreFailure) -> Database {
        let fresh = try Database(path: path)
        try fresh.execute("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        // Its tables are those of the one file; those of points stay empty here.
        try Schema.check(fresh)
        try Schema.migrate(fresh)
        guard try Schema.isComplete(fresh) else { throw .damaged("the tables are not those that were made") }
        database = fresh
        return fresh
    }
}
