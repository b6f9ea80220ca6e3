public import TrackerModel

/// When a replay delivers what was recorded: the recorded spacing divided by a factor, counted from the moment at which
/// the replay was made. It decides how long people wait, never what is decided.
public struct ReplayPace: Sendable {
    private let start: Instant
    private let speed: Double

    /// - Parameters:
    ///   - speed: 1 is as recorded, 1 000 a thousand times as fast; `nil` for what is not above 0.
    ///   - now: of the clock by which the caller waits.
    public init?(speed: Double, now: Instant) {
        guard speed.isFinite, speed > 0 else { return nil }
        self.speed = speed
        start = now
    }

    /// The deadline of what lies this long after the beginning of the recording.
    public func deadline(offsetNanos: Int64) -> Instant {
        let scaled = (Double(offsetNanos) / speed).rounded()
        return scaled < 9e18 ? start.advanced(byNanos: Int64(scaled)) : .never
    }
}
