/// A point on the UTC axis in milliseconds since 1970-01-01, as a receiver or a disciplined host gives it.
///
/// Never compared with an `Instant`: the two clocks convert into each other only through an offset that
/// somebody owns (spec capture §1.1).
public struct UTCTime: Comparable, Hashable, Sendable {
    public var millis: Int64
    public init(millis: Int64) { self.millis = millis }
    public static func < (a: UTCTime, b: UTCTime) -> Bool { a.millis < b.millis }

    /// This time moved by `delta` (negative: earlier), saturating.
    public func advanced(byMillis delta: Int64) -> UTCTime {
        let (sum, overflow) = millis.addingReportingOverflow(delta)
        return UTCTime(millis: overflow ? (delta > 0 ? .max : .min) : sum)
    }

    /// Milliseconds from `earlier` to this time, saturating; negative when `earlier` is later.
    public func millis(since earlier: UTCTime) -> Int64 {
        let (difference, overflow) = millis.subtractingReportingOverflow(earlier.millis)
        return overflow ? (millis > earlier.millis ? .max : .min) : difference
    }
}

/// How far the host's wall clock can be believed.
public enum WallTrust: String, Sendable {
    /// Nobody has set it since boot: display only.
    case unknown
    /// Set, but not held: from a saved time or a hardware clock.
    case estimated
    /// Held by a time source (NTP or a receiver).
    case disciplined
}

/// A reading of the host's wall clock (`CLOCK_REALTIME`): for scheduling and log stamps, never for judging a fix.
public struct WallReading: Equatable, Sendable {
    public var time: UTCTime
    public var trust: WallTrust
    public init(time: UTCTime, trust: WallTrust) {
        self.time = time
        self.trust = trust
    }
}
