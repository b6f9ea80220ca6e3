import TrackerModel

extension Decision {
    /// The columns of a decision, in the order of `values` and of `init(row:)`.
    static let columns = """
        time_ms, instant_ns, latitude_e7, longitude_e7, accuracy_mm, verdict, reason, distance_mm, speed_mmps, motion
        """

    var values: [SQLValue] {
        [
            .int(time?.millis), .int(instant.nanos), .int(latitudeE7), .int(longitudeE7), .int(accuracyMM),
            .text(verdict.rawValue), .text(reason.rawValue), .int(distanceMM), .int(speedMMps),
            .text(motion.rawValue),
        ]
    }

    /// A word that this version does not know reads as the case that claims least: `REJECT`, `Heuristic Gate`,
    /// `stopped`.
    init(row: Row) {
        self.init(
            time: row.int(0).map { UTCTime(millis: $0) }, instant: Instant(nanos: row.int(1) ?? 0),
            latitudeE7: row.int32(2), longitudeE7: row.int32(3), accuracyMM: row.int(4),
            verdict: row.text(5).flatMap(Verdict.init(rawValue:)) ?? .reject,
            reason: row.text(6).flatMap(DecisionReason.init(rawValue:)) ?? .heuristicGate,
            distanceMM: row.int(7), speedMMps: row.int(8),
            motion: row.text(9).flatMap(MotionState.init(rawValue:)) ?? .stopped)
    }
}
