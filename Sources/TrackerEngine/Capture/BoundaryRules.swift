import TrackerModel

/// The wall that every fix meets before it may be judged, whatever brought it (spec capture §2.4 rows 4–10). Rows 1–3
/// are the decoder's.
struct BoundaryRules {
    /// Clamp of a passing accuracy, metres (spec capture §2.4).
    static let accuracyRangeM = 1.0...10_000.0
    /// Metres per second that a receiver can mean: faster than anything in orbit is no measurement.
    private static let speedRange = 0.0...12_000.0
    private static let degrees = 0.0...360.0

    var stalenessMillis: Int64
    var mockPolicy: CaptureConfig.MockPolicy

    /// The reason to refuse the fix, the first that applies; `nil` when it may be judged.
    func refusal(_ fix: TrackFix, at now: Instant) -> DecisionReason? {
        if !fix.accuracyM.isFinite || fix.accuracyM <= 0 { return .invalidCoordinates }
        if !fix.coordinate.isValid { return .invalidCoordinates }
        if fix.isMock && mockPolicy == .reject { return .mockLocation }
        if now.millis(since: fix.instant) > stalenessMillis { return .staleFix }
        if fix.time == nil { return .timeUnresolved }
        return nil
    }

    /// The fix with its accuracy in range; of its velocity what is no number or none that can be is not known.
    func admitted(_ fix: TrackFix) -> TrackFix {
        var fix = fix
        fix.speedMps = fix.speedMps.flatMap { Self.speedRange.contains($0) ? $0 : nil }
        fix.courseDeg = fix.courseDeg.flatMap { Self.degrees.contains($0) ? $0 : nil }
        fix.speedAccuracyMps = fix.speedAccuracyMps.flatMap { Self.speedRange.contains($0) ? $0 : nil }
        fix.courseAccuracyDeg = fix.courseAccuracyDeg.flatMap { Self.degrees.contains($0) ? $0 : nil }
        let inRange = min(Self.accuracyRangeM.upperBound, max(Self.accuracyRangeM.lowerBound, fix.accuracyM))
        if inRange != fix.accuracyM { fix.receivedAccuracyM = fix.accuracyM }
        fix.accuracyM = inRange
        return fix
    }
}
