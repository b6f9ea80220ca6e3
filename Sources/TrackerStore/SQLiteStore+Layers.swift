public import Ports
public import TrackerModel

/// The diagnostic layers (spec capture §16): what was offered, what was decided, and what would have been a point.
extension SQLiteStore {
    /// Inserts between two trims of a layer. A multiple of the row's number, so that it survives a restart without being
    /// stored.
    private static let trimInterval: Int64 = 256
    private static let dayMillis: Int64 = 86_400_000
    /// How many rings of judged points the table holds: those of closed sessions get no new rows, so nothing else ends them.
    private static let ringsOfRawPoints: Int64 = 10

    private static let insertRawFix = (Columns("session_id") + RawFix.columns).insert(into: "raw_fix")
    private static let insertDecision = (Columns("session_id") + Decision.columns).insert(into: "decision")
    private static let insertRawPoint = (TrackPoint.columns + Columns("verdict")).insert(into: "raw_point")

    /// The rows that one fix added.
    struct LayerRows {
        var rawFix: Int64?
        var decision: Int64?
        var rawPoint: Int64?

        var isEmpty: Bool { rawFix == nil && decision == nil && rawPoint == nil }
    }

    func insertLayers(_ record: FixRecord, into database: Database) throws(StoreFailure) -> LayerRows {
        var rows = LayerRows()
        if layers.keepsRawFixes, let fix = record.rawFix {
            try database.run(Self.insertRawFix, [.text(record.sessionID)] + fix.values)
            rows.rawFix = database.lastInsertID
        }
        if layers.keepsDecisions, record.keepsDecision, let decision = record.decision {
            try database.run(Self.insertDecision, [.text(record.sessionID)] + decision.values)
            rows.decision = database.lastInsertID
        }
        if layers.keepsRawPoints, let judged = record.judged {
            try database.run(Self.insertRawPoint, judged.point.values + [.text(judged.verdict.rawValue)])
            rows.rawPoint = database.lastInsertID
        }
        return rows
    }

    /// Outside the transaction of the fix: a failed trim costs nothing, and the next one catches up.
    func trimLayers(after rows: LayerRows, of record: FixRecord, _ database: Database) {
        func isDue(_ id: Int64?) -> Bool { id.map { $0 % Self.trimInterval == 0 } ?? false }
        if isDue(rows.rawFix) { _ = try? trim("raw_fix", to: layers.rawFixCapacity, database) }
        if isDue(rows.decision) {
            _ = try? trim("decision", to: layers.decisionCapacity, database)
            _ = try? dropOldDecisions()
        }
        if isDue(rows.rawPoint) {
            _ = try? trimRawPoints(sessionID: record.sessionID, database)
            _ = try? trim("raw_point", to: layers.rawPointCapacity * Self.ringsOfRawPoints, database)
        }
    }

    private func trim(_ table: String, to capacity: Int64, _ database: Database) throws(StoreFailure) {
        try database.run("DELETE FROM \(table) WHERE id <= (SELECT max(id) FROM \(table)) - ?", [.int(capacity)])
    }

    /// What time it is the newest point says: its date has been judged, that of a fix which was refused may be years
    /// ahead.
    private func dropOldDecisions() throws(StoreFailure) {
        let sql = "SELECT time_ms FROM point ORDER BY id DESC LIMIT 1"
        guard let newest = try connected().integer(sql) else { return }
        try dropOldDecisions(at: UTCTime(millis: newest))
    }

    /// Rows without a date go with the ring alone.
    func dropOldDecisions(at time: UTCTime) throws(StoreFailure) {
        let oldest = time.advanced(byMillis: -layers.decisionDays * Self.dayMillis)
        try layerDatabase().run("DELETE FROM decision WHERE time_ms < ?", [.int(oldest.millis)])
    }

    private func trimRawPoints(sessionID: String, _ database: Database) throws(StoreFailure) {
        let sql = """
            DELETE FROM raw_point WHERE session_id = ?1 AND id <=
                (SELECT id FROM raw_point WHERE session_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
            """
        try database.run(sql, [.text(sessionID), .int(layers.rawPointCapacity)])
    }

    public func rawFixes(_ page: LayerPage) throws(StoreFailure) -> [RawFix] {
        try rows("SELECT \(RawFix.columns) FROM raw_fix", page) { RawFix(row: $0) }
    }

    public func decisions(_ page: LayerPage) throws(StoreFailure) -> [StoredDecision] {
        try rows("SELECT \(Decision.columns), id FROM decision", page, Self.storedDecision)
    }

    public func decision(id: Int64) throws(StoreFailure) -> StoredDecision? {
        let sql = "SELECT \(Decision.columns), id FROM decision WHERE id = ?"
        return try layerDatabase().rows(sql, [.int(id)], Self.storedDecision).first
    }

    public func judgedPoints(_ page: LayerPage) throws(StoreFailure) -> [JudgedPoint] {
        try rows("SELECT \(TrackPoint.columns), verdict FROM raw_point", page) { row in
            JudgedPoint(
                point: TrackPoint(row: row),
                verdict: row.text(TrackPoint.columns.next).flatMap(Verdict.init(rawValue:)) ?? .reject)
        }
    }

    private static func storedDecision(_ row: Row) -> StoredDecision {
        StoredDecision(id: row.int(Decision.columns.next) ?? 0, decision: Decision(row: row))
    }

    private func layerDatabase() throws(StoreFailure) -> Database {
        let points = try connected()
        return try diagnostics?.connected() ?? points
    }

    private func rows<Value>(
        _ select: String, _ page: LayerPage, _ read: (Row) -> Value
    ) throws(StoreFailure) -> [Value] {
        let filter = page.sessionID == nil ? "" : " WHERE session_id = ?"
        let values: [SQLValue] = page.sessionID.map { [.text($0)] } ?? []
        return try layerDatabase().rows(
            select + filter + " ORDER BY id DESC LIMIT ? OFFSET ?",
            values + [.int(max(0, page.limit)), .int(max(0, page.offset))], read)
    }
}
