import TrackerGeo
import TrackerModel

extension PipelineState.MeasuredVelocity {
    /// `nil` when the receiver did not measure it; below 0.8 m/s it may leave out the course (spec capture §2.4).
    init?(_ fix: TrackFix) {
        guard !fix.looksLikeNetworkFix, let speed = fix.speedMps,
            fix.courseDeg != nil || speed < PipelineLimit.courseless
        else { return nil }
        let direction = Geodesic.direction(bearingDeg: fix.courseDeg ?? 0)
        let along = fix.courseDeg == nil ? 0 : speed
        self.init(
            position: fix.coordinate, accuracyM: fix.accuracyM, instant: fix.instant, east: along * direction.east,
            north: along * direction.north)
    }
}
