/// The constants of judging, all in one place; docs/modules/judge.md gives each its reason.
public enum JudgeRules {
    /// Truth is interpolated between neighbours at most this far apart; a longer pause is a hole.
    public static let longestInterpolationMillis: Int64 = 10_000
    /// The truth's length grows only by moves of at least this, so that jitter at rest adds nothing.
    public static let truthStepM = 1.0

    /// A standstill: the truth stays within less than `stillRadiusM` of a place for at least `stillMillis`.
    public static let stillMillis: Int64 = 60_000
    public static let stillRadiusM = 3.0
    /// Stands for the accuracy of a point that has none.
    public static let unknownAccuracyM = 10.0

    /// Missed movement: the truth has moved more than `missedMoveM` since a point and none follows within
    /// `missedPatienceMillis`.
    public static let missedMoveM = 100.0
    public static let missedPatienceMillis: Int64 = 60_000
    /// Missed trip: the truth is under way for at least this without any point.
    public static let missedTripMillis: Int64 = 60_000

    /// A corner: the truth's heading changes by at least `cornerDeg` on `cornerWayM` of its way.
    public static let cornerDeg = 60.0
    public static let cornerWayM = 30.0
    /// The heading at either end is that of a chord of this length, outside of `cornerWayM`.
    public static let headingChordM = 5.0

    /// A gap: no point for more than `gapMillis` while the truth moves at least `gapMoveM`.
    public static let gapMillis: Int64 = 600_000
    public static let gapMoveM = 250.0
}
