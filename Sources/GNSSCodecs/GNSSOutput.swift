public import TrackerModel

/// What the decoder makes of one epoch.
public enum GNSSOutput: Equatable, Sendable {
    /// The receiver has a position. It may still fail the boundary (spec capture §2.4 rows 4–10).
    case fix(TrackFix)
    /// The receiver says that it has none. The time is the one kept since the last dated fix, if any; `at` is the
    /// first byte of the epoch.
    case noFix(time: UTCTime?, at: Instant)
}
