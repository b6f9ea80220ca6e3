public import Ports
public import TrackerModel

extension SQLiteStore {
    public func arm(_ fence: Geofence, at time: UTCTime) throws(StoreFailure) -> ArmedFence {
        let database = try connected()
        let sql = (Geofence.columns + Self.arming).insert(into: "geofence", "INSERT OR REPLACE")
        return try database.transaction { () throws(StoreFailure) -> ArmedFence in
            let latest = try newest(of: fence.id, database)
            try database.run(sql, fence.values + [.int(time.millis), .int(latest?.id ?? 0)])
            return ArmedFence(fence: fence, armedAt: time, latest: latest, isLatestOlder: latest != nil)
        }
    }

    public func removeFence(id: String, at time: UTCTime) throws(StoreFailure) -> Bool {
        let database = try connected()
        return try database.transaction { () throws(StoreFailure) -> Bool in
            try database.run(Self.endStays + " AND f.id = ?", [.int(time.millis), .text(id)])
            return try database.run("DELETE FROM geofence WHERE id = ?", [.text(id)]) > 0
        }
    }

    public func removeAllFences(at time: UTCTime) throws(StoreFailure) -> [String] {
        let database = try connected()
        return try database.transaction { () throws(StoreFailure) -> [String] in
            let ids = try database.rows("SELECT id FROM geofence ORDER BY id") { $0.text(0) ?? "" }
            try database.run(Self.endStays, [.int(time.millis)])
            try database.run("DELETE FROM geofence")
            return ids
        }
    }

    public func fences() throws(StoreFailure) -> [ArmedFence] {
        let fence = Geofence.columns + Self.arming
        let armedAt = Geofence.columns.next
        let sql =
            "SELECT \(fence.of("f")), \(FenceCrossing.columns.of("e")) "
            + "FROM geofence f LEFT JOIN geofence_event e ON e.id = "
            + "(SELECT max(id) FROM geofence_event WHERE fence_id = f.id) ORDER BY f.id"
        return try connected().rows(sql) { row in
            let latest = FenceCrossing(row: row, from: fence.next)
            return ArmedFence(
                fence: Geofence(row: row), armedAt: UTCTime(millis: row.int(armedAt) ?? 0), latest: latest,
                isLatestOlder: latest.map { $0.id <= row.int(armedAt + 1) ?? 0 } ?? false)
        }
    }

    public func append(_ crossing: FenceCrossing) throws(StoreFailure) -> Int64? {
        let database = try connected()
        let id = try database.transaction { () throws(StoreFailure) -> Int64? in
            if let latest = try newest(of: crossing.fenceID, database) {
                let sql = "SELECT armed_after_event FROM geofence WHERE id = ?"
                let armedAfter = try database.integer(sql, [.text(crossing.fenceID)]) ?? 0
                if latest.excludes(crossing, isOlder: latest.id <= armedAfter) { return nil }
            }
            try database.run(FenceCrossing.columns.insert(into: "geofence_event"), crossing.values)
            return database.lastInsertID
        }
        // As with the decisions: a failed trim must not cost a crossing.
        if let id, id % Self.crossingTrimInterval == 0 { _ = try? trimCrossings(database) }
        return id
    }

    public func crossings(fenceID: String?, limit: Int) throws(StoreFailure) -> [FenceCrossing] {
        let condition = fenceID == nil ? "" : " AND fence_id = ?"
        let sql =
            "SELECT \(FenceCrossing.columns) FROM geofence_event WHERE is_notified = 1\(condition) "
            + "ORDER BY id DESC LIMIT ?"
        let names = fenceID.map { [SQLValue.text($0)] } ?? []
        return try connected().rows(sql, names + [.int(max(0, limit))]) { FenceCrossing(row: $0) }.compactMap { $0 }
    }

    public func crossings(after id: Int64, limit: Int) throws(StoreFailure) -> [FenceCrossing] {
        let sql =
            "SELECT \(FenceCrossing.columns) FROM geofence_event WHERE is_notified = 1 AND id > ? ORDER BY id LIMIT ?"
        return try connected().rows(sql, [.int(id), .int(max(0, limit))]) { FenceCrossing(row: $0) }.compactMap { $0 }
    }

    public func deleteCrossings(fenceID: String?) throws(StoreFailure) -> Int64 {
        let database = try connected()
        let condition = fenceID == nil ? "" : " WHERE fence_id = ?"
        let names = fenceID.map { [SQLValue.text($0)] } ?? []
        return try database.transaction { () throws(StoreFailure) -> Int64 in
            let counting = "SELECT total(is_notified) FROM geofence_event\(condition)"
            let reported = try database.integer(counting, names) ?? 0
            try database.run("DELETE FROM geofence_event\(condition)", names)
            return reported
        }
    }

    /// What a fence's row has beside the fence.
    private static let arming = Columns("armed_at_ms, armed_after_event")

    /// Inserts between two trims of the history; a multiple of the id, so that it survives a restart without being
    /// stored.
    private static let crossingTrimInterval: Int64 = 256

    /// What stands last in the history of every fence that the device is inside of, as an exit that nobody is told of.
    private static let endStays = """
        INSERT INTO geofence_event (\(FenceCrossing.columns))
        SELECT NULL, f.id, 'exit', ?, f.latitude_e7, f.longitude_e7, f.radius_mm, 0, 0, 0
        FROM geofence f JOIN geofence_event e ON e.id = (SELECT max(id) FROM geofence_event WHERE fence_id = f.id)
        WHERE e.kind <> 'exit'
        """

    private func newest(of fenceID: String, _ database: Database) throws(StoreFailure) -> FenceCrossing? {
        let sql = "SELECT \(FenceCrossing.columns) FROM geofence_event WHERE fence_id = ? ORDER BY id DESC LIMIT 1"
        return try database.rows(sql, [.text(fenceID)]) { FenceCrossing(row: $0) }.first ?? nil
    }

    /// The newest row of an armed fence stays, however old: it says whether the device is inside.
    private func trimCrossings(_ database: Database) throws(StoreFailure) {
        // By the number of rows: after a salvage their numbers may have a wide gap.
        let sql = """
            DELETE FROM geofence_event WHERE id <=
            (SELECT id FROM geofence_event ORDER BY id DESC LIMIT 1 OFFSET ?) AND id NOT IN
            (SELECT max(e.id) FROM geofence f JOIN geofence_event e ON e.fence_id = f.id GROUP BY f.id)
            """
        try database.run(sql, [.int(crossingCapacity)])
    }
}
