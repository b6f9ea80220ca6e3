import TrackerModel

extension Decision {
    /// The columns of a decision, in the order of `values` and of `init(row:)`.
    static let columns = Columns(
        """
        time_ms, instant_ns, latitude_e7, longitude_e7, accuracy_mm, verdict, reason, distance_mm, speed_mmps, motion, \
        elapsed_ms, silence_ms, filter_latitude_e7, filter_longitude_e7, sigma_mm, offset_mm, threshold_mm, net_mm, flags
        """)

    var values: [SQLValue] {
        [
            .int(time?.millis), .int(instant.nanos), .int(latitudeE7), .int(longitudeE7), .int(accuracyMM),
            .text(verdict.rawValue), .text(reason.rawValue), .int(distanceMM), .int(speedMMps),
            .text(motion.rawValue), .int(evidence.elapsedMillis), .int(evidence.silenceMillis),
            .int(evidence.filterLatitudeE7), .int(evidence.filterLongitudeE7), .int(evidence.sigmaMM),
            .int(evidence.offsetMM), .int(evidence.thresholdMM), .int(evidence.netMM), .int(evidence.flags.rawValue),
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
        evidence.elapsedMillis = row.int(10)
        evidence.silenceMillis = row.int(11)
        evidence.filterLatitudeE7 = row.int32(12)
        evidence.filterLongitudeE7 = row.int32(13)
        evidence.sigmaMM = row.int(14)
        evidence.offsetMM = row.int(15)
        evidence.thresholdMM = row.int(16)
        evidence.netMM = row.int(17)
        evidence.flags = DecisionFlags(rawValue: Int(clamping: row.int(18) ?? 0))
    }
}
