public import Ports
public import TrackerModel

/// Stored points and sessions, read again by page (spec api §2 and §3).
extension SQLiteStore {
    public func points(_ query: PointQuery) throws(StoreFailure) -> [TrackPoint] {
        let (filter, values) = Self.filter(query)
        return try connected().rows(
            "SELECT \(TrackPoint.columns) FROM point\(filter) ORDER BY id LIMIT ? OFFSET ?",
            values + [.int(max(0, query.limit)), .int(max(0, query.offset))]
        ) { TrackPoint(row: $0) }
    }

    public func pointCount(_ query: PointQuery) throws(StoreFailure) -> Int64 {
        let (filter, values) = Self.filter(query)
        return try connected().integer("SELECT count(*) FROM point\(filter)", values) ?? 0
    }

    /// The ids of a span of time are looked up first: then the rows come in the order of insertion without being sorted,
    /// however many they are.
    private static func filter(_ query: PointQuery) -> (sql: String, values: [SQLValue]) {
        var clauses: [String] = []
        var values: [SQLValue] = []
        if let sessionID = query.sessionID {
            clauses.append("session_id = ?")
            values.append(.text(sessionID))
        }
        if let afterID = query.afterID {
            clauses.append("id > ?")
            values.append(.int(afterID))
        }
        if query.from != nil || query.to != nil {
            clauses.append("id IN (SELECT id FROM point WHERE time_ms BETWEEN ? AND ?)")
            values += [.int(query.from?.millis ?? .min), .int(query.to?.millis ?? .max)]
        }
        return (clauses.isEmpty ? "" : " WHERE " + clauses.joined(separator: " AND "), values)
    }

    public func sessions(_ query: SessionQuery) throws(StoreFailure) -> [SessionSummary] {
        let sql = """
            SELECT id, started_at_ms, ended_at_ms, tag, NULL FROM session WHERE started_at_ms BETWEEN ? AND ?
            ORDER BY started_at_ms DESC, rowid DESC LIMIT ? OFFSET ?
            """
        let values: [SQLValue] = [
            .int(query.from?.millis ?? .min), .int(query.to?.millis ?? .max), .int(max(0, query.limit)),
            .int(max(0, query.offset)),
        ]
        let sessions = try connected().rows(sql, values) { Session(row: $0) }
        var summaries: [SessionSummary] = []
        for session in sessions { summaries.append(try summary(session)) }
        return summaries
    }

    public func session(id: String) throws(StoreFailure) -> SessionSummary? {
        let sql = "SELECT \(Session.columns) FROM session WHERE id = ?"
        guard let session = try connected().rows(sql, [.text(id)], { Session(row: $0) }).first else { return nil }
        return try summary(session)
    }

    private func summary(_ session: Session) throws(StoreFailure) -> SessionSummary {
        let database = try connected()
        let newest = "SELECT odometer_mm FROM point WHERE session_id = ? ORDER BY id DESC LIMIT 1"
        let runs = "SELECT \(SessionRun.columns) FROM session_run WHERE session_id = ? ORDER BY id"
        return SessionSummary(
            session: session, points: try pointCount(sessionID: session.id),
            distanceMM: try database.integer(newest, [.text(session.id)]) ?? 0,
            runs: try database.rows(runs, [.text(session.id)]) { SessionRun(row: $0) })
    }

    public func sessionIDs(startingWith prefix: String, limit: Int) throws(StoreFailure) -> [String] {
        let sql = "SELECT id FROM session WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2"
        return try connected().rows(sql, [.text(prefix), .int(max(0, limit))]) { $0.text(0) ?? "" }
    }

    public func append(_ run: SessionRun, sessionID: String) throws(StoreFailure) {
        let sql = (Columns("session_id") + SessionRun.columns).insert(into: "session_run")
        try connected().run(sql, [.text(sessionID)] + run.values)
    }

    public func unsentCount(sessionID: String) throws(StoreFailure) -> Int64 {
        try count(sessionID, "AND sync_state <> 1")
    }

    /// Fails with `locked` while a salvage may still find points of it, sent or not.
    public func deleteSession(id: String) throws(StoreFailure) -> DeletedRows {
        let queued = try count(id, "AND sync_state = 0")
        let aside = try count(id, "AND sync_state = 2")
        let ended = "SELECT count(*) FROM session WHERE id = ? AND ended_at_ms IS NOT NULL"
        guard try connected().integer(ended, [.text(id)]) == 1 else { return DeletedRows() }
        if let salvaging, !salvaging.isSecondReading {
            throw StoreFailure(
                code: .locked, cause: "A damaged database is being read, which may have more of the session.",
                remedy: "Delete it when that is done; see device-cli status.")
        }
        // The layers may be in a file of their own; they go first, so that a failure leaves the session to be asked for again.
        var rows = DeletedRows()
        if let other = try diagnostics?.connected() { try Self.deleteLayers(of: id, other, &rows) }
        return try change { (database, counts) throws(StoreFailure) -> DeletedRows in
            try Self.deleteLayers(of: id, database, &rows)
            rows.points = try database.run("DELETE FROM point WHERE session_id = ?", [.text(id)])
            try database.run("DELETE FROM session_run WHERE session_id = ?", [.text(id)])
            try database.run("DELETE FROM session WHERE id = ?", [.text(id)])
            counts.stored -= rows.points
            counts.pending -= queued
            counts.quarantined -= aside
            return rows
        }
    }

    private static func deleteLayers(
        of id: String, _ database: Database, _ rows: inout DeletedRows
    ) throws(StoreFailure) {
        func delete(_ table: String) throws(StoreFailure) -> Int64 {
            try database.run("DELETE FROM \(table) WHERE session_id = ?", [.text(id)])
        }
        rows.decisions += try delete("decision")
        rows.rawFixes += try delete("raw_fix")
        rows.judgedPoints += try delete("raw_point")
    }

    private func count(_ sessionID: String, _ condition: String) throws(StoreFailure) -> Int64 {
        let sql = "SELECT count(*) FROM point WHERE session_id = ? \(condition)"
        return try connected().integer(sql, [.text(sessionID)]) ?? 0
    }
}
