import Ports

/// Puts rows that were found in a damaged file into the fresh database, each once, with the number it had.
struct SalvagedRows {
    enum Outcome: Equatable {
        case point
        /// A sent point that is left where it is.
        case left
        /// A point that was deleted by order, in the queue or with its session.
        case deleted
        case state
        /// The device's total, added to what has been counted since.
        case odometer
        /// A session, a fence or a crossing.
        case other
        /// What the damaged database had counted.
        case counts(RowCounts)
        /// A row of a table, with values that were never stored.
        case impossible
        /// There already, or of no table that is salvaged.
        case nothing
    }

    /// What is done with rows that the tracker may have gone on without.
    struct Policy {
        /// A session that was left open stays open; else the tracker has gone on without it, and it gets an end.
        var keepsOpen: Bool
        /// Queued points up to this number were wiped.
        var wipedTo: Int64
        /// Points that the server has confirmed are taken; else they are left in the damaged file.
        var takesSent: Bool
        /// There is room to read the pages once more for those that were left.
        var returnsForSent: Bool
        /// It is that second reading: all else has been taken, and the tracker may have deleted it since.
        var takesOnlySent = false
        /// False leaves out what the tracker may have changed or deleted since it began anew.
        var takesState = true
        var takesOdometer = true
    }

    /// Tables whose rows get numbers that are never given twice.
    private static let numbered = ["point", "geofence_event", "session_run"]
    /// Where numbers go on when the old file does not say how far they had come.
    private static let farID: Int64 = 1 << 40

    private let database: Database
    private let points: TableLayout
    private let sessions: TableLayout
    private let state: TableLayout
    private let fences: TableLayout
    private let crossings: TableLayout
    private let runs: TableLayout
    private let indexes: (uuid: Int, session: Int, time: Int, latitude: Int, longitude: Int, sync: Int)

    /// The least columns are those of the schema that first had the table.
    init(_ database: Database) throws(StoreFailure) {
        self.database = database
        let points = try TableLayout("point", leastColumns: 26, of: database)
        self.points = points
        sessions = try TableLayout("session", leastColumns: 3, of: database)
        state = try TableLayout("state", leastColumns: 2, of: database)
        fences = try TableLayout("geofence", leastColumns: 9, of: database)
        crossings = try TableLayout("geofence_event", leastColumns: 10, of: database)
        runs = try TableLayout("session_run", leastColumns: 5, of: database)
        func place(_ name: String) -> Int { points.index(of: name) ?? 0 }
        indexes = (
            place("uuid"), place("session_id"), place("time_ms"), place("latitude_e7"), place("longitude_e7"),
            place("sync_state")
        )
    }

    func insert(_ cell: RecordCell, _ policy: Policy, _ counts: inout RowCounts) throws(StoreFailure) -> Outcome {
        if let values = points.values(cell) { return try insertPoint(values, policy, &counts) }
        if policy.takesOnlySent { return .nothing }
        if let values = sessions.values(cell) { return try insertSession(values, policy) }
        if case (.text(let table)?, .int(let last)?, 2) = (cell.values.first, cell.values.last, cell.values.count) {
            if Self.numbered.contains(table) { try reserveIDs(of: table, after: last) }
            return .nothing
        }
        if let values = runs.values(cell) {
            try know(session: values[1], at: values[3])
            return try database.run(runs.names.insert(into: runs.table, "INSERT OR IGNORE"), values) > 0
                ? .other : .nothing
        }
        if let values = state.values(cell) { return try insertState(values, policy) }
        guard policy.takesState else { return .nothing }
        for layout in [fences, crossings] {
            guard let values = layout.values(cell) else { continue }
            let sql = layout.names.insert(into: layout.table, "INSERT OR IGNORE")
            return try database.run(sql, values) > 0 ? .other : .nothing
        }
        return .nothing
    }

    private func insertState(_ values: [SQLValue], _ policy: Policy) throws(StoreFailure) -> Outcome {
        guard case .text(let key) = values[0], case .text(let text) = values[1] else { return .nothing }
        if key == StateKey.odometer.rawValue {
            guard policy.takesOdometer else { return .nothing }
            guard let millimetres = Int64(text), millimetres >= 0 else { return .impossible }
            try SQLiteStore.addToOdometer(millimetres, database)
            return .odometer
        }
        guard policy.takesState else { return .nothing }
        if key == RowCounts.key { return RowCounts(text: text).map { .counts($0) } ?? .impossible }
        guard StateKey(rawValue: key) != nil || key == SQLiteStore.wipeKey else { return .nothing }
        let sql = state.names.insert(into: "state", "INSERT OR IGNORE")
        return try database.run(sql, values) > 0 ? .state : .nothing
    }

    /// At most one session is open: another one that was left open ends where its last point was, as far as is known.
    private func insertSession(_ values: [SQLValue], _ policy: Policy) throws(StoreFailure) -> Outcome {
        var values = values
        if case .null = values[2] {
            let open = try database.integer("SELECT 1 FROM session WHERE ended_at_ms IS NULL")
            if !policy.keepsOpen || open != nil { values[2] = values[1] }
        }
        return try database.run(Self.upsertSession, values) > 0 ? .other : .nothing
    }

    private static let upsertSession = """
        INSERT INTO session (id, started_at_ms, ended_at_ms, tag, config_snapshot) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET tag = coalesce(tag, excluded.tag),
        config_snapshot = coalesce(config_snapshot, excluded.config_snapshot),
        started_at_ms = min(started_at_ms, excluded.started_at_ms),
        ended_at_ms = max(ended_at_ms, coalesce(excluded.ended_at_ms, ended_at_ms))
        WHERE started_at_ms > excluded.started_at_ms OR ended_at_ms < excluded.ended_at_ms
            OR (tag IS NULL AND excluded.tag IS NOT NULL)
        """

    private func insertPoint(
        _ found: [SQLValue], _ policy: Policy, _ counts: inout RowCounts
    ) throws(StoreFailure) -> Outcome {
        var values = found
        guard case .text(let uuid) = values[indexes.uuid], !uuid.isEmpty,
            case .int(let latitude) = values[indexes.latitude], latitude.magnitudeClamped <= 900_000_000,
            case .int(let longitude) = values[indexes.longitude], longitude.magnitudeClamped <= 1_800_000_000,
            case .int(let sync) = values[indexes.sync], (0...2).contains(sync)
        else { return .impossible }
        if sync != 1, policy.takesOnlySent { return .nothing }
        // Two images of a page may hold the same row: what the server has confirmed stays confirmed.
        if let there = try database.integer("SELECT sync_state FROM point WHERE uuid = ?", [.text(uuid)]) {
            if there == 0 && sync == 1 {
                try database.run("UPDATE point SET sync_state = 1 WHERE uuid = ?", [.text(uuid)])
                counts.pending -= 1
            }
            return .nothing
        }
        if sync == 0, case .int(let id) = values[0], id <= policy.wipedTo { return .deleted }
        let session = values[indexes.session]
        if !policy.takesOnlySent {
            try know(session: session, at: values[indexes.time])
        } else if try database.integer("SELECT 1 FROM session WHERE id = ?", [session]) == nil {
            // The first reading brought all there are.
            return .deleted
        }
        if sync == 1, !policy.takesSent { return .left }
        if case .int = values[0], try database.integer("SELECT 1 FROM point WHERE id = ?", [values[0]]) != nil {
            values[0] = .null
        }
        try database.run(points.names.insert(into: "point"), values)
        counts.stored += 1
        if sync == 0 { counts.pending += 1 }
        if sync == 2 { counts.quarantined += 1 }
        return .point
    }

    /// The session of a row that is found before its own, or without it: it lasted until then at least.
    private func know(session id: SQLValue, at time: SQLValue) throws(StoreFailure) {
        try database.run(Self.upsertSession, [id, time, time, .null, .null])
    }

    /// New rows get higher numbers than those that are still to come; returns the highest of a point that may come.
    func reserveIDs() throws(StoreFailure) -> Int64 {
        for table in Self.numbered where try lastID(of: table) == nil { try reserveIDs(of: table, after: Self.farID) }
        return try lastID(of: "point") ?? Self.farID
    }

    private func lastID(of table: String) throws(StoreFailure) -> Int64? {
        try database.integer("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table)])
    }

    private func reserveIDs(of table: String, after id: Int64) throws(StoreFailure) {
        guard id > (try lastID(of: table) ?? -1), id < .max / 2 else { return }
        try database.run("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
        try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .int(id)])
    }

    /// For a total that cannot be read: the way of each session is what its newest old point says.
    func addWays(upTo lastOldPoint: Int64) throws(StoreFailure) {
        let newest = "SELECT odometer_mm FROM point WHERE session_id = session.id AND id <= ? ORDER BY id DESC LIMIT 1"
        let ways = try database.rows("SELECT (\(newest)) FROM session", [.int(lastOldPoint)]) { $0.int(0) ?? 0 }
        let total = ways.reduce(0) { $0 &+ $1 }
        if total > 0 { try SQLiteStore.addToOdometer(total, database) }
    }
}

extension Int64 {
    /// The absolute value; that of the least number has no place in the type.
    fileprivate var magnitudeClamped: Int64 { Int64(clamping: magnitude) }
}
