import TrackerGeo
import TrackerModel

/// A moment on both clocks, so that an interpolated crossing has both.
struct FenceMoment: Equatable {
    var time: UTCTime
    var instant: Instant

    /// Milliseconds since an earlier moment, by whichever clock says more: the receiver's own times have no jitter of
    /// the line, and the boot clock has no steps.
    func millis(since earlier: FenceMoment) -> Int64 {
        max(time.millis(since: earlier.time), instant.millis(since: earlier.instant))
    }

    func advanced(byMillis millis: Int64) -> FenceMoment {
        FenceMoment(time: time.advanced(byMillis: millis), instant: instant.advanced(byMillis: millis))
    }
}

/// A valid fix as the fences see it.
struct FenceFix {
    var moment: FenceMoment
    /// Counts the valid fixes; consecutive ones differ by 1.
    var index: Int
    var coordinate: Coordinate
    var place: GeocentricPosition
    var accuracyM: Double
    var speedMps: Double?
}
