public import TrackerModel

extension UTCTime {
    /// When this release was made, 2026-01-01: no receiver's date can be earlier (spec capture §1.1).
    public static let buildDate = UTCTime(millis: 1_767_225_600_000)
}
