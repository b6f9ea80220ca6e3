import Glibc
public import Ports

/// The track on one SQLite file: write-ahead log, `synchronous = FULL`, so that what a returned call wrote survives a
/// power cut (spec sync §10).
///
/// One process writes; others may read (`sqlite3 -readonly tracker.db`). All calls on one thread.
public final class SQLiteStore: TrackStore {
    public let name: String
    /// Set when opening found the old file damaged and began a fresh one: report `storageReset`.
    public let recovery: StoreRecovery?

    private let isInMemory: Bool
    private var lock: StoreLock?
    private var database: Database?
    /// Row counts, so that the queue's summary costs no scan. This is the only writer, so they cannot drift.
    var storedCount: Int64 = 0
    var pendingCount: Int64 = 0
    var quarantinedCount: Int64 = 0
    let layers: DiagnosticLayers
    public internal(set) var layerFailure: StoreFailure?
    /// Fence crossings kept (spec api §6).
    var crossingCapacity: Int64 = 10_000

    /// Opens or creates the database; its directory must exist. `:memory:` keeps everything in memory.
    ///
    /// Throws `locked` while another process has it, `newerSchema` and foreign files untouched, `cannotOpen`,
    /// `readOnly`, `full` or `io` as the system says. A damaged file is set aside, see `recovery`.
    public init(path: String, layers: DiagnosticLayers = DiagnosticLayers()) throws(StoreFailure) {
        name = path
        self.layers = layers
        isInMemory = path == ":memory:"
        if !isInMemory { lock = try StoreLock(path: path + ".lock") }
        var recovery: StoreRecovery?
        let database: Database
        do throws(StoreFailure) {
            database = try Self.opened(path)
        } catch {
            guard error.code == .corrupt, !isInMemory else {
                throw StoreFailure(code: error.code, cause: "\(path): \(error.cause)", remedy: error.remedy)
            }
            recovery = try StoreRecovery.settingAside(path, cause: error.cause)
            database = try Self.opened(path)
        }
        self.recovery = recovery
        self.database = database
        storedCount = try database.integer("SELECT count(*) FROM point") ?? 0
        pendingCount = try database.integer("SELECT count(*) FROM point WHERE sync_state = 0") ?? 0
        quarantinedCount = try database.integer("SELECT count(*) FROM point WHERE sync_state = 2") ?? 0
    }

    private static func opened(_ path: String) throws(StoreFailure) -> Database {
        let database = try Database(path: path)
        // A reader of another process holds its lock for milliseconds; 5 s is far beyond that.
        try database.execute("PRAGMA busy_timeout = 5000")
        try Schema.check(database)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA journal_size_limit = 4194304;
            """)
        let verdict = try database.rows("PRAGMA quick_check(1)") { $0.text(0) ?? "" }
        guard verdict == ["ok"] else {
            throw StoreFailure(
                code: .corrupt, cause: "quick_check: \(verdict.first ?? "no answer")",
                remedy: "Nothing to do: the damaged database is set aside and a fresh one begun.")
        }
        try Schema.migrate(database)
        return database
    }

    /// The open connection, or `cannotOpen` after `close`.
    func connected() throws(StoreFailure) -> Database {
        guard let database else {
            throw StoreFailure(code: .cannotOpen, cause: "The store was closed.", remedy: "Open it again.")
        }
        return database
    }

    public func usage() -> (usedBytes: Int64, freeBytes: Int64)? {
        guard !isInMemory, database != nil else { return nil }
        var used: Int64 = 0
        for suffix in ["", "-wal", "-shm"] {
            var facts = stat()
            if stat(name + suffix, &facts) == 0 { used += Int64(facts.st_size) }
        }
        var system = statvfs()
        guard statvfs(name, &system) == 0 else { return nil }
        // What an unprivileged process may still write.
        let free = Int64(clamping: system.f_bavail).multipliedReportingOverflow(by: Int64(clamping: system.f_frsize))
        return (used, free.overflow ? .max : free.partialValue)
    }

    public func close() {
        database = nil
        lock = nil
    }
}
