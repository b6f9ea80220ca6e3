import Ports

extension ConfigTable {
    /// How long points are kept, and the diagnostic layers (spec capture §16).
    static var persistence: [ConfigKey] {
        [
            .integer(
                "persistence.maxDaysToPersist", \.retention.days, 0...36_500, unit: "days",
                "points that were sent are deleted when they are older; never of the open session; 0 = none are"),
            .integer(
                "persistence.maxRecords", \.retention.most, 0...100_000_000, unit: "rows",
                "beyond this the oldest points that were sent are deleted once a day; 0 = none are"),
            .flag(
                "persistence.separateDiagnostics", \.layers.hasOwnFile,
                "raw fixes, judged points and decisions in a file of their own, whose loss costs nothing: "
                    + "tracker.db-diagnostics"),
            .flag(
                "persistence.persistRawFixes", \.layers.keepsRawFixes,
                "store each judged or refused fix as it came; device-cli raw and fixture read them"),
            .integer(
                "persistence.rawFixRingCapacity", \.layers.rawFixCapacity, 100...10_000_000, unit: "rows",
                "newest of them that are kept"),
            .flag(
                "persistence.persistRawPoints", \.layers.keepsRawPoints,
                "store each judged fix in the shape of a point, whatever became of it; device-cli judged reads them"),
            .integer(
                "persistence.rawPointRingCapacity", \.layers.rawPointCapacity, 100...10_000_000, unit: "rows",
                "newest of them that are kept of each session"),
            .flag(
                "persistence.persistDecisions", \.layers.keepsDecisions,
                "store why each fix was kept or dropped; device-cli decisions reads them"),
            .integer(
                "persistence.decisionRetentionDays", \.layers.decisionDays, 1...3_650, unit: "days",
                "decisions older than this are deleted"),
            .integer(
                "persistence.decisionMaxRows", \.layers.decisionCapacity, 100...10_000_000, unit: "rows",
                "newest of them that are kept"),
        ]
    }
}
