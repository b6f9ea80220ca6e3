public import Ports
public import TrackerModel

extension SQLiteStore {
    public func pending(limit: Int) throws(StoreFailure) -> [TrackPoint] {
        let sql = "SELECT \(TrackPoint.columns) FROM point WHERE sync_state = 0 ORDER BY id LIMIT ?"
        return try connected().rows(sql, [.int(max(0, limit))]) { TrackPoint(row: $0) }
    }

    public func markSent(ids: [Int64], stops: Set<Int64>, at time: UTCTime) throws(StoreFailure) {
        let database = try connected()
        let sql = """
            UPDATE point SET sync_state = 1, sync_time_ms = ?, sync_attempts = sync_attempts + 1
            WHERE id = ? AND sync_state = 0 AND is_significant_stop = ?
            """
        let marked = try database.transaction { () throws(StoreFailure) -> Int64 in
            var marked: Int64 = 0
            for id in ids {
                marked += try database.run(sql, [.int(time.millis), .int(id), .bool(stops.contains(id))])
            }
            return marked
        }
        pendingCount -= marked
    }

    public func quarantine(ids: [Int64], reason: String) throws(StoreFailure) {
        let database = try connected()
        let sql = "UPDATE point SET sync_state = 2, sync_error = ? WHERE id = ? AND sync_state = 0"
        let moved = try database.transaction { () throws(StoreFailure) -> Int64 in
            var moved: Int64 = 0
            for id in ids { moved += try database.run(sql, [.text(reason), .int(id)]) }
            return moved
        }
        pendingCount -= moved
        quarantinedCount += moved
    }

    public func queueSummary() throws(StoreFailure) -> QueueSummary {
        let database = try connected()
        let oldest = try database.integer("SELECT time_ms FROM point WHERE sync_state = 0 ORDER BY id LIMIT 1")
        // 0 is "not confirmed yet" (spec sync §2).
        let sent = try database.integer("SELECT max(sync_time_ms) FROM point WHERE sync_state = 1") ?? 0
        return QueueSummary(
            pending: pendingCount, oldest: oldest.map { UTCTime(millis: $0) }, stored: storedCount,
            lastSent: sent > 0 ? UTCTime(millis: sent) : nil, quarantined: quarantinedCount)
    }
}
