import Ports
import TrackerModel

/// Notices a wall clock that was set, or that disagrees with the satellites (spec capture §1.1). Nothing is judged by
/// the wall clock; this is for whoever reads logs stamped by it.
struct ClockSkewWatch {
    private static let stepMillis: Int64 = 60_000
    private static let skewMillis: Int64 = 120_000
    private static let rearmMillis: Int64 = 1_800_000

    /// Wall time at boot instant 0, as it was last.
    private var origin: Int64?
    private var toldSkewAt: Instant?

    /// The health loop's look; returns what to tell.
    mutating func check(_ wall: WallReading, at now: Instant) -> String? {
        let newest = wall.time.millis - now.millis
        defer { origin = newest }
        guard let origin, abs(newest - origin) > Self.stepMillis else { return nil }
        return "clock_step:\(newest - origin)"
    }

    /// Compares with a real fix; told once in 30 min.
    mutating func compare(_ time: UTCTime, wallNow wall: WallReading, _ fix: TrackFix, at now: Instant) -> String? {
        guard fix.provider == .gnss, !fix.isMock else { return nil }
        let skew = time.advanced(byMillis: now.millis(since: fix.instant)).millis - wall.time.millis
        guard abs(skew) > Self.skewMillis else { return nil }
        if let toldSkewAt, now.millis(since: toldSkewAt) < Self.rearmMillis { return nil }
        toldSkewAt = now
        return "clock_skew:\(skew)"
    }
}
