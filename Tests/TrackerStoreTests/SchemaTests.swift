import Ports
import Testing
import TrackerModel

@testable import TrackerStore

@Suite("The schema")
struct SchemaTests {
    /// What `sqlite3 tracker.db .schema` shows, names first. A change here is a new migration, never an edited one.
    static let golden = [
        "index decision_session CREATE INDEX decision_session ON decision (session_id, id)",
        "index geofence_event_fence CREATE INDEX geofence_event_fence ON geofence_event (fence_id, id)",
        "index point_queued CREATE INDEX point_queued ON point (id) WHERE sync_state = 0",
        "index point_sent CREATE INDEX point_sent ON point (sync_time_ms) WHERE sync_state = 1",
        "index point_session CREATE INDEX point_session ON point (session_id, id)",
        "index point_time CREATE INDEX point_time ON point (time_ms)",
        "index raw_fix_session CREATE INDEX raw_fix_session ON raw_fix (session_id, id)",
        "index raw_point_session CREATE INDEX raw_point_session ON raw_point (session_id, id)",
        "index session_open CREATE UNIQUE INDEX session_open ON session (ended_at_ms IS NULL) "
            + "WHERE ended_at_ms IS NULL",
        "index session_run_session CREATE INDEX session_run_session ON session_run (session_id, id)",
        "table decision CREATE TABLE decision ( id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, "
            + "time_ms INTEGER, instant_ns INTEGER NOT NULL, latitude_e7 INTEGER, longitude_e7 INTEGER, "
            + "accuracy_mm INTEGER, verdict TEXT NOT NULL, reason TEXT NOT NULL, distance_mm INTEGER, "
            + "speed_mmps INTEGER, motion TEXT NOT NULL , elapsed_ms INTEGER, silence_ms INTEGER, "
            + "filter_latitude_e7 INTEGER, filter_longitude_e7 INTEGER, sigma_mm INTEGER, offset_mm INTEGER, "
            + "threshold_mm INTEGER, net_mm INTEGER, flags INTEGER NOT NULL DEFAULT 0) STRICT",
        "table geofence CREATE TABLE geofence ( id TEXT NOT NULL PRIMARY KEY, latitude_e7 INTEGER NOT NULL, "
            + "longitude_e7 INTEGER NOT NULL, radius_mm INTEGER NOT NULL, notify_on_entry INTEGER NOT NULL, "
            + "notify_on_exit INTEGER NOT NULL, dwell_after_ms INTEGER, armed_at_ms INTEGER NOT NULL, "
            + "armed_after_event INTEGER NOT NULL ) STRICT",
        "table geofence_event CREATE TABLE geofence_event ( id INTEGER PRIMARY KEY AUTOINCREMENT, "
            + "fence_id TEXT NOT NULL, kind TEXT NOT NULL, time_ms INTEGER NOT NULL, latitude_e7 INTEGER NOT NULL, "
            + "longitude_e7 INTEGER NOT NULL, radius_mm INTEGER NOT NULL, is_late INTEGER NOT NULL, "
            + "is_unverified INTEGER NOT NULL, is_notified INTEGER NOT NULL ) STRICT",
        "table point CREATE TABLE point ( id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, "
            + "session_id TEXT NOT NULL REFERENCES session (id), time_ms INTEGER NOT NULL, "
            + "instant_ns INTEGER NOT NULL, boot_id TEXT NOT NULL, local_date TEXT NOT NULL, time_zone TEXT NOT NULL, "
            + "latitude_e7 INTEGER NOT NULL, longitude_e7 INTEGER NOT NULL, accuracy_mm INTEGER NOT NULL, "
            + "altitude_mm INTEGER, speed_mmps INTEGER NOT NULL, bearing_centideg INTEGER NOT NULL, "
            + "has_speed INTEGER NOT NULL, has_bearing INTEGER NOT NULL, provider TEXT NOT NULL, "
            + "is_mock INTEGER NOT NULL, movement TEXT NOT NULL, accept_reason TEXT NOT NULL, "
            + "odometer_mm INTEGER NOT NULL, battery_percent INTEGER, is_charging INTEGER, "
            + "sync_state INTEGER NOT NULL DEFAULT 0 CHECK (sync_state IN (0, 1, 2)), "
            + "sync_time_ms INTEGER NOT NULL DEFAULT 0, sync_attempts INTEGER NOT NULL DEFAULT 0 , "
            + "sync_error TEXT, silence_ms INTEGER NOT NULL DEFAULT 0, gap_cause TEXT, activity TEXT, "
            + "activity_since_ms INTEGER, is_significant_stop INTEGER NOT NULL DEFAULT 0) STRICT",
        "table raw_fix CREATE TABLE raw_fix ( id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, "
            + "time_ms INTEGER, instant_ns INTEGER NOT NULL, boot_id TEXT NOT NULL, latitude_e7 INTEGER, "
            + "longitude_e7 INTEGER, accuracy_mm INTEGER, altitude_mm INTEGER, vertical_accuracy_mm INTEGER, "
            + "speed_mmps INTEGER, course_centideg INTEGER, speed_accuracy_mmps INTEGER, "
            + "course_accuracy_centideg INTEGER, provider TEXT NOT NULL, is_mock INTEGER NOT NULL, "
            + "satellites INTEGER, hdop_centi INTEGER ) STRICT",
        "table raw_point CREATE TABLE raw_point ( id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL, "
            + "session_id TEXT NOT NULL, time_ms INTEGER NOT NULL, instant_ns INTEGER NOT NULL, boot_id TEXT NOT NULL, "
            + "local_date TEXT NOT NULL, time_zone TEXT NOT NULL, latitude_e7 INTEGER NOT NULL, "
            + "longitude_e7 INTEGER NOT NULL, accuracy_mm INTEGER NOT NULL, altitude_mm INTEGER, "
            + "speed_mmps INTEGER NOT NULL, bearing_centideg INTEGER NOT NULL, has_speed INTEGER NOT NULL, "
            + "has_bearing INTEGER NOT NULL, provider TEXT NOT NULL, is_mock INTEGER NOT NULL, movement TEXT NOT NULL, "
            + "accept_reason TEXT NOT NULL, odometer_mm INTEGER NOT NULL, battery_percent INTEGER, "
            + "is_charging INTEGER, silence_ms INTEGER NOT NULL, gap_cause TEXT, activity TEXT, "
            + "activity_since_ms INTEGER, is_significant_stop INTEGER NOT NULL, verdict TEXT NOT NULL ) STRICT",
        "table session CREATE TABLE session ( id TEXT NOT NULL PRIMARY KEY, started_at_ms INTEGER NOT NULL, "
            + "ended_at_ms INTEGER , tag TEXT, config_snapshot TEXT) STRICT",
        "table session_run CREATE TABLE session_run ( id INTEGER PRIMARY KEY AUTOINCREMENT, "
            + "session_id TEXT NOT NULL REFERENCES session (id), boot_id TEXT NOT NULL, "
            + "started_at_ms INTEGER NOT NULL, interruption TEXT ) STRICT",
        "table state CREATE TABLE state ( key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL ) STRICT",
    ]

    @Test("A fresh database has exactly the committed tables and indexes")
    func committed() throws {
        let database = try SQLiteStore(path: ":memory:").connected()
        let sql = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"
        let found = try database.rows(sql) { row in
            "\(row.text(0) ?? "") \(row.text(1) ?? "") \(row.text(2) ?? "")"
                .split { $0.isWhitespace }.joined(separator: " ")
        }
        #expect(found == Self.golden)
        #expect(try database.integer("PRAGMA user_version") == Int64(Schema.migrations.count))
        #expect(try database.integer("PRAGMA application_id") == 0x5452_4B52)
    }

    @Test("Every kind of row binds a value for each of its columns")
    func columns() {
        #expect(samplePoint(1).values.count == TrackPoint.columns.count)
        #expect(sampleDecision(1).values.count == Decision.columns.count)
        let fix = RawFix(time: nil, instant: .zero, bootID: "", provider: .gnss, isMock: false)
        #expect(fix.values.count == RawFix.columns.count)
        #expect(session.values.count == Session.columns.count)
        let run = SessionRun(bootID: "", startedAt: session.startedAt)
        #expect(run.values.count == SessionRun.columns.count)
        let all = Columns("a") + Columns("b_ms,\n  c")
        #expect(all.insert(into: "t") == "INSERT INTO t (a, b_ms, c) VALUES (?, ?, ?)")
        #expect("\(all.of("x"))" == "x.a, x.b_ms, x.c" && all.next == 3)
    }

    @Test("The connection is set for durability")
    func pragmas() throws {
        let scratch = try ScratchDirectory()
        let database = try SQLiteStore(path: scratch.database).connected()
        #expect(try database.rows("PRAGMA journal_mode") { $0.text(0) } == ["wal"])
        #expect(try database.integer("PRAGMA synchronous") == 2)
        #expect(try database.integer("PRAGMA foreign_keys") == 1)
    }

    @Test("A step that fails half-way leaves the schema where it was")
    func failedStep() throws {
        let database = try Database(path: ":memory:")
        #expect(throws: StoreFailure.self) {
            try database.transaction { () throws(StoreFailure) in
                try database.execute("CREATE TABLE half (a); PRAGMA user_version = 7; CREATE TABLE half (a)")
            }
        }
        #expect(try database.integer("SELECT count(*) FROM sqlite_master") == 0)
        #expect(try database.integer("PRAGMA user_version") == 0)
    }

    @Test("A file of the first schema is brought up with its rows (E-153)")
    func fromFirst() throws {
        let scratch = try ScratchDirectory()
        do {
            let old = try Database(path: scratch.database)
            try old.execute(Schema.migrations[0].sql)
            try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1")
            try old.execute("INSERT INTO session VALUES ('s', 5, NULL)")
        }
        let store = try SQLiteStore(path: scratch.database)
        #expect(try store.openSession()?.id == "s")
        #expect(try store.connected().integer("PRAGMA user_version") == Int64(Schema.migrations.count))
        try store.quarantine(ids: [1], reason: "nothing there")
    }
}
