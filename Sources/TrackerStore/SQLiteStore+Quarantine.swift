public import Ports
public import TrackerModel

/// Rows that do not go the ordinary way: the newest one first, set aside, or dropped.
extension SQLiteStore {
    public func newestPending() throws(StoreFailure) -> TrackPoint? {
        let sql = "SELECT \(TrackPoint.columns) FROM point WHERE sync_state = 0 ORDER BY id DESC LIMIT 1"
        return try wipedQueue().rows(sql) { TrackPoint(row: $0) }.first
    }

    public func quarantined(limit: Int) throws(StoreFailure) -> [QuarantinedRow] {
        let sql = "SELECT id, uuid, time_ms, sync_error FROM point WHERE sync_state = 2 ORDER BY id LIMIT ?"
        return try connected().rows(sql, [.int(max(0, limit))]) { row in
            QuarantinedRow(
                id: row.int(0) ?? 0, uuid: row.text(1) ?? "", time: UTCTime(millis: row.int(2) ?? 0),
                reason: row.text(3) ?? "")
        }
    }

    public func requeueQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64 {
        let sql = "UPDATE point SET sync_state = 0, sync_error = NULL WHERE sync_state = 2"
        return try change { (database, counts) throws(StoreFailure) in
            let count = try Self.run(sql, ids, database)
            counts.quarantined -= count
            counts.pending += count
            return count
        }
    }

    public func dropQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64 {
        try change { (database, counts) throws(StoreFailure) in
            let count = try Self.run("DELETE FROM point WHERE sync_state = 2", ids, database)
            counts.quarantined -= count
            counts.stored -= count
            return count
        }
    }

    /// A transaction for each piece: a long queue must not need memory, nor room in the log, in proportion.
    public func shedQueue(keeping: Int64) throws(StoreFailure) -> Int64 {
        var shed: Int64 = 0
        while counts.pending > max(0, keeping) {
            let count = try deleteQueued(upTo: .max, rows: counts.pending - max(0, keeping))
            guard count > 0 else { break }
            shed += count
        }
        return shed
    }

    private static let shedRows: Int64 = 5_000

    /// One piece of the oldest queued rows.
    private func deleteQueued(upTo last: Int64, rows: Int64) throws(StoreFailure) -> Int64 {
        let oldest = "SELECT id FROM point WHERE sync_state = 0 AND id <= ? ORDER BY id LIMIT ?"
        return try change { (database, counts) throws(StoreFailure) in
            let count = try database.run(
                "DELETE FROM point WHERE id IN (\(oldest))", [.int(last), .int(min(Self.shedRows, rows))])
            counts.pending -= count
            counts.stored -= count
            return count
        }
    }

    // MARK: - Wiping

    /// A row of the state, written before the first row goes: the number of the last point that is to go.
    static let wipeKey = "wipe"
    /// What the row is called when all are gone. It stays: a salvage may still find points of the time before.
    private static let wipedKey = "wiped"

    static func unfinishedWipe(_ database: Database) throws(StoreFailure) -> Int64? {
        try database.integer("SELECT value FROM state WHERE key = '\(wipeKey)'")
    }

    /// The number of the last point that a wipe covers, finished or not; 0 when there was none.
    static func lastWiped(_ database: Database) throws(StoreFailure) -> Int64 {
        let keys = "'\(wipeKey)', '\(wipedKey)'"
        return try database.integer("SELECT max(CAST(value AS INTEGER)) FROM state WHERE key IN (\(keys))") ?? 0
    }

    public func wipeQueue() throws(StoreFailure) -> Int64 {
        let database = try connected()
        let last = try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'point'") ?? 0
        try database.run(
            "INSERT OR REPLACE INTO state (key, value) VALUES ('\(Self.wipeKey)', ?)", [.text(String(last))])
        wipedTo = last
        return try finishWipe()
    }

    /// Deletes what a wipe has left; returns how many.
    @discardableResult
    func finishWipe() throws(StoreFailure) -> Int64 {
        guard let last = wipedTo else { return 0 }
        var wiped: Int64 = 0
        while case let count = try deleteQueued(upTo: last, rows: .max), count > 0 { wiped += count }
        try connected().run(
            "UPDATE OR REPLACE state SET key = '\(Self.wipedKey)' WHERE key = '\(Self.wipeKey)'")
        wipedTo = nil
        return wiped
    }

    /// The database whose queue has only rows that may be sent.
    func wipedQueue() throws(StoreFailure) -> Database {
        _ = try connected()
        try finishWipe()
        return try connected()
    }

    /// Deletes points, whatever their state, in one transaction.
    func deletePoints(_ ids: [Int64]) throws(StoreFailure) {
        guard !ids.isEmpty else { return }
        try change { (database, counts) throws(StoreFailure) in
            for id in ids {
                let state = try database.integer("SELECT sync_state FROM point WHERE id = ?", [.int(id)])
                counts.stored -= try database.run("DELETE FROM point WHERE id = ?", [.int(id)])
                if state == 0 { counts.pending -= 1 }
                if state == 2 { counts.quarantined -= 1 }
            }
        }
    }

    private static func run(_ sql: String, _ ids: [Int64]?, _ database: Database) throws(StoreFailure) -> Int64 {
        guard let ids else { return try database.run(sql) }
        var count: Int64 = 0
        for id in ids { count += try database.run(sql + " AND id = ?", [.int(id)]) }
        return count
    }
}
