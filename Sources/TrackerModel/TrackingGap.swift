/// Why no valid fix was received for a while (spec capture §10.3).
public enum GapCause: String, Sendable, CaseIterable {
    /// The daemon was not running.
    case process
    /// The board restarted, or lost its power.
    case reboot
    /// The receiver said nothing.
    case receiver
    /// The receiver had no fix.
    case sky
    /// The receiver was switched off to save energy.
    case powerSave
}

/// A part of the track that nobody saw: ≥ 600 s without a received fix, ≥ 250 m in a straight line.
public struct TrackingGap: Equatable, Sendable {
    public var durationMillis: Int64
    /// Straight line, so that the true distance is at least this.
    public var distanceMM: Int64
    public var cause: GapCause

    public init(durationMillis: Int64, distanceMM: Int64, cause: GapCause) {
        self.durationMillis = durationMillis
        self.distanceMM = distanceMM
        self.cause = cause
    }
}
