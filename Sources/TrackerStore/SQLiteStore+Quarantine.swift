public import Ports
public import TrackerModel

/// Rows that do not go the ordinary way: the newest one first, set aside, or dropped.
extension SQLiteStore {
    public func newestPending() throws(StoreFailure) -> TrackPoint? {
        let sql = "SELECT \(TrackPoint.columns) FROM point WHERE sync_state = 0 ORDER BY id DESC LIMIT 1"
        return try connected().rows(sql) { TrackPoint(row: $0) }.first
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
        let count = try changeQuarantined(ids, sql)
        pendingCount += count
        return count
    }

    public func dropQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64 {
        let count = try changeQuarantined(ids, "DELETE FROM point WHERE sync_state = 2")
        storedCount -= count
        return count
    }

    public func shedQueue(keeping: Int64) throws(StoreFailure) -> Int64 {
        let database = try connected()
        let excess = pendingCount - max(0, keeping)
        guard excess > 0 else { return 0 }
        let sql = "DELETE FROM point WHERE id IN (SELECT id FROM point WHERE sync_state = 0 ORDER BY id LIMIT ?)"
        let count = try database.transaction { () throws(StoreFailure) -> Int64 in
            try database.run(sql, [.int(excess)])
        }
        pendingCount -= count
        storedCount -= count
        return count
    }

    private func changeQuarantined(_ ids: [Int64]?, _ sql: String) throws(StoreFailure) -> Int64 {
        let database = try connected()
        let count = try database.transaction { () throws(StoreFailure) -> Int64 in
            guard let ids else { return try database.run(sql) }
            var count: Int64 = 0
            for id in ids { count += try database.run(sql + " AND id = ?", [.int(id)]) }
            return count
        }
        quarantinedCount -= count
        return count
    }
}
