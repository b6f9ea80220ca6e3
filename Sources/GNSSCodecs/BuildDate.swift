public import TrackerModel

/// When this program was made, moved forward with each release: no receiver can truthfully report an earlier date, which
/// is how a rollover of its 10-bit week count is seen (spec capture §1.1).
public enum BuildDate {
    /// 2026-11-01.
    public static let time = UTCTime(millis: 1_793_491_200_000)
}
