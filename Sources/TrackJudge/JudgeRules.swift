/// The constants of judging, all in one place; docs/modules/judge.md gives each its reason.
enum JudgeRules {
    /// Truth is interpolated between neighbours at most this far apart; a longer pause is a hole.
    static let longestInterpolationMillis: Int64 = 10_000
    /// The truth's length grows only by moves of at least this, so that jitter at rest adds nothing.
    static let truthStepM = 1.0

    /// A standstill: the truth stays within less than `stillRadiusM` of a place for at least `stillMillis`.
    static let stillMillis: Int64 = 60_000
    static let stillRadiusM = 3.0
    /// Stands for the accuracy of a point that has none.
    static let unknownAccuracyM = 10.0

    /// Missed movement: the truth has moved more than `missedMoveM` since a point and none follows within
    /// `missedPatienceMillis`.
    static let missedMoveM = 100.0
    static let missedPatienceMillis: Int64 = 60_000
    /// Missed trip: the truth is under way for at least this without any point.
    static let missedTripMillis: Int64 = 60_000

    /// A corner: the truth's heading changes by at least `cornerDeg` on `cornerWayM` of its way.
    static let cornerDeg = 60.0
    static let cornerWayM = 30.0
    /// The heading at either end is that of a chord of this length, outside of `cornerWayM`.
    static let headingChordM = 5.0

    /// A gap: no point for more than `gapMillis` while the truth moves at least `gapMoveM`.
    static let gapMillis: Int64 = 600_000
    static let gapMoveM = 250.0
}
