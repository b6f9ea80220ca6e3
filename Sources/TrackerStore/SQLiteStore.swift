import Glibc
public import Ports
import TrackerModel

/// The track on one SQLite file: write-ahead log, `synchronous = FULL`, so that what a returned call wrote survives a
/// power cut (spec sync §10).
///
/// One process writes; others may read (`sqlite3 -readonly tracker.db`). All calls on one thread. A file that is found to
/// be damaged, at opening or by any statement, is set aside, a fresh one begun, and what can be read brought over.
public final class SQLiteStore: TrackStore {
    public let name: String
    /// The last time that the file was damaged and a fresh one begun.
    public private(set) var recovery: StoreRecovery?

    let isInMemory: Bool
    private var lock: StoreLock?
    private var database: Database?
    private var isClosed = false
    /// The tracker has begun with what it found then.
    private(set) var wasOpened = false
    /// How many points there are. This is the only writer, so they cannot drift.
    private(set) var counts = RowCounts()
    /// The last point that a wipe of the queue covers, while it is not finished.
    var wipedTo: Int64?
    var salvaging: Salvage?
    /// The open session, for a fresh database into which it cannot be salvaged.
    var current: Session?
    let layers: DiagnosticLayers
    let retention: PointRetention
    private let measure: (String) -> StorageUsage?
    /// The diagnostic layers, where they have a file of their own.
    var diagnostics: DiagnosticsFile?
    public internal(set) var layerFailure: StoreFailure?
    var notices: [StoreNotice] = []
    var upkeep = UpkeepState()
    /// Of connections that were closed since.
    private var earlierWrites = StoreWrites()
    /// Fence crossings kept (spec api §6).
    var crossingCapacity: Int64 = 10_000

    /// Opens or creates the database; its directory must exist. `:memory:` keeps everything in memory.
    ///
    /// Throws `locked` while another process has it, `newerSchema` and foreign files untouched, `cannotOpen`,
    /// `readOnly`, `full` or `io` as the system says. A damaged file is set aside, see `recovery`.
    /// - Parameters:
    ///   - opensLater: on a full, read-only or failing file system the store comes up all the same and refuses every call
    ///     until it can be opened, which each call tries.
    ///   - usage: the room on the file system of a path.
    public init(
        path: String, layers: DiagnosticLayers = DiagnosticLayers(), retention: PointRetention = PointRetention(),
        opensLater: Bool = false, usage: @escaping (String) -> StorageUsage? = SQLiteStore.usage
    ) throws(StoreFailure) {
        name = path
        self.layers = layers
        self.retention = retention
        measure = usage
        isInMemory = path == ":memory:"
        do throws(StoreFailure) { try open() } catch {
            guard opensLater, [.full, .readOnly, .io].contains(error.code) else { throw error }
        }
    }

    private func open() throws(StoreFailure) {
        if !isInMemory, lock == nil { lock = try StoreLock(path: name + ".lock") }
        do throws(StoreFailure) { try adopt(DatabaseOpening.open(name)) } catch {
            guard error.code == .corrupt, !isInMemory else {
                throw StoreFailure(code: error.code, cause: "\(name): \(error.cause)", remedy: error.remedy)
            }
            try setAside(cause: error.cause)
            try adopt(DatabaseOpening.open(name))
        }
        if layers.hasOwnFile, !isInMemory { diagnostics = DiagnosticsFile(beside: name) }
        startSalvage()
        wasOpened = true
        if let current { reopen(current) }
    }

    private func adopt(_ fresh: Database) throws(StoreFailure) {
        counts = try RowCounts.read(fresh)
        wipedTo = try Self.unfinishedWipe(fresh)
        database = fresh
    }

    private func setAside(cause: String) throws(StoreFailure) {
        let recovery = try StoreRecovery.settingAside(name, cause: cause)
        self.recovery = recovery
        notices.append(.reset(cause: cause, setAside: recovery.setAside.first ?? name))
    }

    /// The open connection; `cannotOpen` after `close`. One that met damage is replaced first: the call that met it has
    /// failed, the next one goes on.
    func connected() throws(StoreFailure) -> Database {
        guard !isClosed else {
            throw StoreFailure(code: .cannotOpen, cause: "The store was closed.", remedy: "Open it again.")
        }
        if let damage = database?.damage, !isInMemory {
            try setAside(cause: damage)
            disconnect()
        }
        if database == nil { try open() }
        guard let database else { throw .damaged("it cannot be opened again") }
        return database
    }

    private func disconnect() {
        earlierWrites = writes
        salvaging = nil
        upkeep = UpkeepState()
        database = nil
    }

    /// One transaction that may change how many points there are.
    func change<Value>(
        _ body: (Database, inout RowCounts) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        let database = try connected()
        var changed = counts
        do throws(StoreFailure) {
            let value = try database.transaction { () throws(StoreFailure) -> Value in
                let value = try body(database, &changed)
                if changed != counts { try changed.write(database) }
                return value
            }
            counts = changed
            upkeep.isFull = false
            return value
        } catch {
            if error.code == .full { upkeep.isFull = true }
            throw error
        }
    }

    /// Since the first opening; what is in memory is written nowhere.
    public var writes: StoreWrites {
        var writes = earlierWrites
        guard let database, !isInMemory else { return writes }
        writes.commits += database.commits
        writes.pages += database.pagesWritten
        writes.bytes = writes.pages * DatabaseOpening.frameBytes
        writes.checkpoints += database.checkpoints
        return writes
    }

    public func usage() -> StorageUsage? { isInMemory || isClosed ? nil : measure(name) }

    /// The size of a database with its log, and the room on its file system.
    public static func usage(_ path: String) -> StorageUsage? {
        var used: Int64 = 0
        for suffix in ["", "-wal", "-shm"] {
            var facts = stat()
            if stat(path + suffix, &facts) == 0 { used += Int64(facts.st_size) }
        }
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return nil }
        func bytes(_ blocks: some BinaryInteger) -> Int64 {
            let product = Int64(clamping: blocks).multipliedReportingOverflow(by: Int64(clamping: system.f_frsize))
            return product.overflow ? .max : product.partialValue
        }
        // What an unprivileged process may still write.
        return StorageUsage(usedBytes: used, freeBytes: bytes(system.f_bavail), totalBytes: bytes(system.f_blocks))
    }

    public func close() {
        disconnect()
        diagnostics = nil
        lock = nil
        isClosed = true
    }
}
