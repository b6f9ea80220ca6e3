import CSQLite
import Ports

/// One SQLite connection and its prepared statements. Every result code is checked; a statement is prepared once.
final class Database {
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    /// A statement met a damaged page, or no database at all: what it said, until the file is replaced.
    private(set) var damage: String?
    /// SQLite's code of the last failure; 1 is a statement that does not fit the tables.
    private(set) var lastCode: Int32 = 0
    private(set) var commits: Int64 = 0
    private(set) var checkpoints: Int64 = 0

    /// Opens or creates the file; nothing is read from it yet, so a damaged file is noticed by the first statement.
    init(path: String) throws(StoreFailure) {
        // The store lives on the loop thread alone, so SQLite's own mutexes would only cost.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else { throw failure(code) }
        // The hook takes the place of SQLite's own automatic checkpoint, and counts.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle,
            { context, handle, _, frames in
                guard frames >= Database.checkpointFrames, let context else { return SQLITE_OK }
                let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                // What a checkpoint cannot do now, the next one does: the transaction itself is durable.
                if sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil) == SQLITE_OK {
                    database.checkpoints += 1
                }
                return SQLITE_OK
            }, context)
    }

    /// Frames in the log from which on it is written back into the file (sqlite.org/wal.html): twice SQLite's own, so that
    /// fewer than one commit of a hundred waits for it.
    static let checkpointFrames: Int32 = 2_000

    /// Pages that this connection wrote, to the log or to the file: a frame in the log is a page and 24 bytes.
    var pagesWritten: Int64 {
        var now: Int32 = 0
        var highest: Int32 = 0
        guard sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &now, &highest, 0) == SQLITE_OK else { return 0 }
        return Int64(now)
    }

    /// SQLite writes the log back into the file when the last connection closes.
    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Runs a script of statements without values or rows.
    func execute(_ script: String) throws(StoreFailure) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs one statement and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreFailure) -> Int64 {
        _ = try rows(sql, values) { _ in }
        return Int64(sqlite3_changes(handle))
    }

    /// Runs one statement and reads each of its rows.
    func rows<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (Row) -> Value
    ) throws(StoreFailure) -> [Value] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        // A parameter without a value would be NULL, and nobody would be told.
        assert(values.count == Int(sqlite3_bind_parameter_count(statement)), sql)
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1), of: statement) }
        var result: [Value] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return result }
            guard code == SQLITE_ROW else { throw failure(code) }
            result.append(read(Row(statement)))
        }
    }

    /// The first column of the first row; `nil` when there is none or it is NULL.
    func integer(_ sql: String, _ values: [SQLValue] = []) throws(StoreFailure) -> Int64? {
        try rows(sql, values) { $0.int(0) }.first ?? nil
    }

    /// The rowid of the newest insert of this connection.
    var lastInsertID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Everything in `body` becomes durable together, or nothing does.
    func transaction<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        // IMMEDIATE: the write lock is taken before anything is read, so no later statement can fail for want of it.
        try run("BEGIN IMMEDIATE")
        do throws(StoreFailure) {
            let value = try body()
            try run("COMMIT")
            commits += 1
            return value
        } catch {
            // Some failures (disk full, I/O) have rolled back already.
            if sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    private func prepared(_ sql: String) throws(StoreFailure) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLValue, at index: Int32, of statement: OpaquePointer) throws(StoreFailure) {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(statement, index)
        case .int(let number): code = sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            // SQLITE_TRANSIENT, a macro Swift cannot import: SQLite copies the bytes before the call returns.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            code = sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), copied)
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreFailure {
        let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        let failure = StoreFailure(
            sqlite: code, systemError: handle.map { sqlite3_system_errno($0) } ?? 0, message: message)
        lastCode = code & 0xFF
        if failure.code == .corrupt { damage = failure.cause }
        return failure
    }
}
