public import Ports
import TrackerModel

extension SQLiteStore {
    /// Diagnostic rows that cannot be written are left out, see `layerFailure`: they never cost a point.
    public func commit(_ record: FixRecord) throws(StoreFailure) -> Int64? {
        let database = try connected()
        let pointID: Int64?
        var rows = LayerRows()
        var areLayersToBlame = false
        do throws(StoreFailure) {
            pointID = try database.transaction { () throws(StoreFailure) -> Int64? in
                do throws(StoreFailure) { rows = try insertLayers(record, into: database) } catch {
                    areLayersToBlame = true
                    throw error
                }
                return try commit(record, database)
            }
            layerFailure = nil
            trimLayers(after: rows, of: record, database)
        } catch {
            // On a full disk the point may still fit without its layers. Any other failure would only come once more.
            guard areLayersToBlame || (error.code == .full && !rows.isEmpty) else { throw error }
            pointID = try database.transaction { () throws(StoreFailure) -> Int64? in try commit(record, database) }
            layerFailure = error
        }
        if pointID != nil {
            storedCount += 1
            pendingCount += 1
        }
        return pointID
    }

    /// All but the diagnostic layers.
    private func commit(_ record: FixRecord, _ database: Database) throws(StoreFailure) -> Int64? {
        var pointID: Int64?
        if let point = record.point { pointID = try insert(point, into: database) }
        if pointID != nil, record.legMM > 0 { try addToOdometer(record.legMM, database) }
        try setState(.capture, record.captureState)
        return pointID
    }

    private func insert(_ point: TrackPoint, into database: Database) throws(StoreFailure) -> Int64? {
        let inserted = try database.run(Self.insertPoint, point.values)
        return inserted == 0 ? nil : database.lastInsertID
    }

    private func addToOdometer(_ legMM: Int64, _ database: Database) throws(StoreFailure) {
        let sql = """
            INSERT INTO state (key, value) VALUES (?, ?)
            ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + CAST(excluded.value AS INTEGER) AS TEXT)
            """
        try database.run(sql, [.text(StateKey.odometer.rawValue), .text(String(legMM))])
    }

    public func markSignificantStop(uuid: String) throws(StoreFailure) {
        let database = try connected()
        let queued = try database.transaction { () throws(StoreFailure) -> Int64 in
            let requeue =
                "UPDATE point SET sync_state = 0 WHERE uuid = ? AND sync_state = 1 AND is_significant_stop = 0"
            let queued = try database.run(requeue, [.text(uuid)])
            try database.run("UPDATE point SET is_significant_stop = 1 WHERE uuid = ?", [.text(uuid)])
            return queued
        }
        pendingCount += queued
    }

    /// The id is the database's to give: the first column of the list is bound to NULL.
    private static let insertPoint = TrackPoint.columns.insert(into: "point") + " ON CONFLICT (uuid) DO NOTHING"
}
