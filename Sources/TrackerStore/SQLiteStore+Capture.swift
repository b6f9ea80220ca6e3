public import Ports
import TrackerModel

extension SQLiteStore {
    /// Diagnostic rows that cannot be written are left out, see `layerFailure`: they never cost a point.
    public func commit(_ record: FixRecord) throws(StoreFailure) -> Int64? {
        if layers.hasOwnFile, !isInMemory {
            let pointID = try change { (database, counts) throws(StoreFailure) in
                try commit(record, database, &counts)
            }
            layerFailure = diagnostics?.write { (database) throws(StoreFailure) in
                trimLayers(after: try insertLayers(record, into: database), of: record, database)
            }
            return pointID
        }
        var rows = LayerRows()
        var areLayersToBlame = false
        do throws(StoreFailure) {
            let pointID = try change { (database, counts) throws(StoreFailure) -> Int64? in
                do throws(StoreFailure) { rows = try insertLayers(record, into: database) } catch {
                    areLayersToBlame = true
                    throw error
                }
                return try commit(record, database, &counts)
            }
            layerFailure = nil
            trimLayers(after: rows, of: record, try connected())
            return pointID
        } catch {
            // On a full disk the point may still fit without its layers. Any other failure would only come once more.
            guard error.code != .corrupt, areLayersToBlame || (error.code == .full && !rows.isEmpty) else {
                throw error
            }
            let pointID = try change { (database, counts) throws(StoreFailure) in
                try commit(record, database, &counts)
            }
            layerFailure = error
            return pointID
        }
    }

    /// All but the diagnostic layers.
    private func commit(
        _ record: FixRecord, _ database: Database, _ counts: inout RowCounts
    ) throws(StoreFailure) -> Int64? {
        var pointID: Int64?
        if let point = record.point { pointID = try insert(point, into: database) }
        if pointID != nil {
            counts.stored += 1
            counts.pending += 1
            if record.legMM > 0 { try Self.addToOdometer(record.legMM, database) }
        }
        try Self.setState(.capture, record.captureState, database)
        return pointID
    }

    private func insert(_ point: TrackPoint, into database: Database) throws(StoreFailure) -> Int64? {
        let inserted = try database.run(Self.insertPoint, point.values)
        return inserted == 0 ? nil : database.lastInsertID
    }

    static func addToOdometer(_ legMM: Int64, _ database: Database) throws(StoreFailure) {
        let sql = """
            INSERT INTO state (key, value) VALUES (?, ?)
            ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + CAST(excluded.value AS INTEGER) AS TEXT)
            """
        try database.run(sql, [.text(StateKey.odometer.rawValue), .text(String(legMM))])
    }

    public func markSignificantStop(uuid: String) throws(StoreFailure) {
        try change { (database, counts) throws(StoreFailure) in
            let requeue =
                "UPDATE point SET sync_state = 0 WHERE uuid = ? AND sync_state = 1 AND is_significant_stop = 0"
            counts.pending += try database.run(requeue, [.text(uuid)])
            try database.run("UPDATE point SET is_significant_stop = 1 WHERE uuid = ?", [.text(uuid)])
        }
    }

    /// The id is the database's to give: the first column of the list is bound to NULL.
    private static let insertPoint = TrackPoint.columns.insert(into: "point") + " ON CONFLICT (uuid) DO NOTHING"
}
