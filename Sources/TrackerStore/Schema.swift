import Ports

/// One step from a schema to the next, applied once and never edited after release.
struct Migration {
    var name: String
    var sql: String
}

/// The tables, as SQL text. The file's `user_version` is how many migrations it has seen.
enum Schema {
    /// `TRKR` in the file header: tells this database from any other program's.
    static let applicationID: Int64 = 0x5452_4B52

    static let migrations: [Migration] = [
        Migration(name: "points, decisions, sessions, state", sql: initial),
        Migration(name: "why a row was set aside", sql: "ALTER TABLE point ADD COLUMN sync_error TEXT"),
        Migration(name: "evidence of decisions; gap, activity and stop of points", sql: evidence),
        Migration(name: "geofences and their history", sql: fences),
        Migration(name: "raw fixes and judged points", sql: layers),
        Migration(name: "tag, configuration and runs of sessions; points by time", sql: sessionFacts),
        Migration(name: "counts of points", sql: RowCounts.migration),
    ]

    /// Refuses what this version must not touch, before anything is written: a newer schema, another program's file. Where
    /// the tables are exactly this version's and only a bit of a number in the header is not, that bit is damaged.
    static func check(_ database: Database) throws(StoreFailure) {
        let version = try database.integer("PRAGMA user_version") ?? 0
        let owner = try database.integer("PRAGMA application_id") ?? 0
        let tables = try database.integer("SELECT count(*) FROM sqlite_master") ?? 0
        let isForeign = tables > 0 && owner != applicationID
        let isNewer = !(0...Int64(migrations.count)).contains(version)
        guard isForeign || isNewer else { return }
        // One bit from what it should be; a version that is newer has other tables.
        let bits = (version ^ Int64(migrations.count)).nonzeroBitCount + (owner ^ applicationID).nonzeroBitCount
        if bits == 1, try isComplete(database, exactly: true) { throw .damaged("the header of the file") }
        if isForeign {
            throw StoreFailure(
                code: .cannotOpen, cause: "The file is a database of another program (application_id \(owner)).",
                remedy: "Move the file away, or give the tracker another state directory.")
        }
        throw StoreFailure(
            code: .newerSchema,
            cause: "The database has schema \(version), this version knows \(migrations.count).",
            remedy: "Install the version that wrote it, or newer, or move the file away to begin a fresh one.")
    }

    /// Brings the file to the newest schema, each step and its number in one transaction.
    static func migrate(_ database: Database) throws(StoreFailure) {
        let version = Int(clamping: try database.integer("PRAGMA user_version") ?? 0)
        for (index, migration) in migrations.enumerated() where index >= version {
            do throws(StoreFailure) {
                try database.transaction { () throws(StoreFailure) in
                    try database.execute(migration.sql)
                    try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(index + 1)")
                }
            } catch {
                // A table that is there already, or is not: the number of the schema does not tell the truth.
                guard error.code == .io, version > 0, database.lastCode == 1 else { throw error }
                throw .damaged("the number of its schema, \(version): \(error.cause)")
            }
        }
    }

    /// Whether all that the migrations make is there, word for word; `exactly`: and nothing else.
    static func isComplete(_ database: Database, exactly: Bool = false) throws(StoreFailure) -> Bool {
        let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_stat%'"
        let found = Set(try database.rows(sql) { $0.text(0) ?? "" })
        return exactly ? found == made : found.isSuperset(of: made)
    }

    /// What `sqlite_master` of a fresh database says.
    private static let made: Set<String> = {
        guard let database = try? Database(path: ":memory:"), (try? migrate(database)) != nil,
            let made = try? database.rows(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", [], { $0.text(0) ?? "" })
        else { return [] }
        return Set(made)
    }()

    /// The unique index holds at most one row, the open session (spec api §3). `sync_state` is 0 queued, 1 sent,
    /// 2 quarantined (spec sync §2); both partial indexes stay small whichever way most rows are.
    private static let initial = """
        CREATE TABLE session (
            id TEXT NOT NULL PRIMARY KEY,
            started_at_ms INTEGER NOT NULL,
            ended_at_ms INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX session_open ON session (ended_at_ms IS NULL) WHERE ended_at_ms IS NULL;
        CREATE TABLE point (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid TEXT NOT NULL UNIQUE,
            session_id TEXT NOT NULL REFERENCES session (id),
            time_ms INTEGER NOT NULL,
            instant_ns INTEGER NOT NULL,
            boot_id TEXT NOT NULL,
            local_date TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            latitude_e7 INTEGER NOT NULL,
            longitude_e7 INTEGER NOT NULL,
            accuracy_mm INTEGER NOT NULL,
            altitude_mm INTEGER,
            speed_mmps INTEGER NOT NULL,
            bearing_centideg INTEGER NOT NULL,
            has_speed INTEGER NOT NULL,
            has_bearing INTEGER NOT NULL,
            provider TEXT NOT NULL,
            is_mock INTEGER NOT NULL,
            movement TEXT NOT NULL,
            accept_reason TEXT NOT NULL,
            odometer_mm INTEGER NOT NULL,
            battery_percent INTEGER,
            is_charging INTEGER,
            sync_state INTEGER NOT NULL DEFAULT 0 CHECK (sync_state IN (0, 1, 2)),
            sync_time_ms INTEGER NOT NULL DEFAULT 0,
            sync_attempts INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX point_session ON point (session_id, id);
        CREATE INDEX point_queued ON point (id) WHERE sync_state = 0;
        CREATE INDEX point_sent ON point (sync_time_ms) WHERE sync_state = 1;
        CREATE TABLE decision (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session_id TEXT NOT NULL,
            time_ms INTEGER,
            instant_ns INTEGER NOT NULL,
            latitude_e7 INTEGER,
            longitude_e7 INTEGER,
            accuracy_mm INTEGER,
            verdict TEXT NOT NULL,
            reason TEXT NOT NULL,
            distance_mm INTEGER,
            speed_mmps INTEGER,
            motion TEXT NOT NULL
        ) STRICT;
        CREATE TABLE state (
            key TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT;
        """

    /// Flags are the bits of `DecisionFlags`; the other columns are absent where the fix did not come that far.
    private static let evidence = """
        ALTER TABLE decision ADD COLUMN elapsed_ms INTEGER;
        ALTER TABLE decision ADD COLUMN silence_ms INTEGER;
        ALTER TABLE decision ADD COLUMN filter_latitude_e7 INTEGER;
        ALTER TABLE decision ADD COLUMN filter_longitude_e7 INTEGER;
        ALTER TABLE decision ADD COLUMN sigma_mm INTEGER;
        ALTER TABLE decision ADD COLUMN offset_mm INTEGER;
        ALTER TABLE decision ADD COLUMN threshold_mm INTEGER;
        ALTER TABLE decision ADD COLUMN net_mm INTEGER;
        ALTER TABLE decision ADD COLUMN flags INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE point ADD COLUMN silence_ms INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE point ADD COLUMN gap_cause TEXT;
        ALTER TABLE point ADD COLUMN activity TEXT;
        ALTER TABLE point ADD COLUMN activity_since_ms INTEGER;
        ALTER TABLE point ADD COLUMN is_significant_stop INTEGER NOT NULL DEFAULT 0;
        """

    /// `armed_after_event` is the newest event of the fence when it was armed: rows up to it are of an earlier arming.
    /// Events have no reference to their fence: they outlive it.
    private static let fences = """
        CREATE TABLE geofence (
            id TEXT NOT NULL PRIMARY KEY,
            latitude_e7 INTEGER NOT NULL,
            longitude_e7 INTEGER NOT NULL,
            radius_mm INTEGER NOT NULL,
            notify_on_entry INTEGER NOT NULL,
            notify_on_exit INTEGER NOT NULL,
            dwell_after_ms INTEGER,
            armed_at_ms INTEGER NOT NULL,
            armed_after_event INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE geofence_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            fence_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            time_ms INTEGER NOT NULL,
            latitude_e7 INTEGER NOT NULL,
            longitude_e7 INTEGER NOT NULL,
            radius_mm INTEGER NOT NULL,
            is_late INTEGER NOT NULL,
            is_unverified INTEGER NOT NULL,
            is_notified INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX geofence_event_fence ON geofence_event (fence_id, id);
        """

    /// A judged point has the columns of a point; its uuid is not unique, since a fix may be judged twice.
    private static let layers = """
        CREATE TABLE raw_fix (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session_id TEXT NOT NULL,
            time_ms INTEGER,
            instant_ns INTEGER NOT NULL,
            boot_id TEXT NOT NULL,
            latitude_e7 INTEGER,
            longitude_e7 INTEGER,
            accuracy_mm INTEGER,
            altitude_mm INTEGER,
            vertical_accuracy_mm INTEGER,
            speed_mmps INTEGER,
            course_centideg INTEGER,
            speed_accuracy_mmps INTEGER,
            course_accuracy_centideg INTEGER,
            provider TEXT NOT NULL,
            is_mock INTEGER NOT NULL,
            satellites INTEGER,
            hdop_centi INTEGER
        ) STRICT;
        CREATE TABLE raw_point (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            uuid TEXT NOT NULL,
            session_id TEXT NOT NULL,
            time_ms INTEGER NOT NULL,
            instant_ns INTEGER NOT NULL,
            boot_id TEXT NOT NULL,
            local_date TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            latitude_e7 INTEGER NOT NULL,
            longitude_e7 INTEGER NOT NULL,
            accuracy_mm INTEGER NOT NULL,
            altitude_mm INTEGER,
            speed_mmps INTEGER NOT NULL,
            bearing_centideg INTEGER NOT NULL,
            has_speed INTEGER NOT NULL,
            has_bearing INTEGER NOT NULL,
            provider TEXT NOT NULL,
            is_mock INTEGER NOT NULL,
            movement TEXT NOT NULL,
            accept_reason TEXT NOT NULL,
            odometer_mm INTEGER NOT NULL,
            battery_percent INTEGER,
            is_charging INTEGER,
            silence_ms INTEGER NOT NULL,
            gap_cause TEXT,
            activity TEXT,
            activity_since_ms INTEGER,
            is_significant_stop INTEGER NOT NULL,
            verdict TEXT NOT NULL
        ) STRICT;
        CREATE INDEX raw_point_session ON raw_point (session_id, id);
        CREATE INDEX raw_fix_session ON raw_fix (session_id, id);
        CREATE INDEX decision_session ON decision (session_id, id);
        """

    /// A row of `session_run` is a daemon that captured in the session, with why the one before it ended.
    private static let sessionFacts = """
        ALTER TABLE session ADD COLUMN tag TEXT;
        ALTER TABLE session ADD COLUMN config_snapshot TEXT;
        CREATE TABLE session_run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session_id TEXT NOT NULL REFERENCES session (id),
            boot_id TEXT NOT NULL,
            started_at_ms INTEGER NOT NULL,
            interruption TEXT
        ) STRICT;
        CREATE INDEX session_run_session ON session_run (session_id, id);
        CREATE INDEX point_time ON point (time_ms);
        """
}
