import Ports

extension ConfigTable {
    /// The diagnostic layers (spec capture §16).
    static var persistence: [ConfigKey] {
        [
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
