import Ports

/// Puts rows that were found in a damaged file into the fresh database, each once, with the number it had.
struct SalvagedRows {
    enum Outcome {
        case point(sessionID: String, odometerMM: Int64)
        case state
        /// A session, a fence or a crossing.
        case other
        /// What the damaged database had counted.
        case counts(RowCounts)
        /// A row of a table, with values that were never stored.
        case impossible
        /// There already, or of no table that is salvaged.
        case nothing
    }

    private let database: Database
    private let points: TableLayout
    private let sessions: TableLayout
    private let state: TableLayout
    private let fences: TableLayout
    private let crossings: TableLayout
    private let runs: TableLayout
    private let indexes: (uuid: Int, session: Int, time: Int, latitude: Int, longitude: Int, odometer: Int, sync: Int)

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
            place("odometer_mm"), place("sync_state")
        )
    }

    /// - Parameter statesToo: false leaves out what the tracker may have changed or deleted since it began anew.
    func insert(_ cell: RecordCell, _ counts: inout RowCounts, statesToo: Bool) throws(StoreFailure) -> Outcome {
        if let values = points.values(cell) { return try insertPoint(values, &counts) }
        if let values = sessions.values(cell) { return try insertSession(values) }
        if case (.text(let table)?, .int(let last)?, 2) = (cell.values.first, cell.values.last, cell.values.count) {
            if statesToo, ["point", "geofence_event"].contains(table) { try reserveIDs(of: table, after: last) }
            return .nothing
        }
        if let values = runs.values(cell) {
            guard try database.integer("SELECT 1 FROM session WHERE id = ?", [values[1]]) != nil else {
                return .nothing
            }
            return try database.run(runs.names.insert(into: runs.table, "INSERT OR IGNORE"), values) > 0
                ? .other : .nothing
        }
        guard statesToo else { return .nothing }
        if let values = state.values(cell) { return try insertState(values) }
        for layout in [fences, crossings] {
            guard let values = layout.values(cell) else { continue }
            let sql = layout.names.insert(into: layout.table, "INSERT OR IGNORE")
            return try database.run(sql, values) > 0 ? .other : .nothing
        }
        return .nothing
    }

    private func insertState(_ values: [SQLValue]) throws(StoreFailure) -> Outcome {
        guard case .text(let key) = values[0], case .text(let text) = values[1] else { return .nothing }
        if key == RowCounts.key { return RowCounts(text: text).map { .counts($0) } ?? .impossible }
        guard StateKey(rawValue: key) != nil else { return .nothing }
        let sql = state.names.insert(into: "state", "INSERT OR IGNORE")
        return try database.run(sql, values) > 0 ? .state : .nothing
    }

    /// At most one session is open: another one that was left open ends where its last point was, as far as is known.
    private func insertSession(_ values: [SQLValue]) throws(StoreFailure) -> Outcome {
        var values = values
        if case .null = values[2], try database.integer("SELECT 1 FROM session WHERE ended_at_ms IS NULL") != nil {
            values[2] = values[1]
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

    private func insertPoint(_ found: [SQLValue], _ counts: inout RowCounts) throws(StoreFailure) -> Outcome {
        var values = found
        guard case .text(let uuid) = values[indexes.uuid], !uuid.isEmpty, case .int(let time) = values[indexes.time],
            case .text(let sessionID) = values[indexes.session], case .int(let odometer) = values[indexes.odometer],
            case .int(let latitude) = values[indexes.latitude], latitude.magnitudeClamped <= 900_000_000,
            case .int(let longitude) = values[indexes.longitude], longitude.magnitudeClamped <= 1_800_000_000,
            case .int(let sync) = values[indexes.sync], (0...2).contains(sync)
        else { return .impossible }
        // Two images of a page may hold the same row: what the server has confirmed stays confirmed.
        if let there = try database.integer("SELECT sync_state FROM point WHERE uuid = ?", [.text(uuid)]) {
            if there == 0 && sync == 1 {
                try database.run("UPDATE point SET sync_state = 1 WHERE uuid = ?", [.text(uuid)])
                counts.pending -= 1
            }
            return .nothing
        }
        if case .int = values[0], try database.integer("SELECT 1 FROM point WHERE id = ?", [values[0]]) != nil {
            values[0] = .null
        }
        try database.run(Self.upsertSession, [.text(sessionID), .int(time), .int(time), .null, .null])
        try database.run(points.names.insert(into: "point"), values)
        counts.stored += 1
        if sync == 0 { counts.pending += 1 }
        if sync == 2 { counts.quarantined += 1 }
        return .point(sessionID: sessionID, odometerMM: odometer)
    }

    /// New rows get higher numbers than those that are still to come.
    func reserveIDs(of table: String = "point", after id: Int64, unlessKnown: Bool = false) throws(StoreFailure) {
        let last = try database.integer("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table)])
        if unlessKnown && last != nil { return }
        guard id > last ?? -1, id < .max / 2 else { return }
        try database.run("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
        try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .int(id)])
    }

    func addToOdometer(_ millimetres: Int64) throws(StoreFailure) {
        guard millimetres > 0 else { return }
        try SQLiteStore.addToOdometer(millimetres, database)
    }
}

extension Int64 {
    /// The absolute value; that of the least number has no place in the type.
    fileprivate var magnitudeClamped: Int64 { Int64(clamping: magnitude) }
}
