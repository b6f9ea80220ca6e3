public import TrackerModel

extension UTCTime {
    /// When this release was made, 2026-11-01: no receiver's date can be earlier (spec capture §1.1).
    public static let buildDate = UTCTime(millis: 1_793_491_200_000)
}
