import TrackerModel

extension Session {
    /// In the order of `values` and of `init(row:)`.
    static let columns = Columns("id, started_at_ms, ended_at_ms, tag, config_snapshot")

    var values: [SQLValue] {
        [.text(id), .int(startedAt.millis), .int(endedAt?.millis), .text(tag), .text(configSnapshot)]
    }

    init(row: Row) {
        self.init(
            id: row.text(0) ?? "", startedAt: UTCTime(millis: row.int(1) ?? 0),
            endedAt: row.int(2).map { UTCTime(millis: $0) })
        tag = row.text(3)
        configSnapshot = row.text(4)
    }
}

extension SessionRun {
    static let columns = Columns("boot_id, started_at_ms, interruption")

    var values: [SQLValue] { [.text(bootID), .int(startedAt.millis), .text(interruption?.rawValue)] }

    /// A cause that this version does not know reads as a crash: the run before did not end as it should have.
    init(row: Row) {
        self.init(
            bootID: row.text(0) ?? "", startedAt: UTCTime(millis: row.int(1) ?? 0),
            interruption: row.text(2).map { InterruptionCause(rawValue: $0) ?? .crash })
    }
}
