import TrackerEngine

extension ConfigTable {
    /// The keys that move the pipeline's thresholds.
    static var judging: [ConfigKey] {
        [
            .choice(
                "pipeline.ruleset", RuleSet.allCases.map(\.rawValue),
                "who judges: the device's rules, or the reference's for fixtures recorded elsewhere",
                get: { $0.capture.pipeline.ruleSet.rawValue },
                set: { config, text in RuleSet(rawValue: text).map { config.capture.pipeline.ruleSet = $0 } }),
            .choice(
                "geolocation.accuracy.profile", AccuracyProfile.allCases.map(\.rawValue),
                "how accurate a fix must be to claim movement, and to be trusted after a gap",
                get: { $0.accuracyProfile.rawValue },
                set: { config, text in AccuracyProfile(rawValue: text).map { config.accuracyProfile = $0 } }),
            .integer(
                "geolocation.accuracy.maxAccuracyMeters", \.customMaxAccuracyM, 0...500, unit: "m",
                "the first of the two with profile custom, 5…500; 0 = not given"),
            .integer(
                "geolocation.accuracy.recoveryTrustMeters", \.customRecoveryTrustM, 0...500, unit: "m",
                "the second with profile custom, never above the first; 0 = 25"),
            .integer(
                "motion.bearingChangeCaptureDeg", \.bearingChangeDeg, 0...180, unit: "°",
                "a turn by this much is worth a point, 10…180; 0 = off"),
            .integer(
                "motion.heartbeatIntervalSec", \.heartbeatSec, 5...86_400, unit: "s",
                "while still, one fix in this time is folded into the filter"),
            .flag(
                "persistence.persistHeartbeat", \.capture.pipeline.persistHeartbeat, "store that fix as a point too"),
        ]
    }
}
