public import Ports
public import TrackerModel

extension SQLiteStore {
    public func pending(limit: Int) throws(StoreFailure) -> [TrackPoint] {
        let sql = "SELECT \(TrackPoint.columns) FROM point WHERE sync_state = 0 ORDER BY id LIMIT ?"
        return try wipedQueue().rows(sql, [.int(max(0, limit))]) { TrackPoint(row: $0) }
    }

    public func markSent(ids: [Int64], stops: Set<Int64>, at time: UTCTime) throws(StoreFailure) {
        let sql = """
            UPDATE point SET sync_state = 1, sync_time_ms = ?, sync_attempts = sync_attempts + 1
            WHERE id = ? AND sync_state = 0 AND is_significant_stop = ?
            """
        try change { (database, counts) throws(StoreFailure) in
            for id in ids {
                counts.pending -= try database.run(sql, [.int(time.millis), .int(id), .bool(stops.contains(id))])
            }
        }
    }

    public func quarantine(ids: [Int64], reason: String) throws(StoreFailure) {
        let sql = "UPDATE point SET sync_state = 2, sync_error = ? WHERE id = ? AND sync_state = 0"
        try change { (database, counts) throws(StoreFailure) in
            for id in ids {
                let moved = try database.run(sql, [.text(reason), .int(id)])
                counts.pending -= moved
                counts.quarantined += moved
            }
        }
    }

    public func queueSummary() throws(StoreFailure) -> QueueSummary {
        let database = try connected()
        let oldest = try database.integer("SELECT time_ms FROM point WHERE sync_state = 0 ORDER BY id LIMIT 1")
        // 0 is "not confirmed yet" (spec sync §2).
        let sent = try database.integer("SELECT max(sync_time_ms) FROM point WHERE sync_state = 1") ?? 0
        return QueueSummary(
            pending: counts.pending, oldest: oldest.map { UTCTime(millis: $0) }, stored: counts.stored,
            lastSent: sent > 0 ? UTCTime(millis: sent) : nil, quarantined: counts.quarantined)
    }
}
