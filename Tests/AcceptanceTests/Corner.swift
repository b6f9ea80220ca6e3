import TrackerGeo
import TrackerModel

@testable import TrackerEngine

/// A sharp right angle without noise: straight north, the corner at a fix, straight east.
enum Corner {
    private static let frame = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))
    static let before = 10
    static let after = 6

    static func fixes(
        speedMps: Double, seconds: Double, accuracyM: Double, turnDeg: Double = 90, phase: Double = 0
    ) -> [TrackFix] {
        let corner = (Double(before) - phase) * seconds * speedMps
        let turned = Geodesic.direction(bearingDeg: turnDeg)
        return (0...before + after).map { index in
            let way = Double(index) * seconds * speedMps
            let beyond = max(0, way - corner)
            let instant = Instant(nanos: Int64(Double(index) * seconds * 1e9))
            var fix = TrackFix(
                time: UTCTime(millis: 1_777_881_600_000 + instant.millis), instant: instant, receivedAt: instant,
                coordinate: frame.position(east: beyond * turned.east, north: min(way, corner) + beyond * turned.north),
                accuracyM: accuracyM, speedMps: speedMps,
                courseDeg: way > corner ? Geodesic.normalizedDegrees(turnDeg) : 0)
            fix.speedAccuracyMps = 0.3
            fix.courseAccuracyDeg = 1.5
            return fix
        }
    }

    /// Sum of the distances between filter and fix, from the corner on.
    static func error(_ fixes: [TrackFix], ruleSet: RuleSet, boosted: Bool) -> Double {
        if !boosted { return unboosted(fixes) }
        return PipelineRun(fixes, ruleSet).steps.dropFirst(before).reduce(0) { sum, step in
            sum + (step.filtered.map { Geodesic.haversineM($0, step.fix.coordinate) } ?? 0)
        }
    }

    /// The reference's filter alone, at the process noise of a straight.
    private static func unboosted(_ fixes: [TrackFix]) -> Double {
        guard let first = fixes.first else { return 0 }
        let geometry = Geometry(ruleSet: .reference)
        var filter = MotionFilter.seeded(at: first, keeping: nil)
        var sum = 0.0
        for (index, fix) in fixes.enumerated().dropFirst() {
            let q = (fix.speedMps ?? 0) * 3.6 > PipelineLimit.highwayKmh ? 0.25 : 0.6
            filter = filter.updated(with: fix, r: fix.accuracyM, q: q, geometry)
            if index >= before { sum += Geodesic.haversineM(filter.position, fix.coordinate) }
        }
        return sum
    }
}
