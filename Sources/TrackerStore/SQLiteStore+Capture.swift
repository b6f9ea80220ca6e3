public import Ports
public import TrackerModel

extension SQLiteStore {
    public func commit(_ record: FixRecord) throws(StoreFailure) -> Int64? {
        let database = try connected()
        var decisionID: Int64?
        let pointID = try database.transaction { () throws(StoreFailure) -> Int64? in
            if let decision = record.decision {
                decisionID = try insert(decision, sessionID: record.sessionID, into: database)
            }
            var pointID: Int64?
            if let point = record.point { pointID = try insert(point, into: database) }
            if pointID != nil, record.legMM > 0 { try addToOdometer(record.legMM, database) }
            try setState(.capture, record.captureState)
            return pointID
        }
        if pointID != nil {
            storedCount += 1
            pendingCount += 1
        }
        // Outside the transaction: a failed trim must not cost a point (spec capture §16), and the next one catches up.
        if let decisionID, decisionID % Self.trimInterval == 0 { _ = try? trimDecisions(database) }
        return pointID
    }

    /// Newest first.
    public func decisions(limit: Int) throws(StoreFailure) -> [Decision] {
        try connected().rows(
            "SELECT \(Decision.columns) FROM decision ORDER BY id DESC LIMIT ?", [.int(limit)]
        ) { Decision(row: $0) }
    }

    /// Inserts between two trims of the decision ring (spec capture §16). A multiple of the id, so that it survives a
    /// restart without being stored.
    private static let trimInterval: Int64 = 256

    private func insert(
        _ decision: Decision, sessionID: String, into database: Database
    ) throws(StoreFailure) -> Int64 {
        let sql = "INSERT INTO decision (session_id, \(Decision.columns)) VALUES (?, \(Decision.placeholders))"
        try database.run(sql, [.text(sessionID)] + decision.values)
        return database.lastInsertID
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
            try database.run("UPDATE point SET is_significant_stop = 1 WHERE uuid = ?", [.text(uuid)])
            return try database.run(
                "UPDATE point SET sync_state = 0 WHERE uuid = ? AND sync_state = 1", [.text(uuid)])
        }
        pendingCount += queued
    }

    /// The id is the database's to give: the first column of the list is bound to NULL.
    private static let insertPoint = """
        INSERT INTO point (\(TrackPoint.columns))
        VALUES (\(TrackPoint.placeholders))
        ON CONFLICT (uuid) DO NOTHING
        """

    private func trimDecisions(_ database: Database) throws(StoreFailure) {
        let sql = "DELETE FROM decision WHERE id <= (SELECT max(id) FROM decision) - ?"
        try database.run(sql, [.int(decisionCapacity)])
    }
}
