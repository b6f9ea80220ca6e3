public import Ports
public import TrackerModel

extension SQLiteStore {
    public func openSession() throws(StoreFailure) -> Session? {
        let sql = "SELECT \(Session.columns) FROM session WHERE ended_at_ms IS NULL"
        let open = try connected().rows(sql) { Session(row: $0) }.first
        current = open
        return open
    }

    /// Fails with `io` when a session is open already: end it first.
    public func begin(_ session: Session) throws(StoreFailure) {
        try connected().run(Session.columns.insert(into: "session"), session.values)
        if session.endedAt == nil { current = session }
    }

    /// A session that has ended keeps its first end; an unknown one is ignored.
    public func end(sessionID: String, at time: UTCTime) throws(StoreFailure) {
        try connected().run(
            "UPDATE session SET ended_at_ms = ? WHERE id = ? AND ended_at_ms IS NULL",
            [.int(time.millis), .text(sessionID)])
        if current?.id == sessionID { current = nil }
    }

    /// After the database was begun anew: the session goes on, whether or not its row could be read.
    func reopen(_ session: Session) {
        let sql = """
            INSERT INTO session (id, started_at_ms, ended_at_ms) VALUES (?, ?, NULL)
            ON CONFLICT (id) DO UPDATE SET ended_at_ms = NULL
            """
        _ = try? connected().run(sql, [.text(session.id), .int(session.startedAt.millis)])
    }

    public func lastPoint(sessionID: String) throws(StoreFailure) -> TrackPoint? {
        let sql = "SELECT \(TrackPoint.columns) FROM point WHERE session_id = ? ORDER BY id DESC LIMIT 1"
        return try connected().rows(sql, [.text(sessionID)]) { TrackPoint(row: $0) }.first
    }

    public func pointCount(sessionID: String) throws(StoreFailure) -> Int64 {
        try connected().integer("SELECT count(*) FROM point WHERE session_id = ?", [.text(sessionID)]) ?? 0
    }

    public func state(_ key: StateKey) throws(StoreFailure) -> String? {
        try connected().rows("SELECT value FROM state WHERE key = ?", [.text(key.rawValue)]) { $0.text(0) }.first ?? nil
    }

    public func setState(_ key: StateKey, _ value: String) throws(StoreFailure) {
        try Self.setState(key, value, try connected())
    }

    static func setState(_ key: StateKey, _ value: String, _ database: Database) throws(StoreFailure) {
        let sql = "INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        try database.run(sql, [.text(key.rawValue), .text(value)])
    }
}
