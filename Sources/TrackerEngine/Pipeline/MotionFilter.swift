import TrackerGeo
import TrackerModel

/// Distances and scales of a rule set: geodesics on the ellipsoid, or the reference's sphere (spec capture §1.3).
struct Geometry: Equatable {
    var ruleSet: RuleSet

    func distanceM(_ a: Coordinate, _ b: Coordinate) -> Double {
        ruleSet == .device ? Geodesic.distanceM(a, b) : Geodesic.haversineM(a, b)
    }

    /// Metres per degree north and east at a latitude.
    func metresPerDegree(at position: Coordinate) -> (north: Double, east: Double) {
        if ruleSet == .device {
            let frame = LocalFrame(origin: position)
            return (frame.metresPerDegreeNorth, frame.metresPerDegreeEast)
        }
        return Geodesic.flatMetresPerDegree(atLatitude: position.latitude)
    }
}

/// Constant-velocity Kalman filter over position and velocity, one covariance for both axes (spec capture §7).
struct MotionFilter: Equatable {
    var position: Coordinate
    /// Variance of position (m²), covariance with velocity (m²/s), variance of velocity ((m/s)²).
    var p: Double
    var c: Double
    var v: Double
    /// Metres per second.
    var north: Double
    var east: Double
    var instant: Instant

    /// σ 5 m/s: what is known of a velocity after a seed.
    private static let seedVelocityVariance = 25.0
    private static let noiseFloorM = 1.0
    /// σ 0.3 m/s: a measured standstill (spec capture §7).
    private static let standstillVariance = 0.09

    /// Starts at a fix; a velocity known before is kept.
    static func seeded(at fix: TrackFix, keeping old: MotionFilter?) -> MotionFilter {
        MotionFilter(
            position: fix.coordinate, p: max(fix.accuracyM, 1) * max(fix.accuracyM, 1), c: 0, v: seedVelocityVariance,
            north: old?.north ?? 0, east: old?.east ?? 0, instant: fix.instant)
    }

    var speedMps: Double { (north * north + east * east).squareRoot() }

    /// Direction of the velocity, degrees; `nil` when both components are below 1e-4 m/s.
    var headingDeg: Double? {
        guard max(abs(north), abs(east)) >= 1e-4 else { return nil }
        return Geodesic.bearingDeg(east: east, north: north)
    }

    /// The state carried on to `instant` under acceleration density `q` (m/s²); a time before its own changes nothing.
    func predicted(to instant: Instant, q: Double, _ geometry: Geometry) -> MotionFilter {
        let dt = instant.seconds(since: self.instant)
        guard dt > 0 else { return self }
        var next = self
        let scale = geometry.metresPerDegree(at: position)
        next.position = Coordinate(
            latitude: min(90, max(-90, position.latitude + north * dt / scale.north)),
            longitude: Geodesic.wrappedDegrees(position.longitude + east * dt / scale.east))
        let q2 = q * q
        next.p = p + 2 * c * dt + v * dt * dt + q2 * dt * dt * dt / 3
        next.c = c + v * dt + q2 * dt * dt / 2
        next.v = v + q2 * dt
        next.instant = instant
        return next
    }

    /// Predicts to the fix and takes its position with noise `r` (metres, ≥ 1).
    func updated(with fix: TrackFix, r: Double, q: Double, _ geometry: Geometry) -> MotionFilter {
        var next = predicted(to: fix.instant, q: q, geometry)
        let noise = max(r, Self.noiseFloorM)
        let s = next.p + noise * noise
        let (k, g) = (next.p / s, next.c / s)
        let scale = geometry.metresPerDegree(at: next.position)
        let innovation = (
            north: (fix.coordinate.latitude - next.position.latitude) * scale.north,
            east: Geodesic.wrappedDegrees(fix.coordinate.longitude - next.position.longitude) * scale.east
        )
        next.position = Coordinate(
            latitude: min(90, max(-90, next.position.latitude + k * innovation.north / scale.north)),
            longitude: Geodesic.wrappedDegrees(next.position.longitude + k * innovation.east / scale.east))
        next.north += g * innovation.north
        next.east += g * innovation.east
        let c = next.c
        next.p = (1 - k) * next.p
        next.c = (1 - k) * c
        next.v = max(0, next.v - g * c)
        return next
    }

    /// Takes the receiver's Doppler velocity as a measurement of its own (spec capture §7, Δ11): with course and known
    /// speed accuracy, or a standstill below 0.3 m/s.
    func corrected(byDopplerOf fix: TrackFix) -> MotionFilter {
        guard let speed = fix.speedMps else { return self }
        let measured: (north: Double, east: Double)
        let variance: Double
        if let course = fix.courseDeg, let sigma = fix.speedAccuracyMps {
            let direction = Geodesic.direction(bearingDeg: course)
            measured = (speed * direction.north, speed * direction.east)
            let across = speed * (fix.courseAccuracyDeg ?? 0) * .pi / 180
            variance = max(sigma, 0.3) * max(sigma, 0.3) + across * across
        } else if fix.courseDeg == nil, speed < PipelineLimit.still {
            measured = (0, 0)
            variance = Self.standstillVariance
        } else {
            return self
        }
        var next = self
        let s = v + variance
        let (gainPosition, gainVelocity) = (c / s, v / s)
        let innovation = (north: measured.north - north, east: measured.east - east)
        let scale = LocalFrame(origin: position)
        next.position = scale.position(east: gainPosition * innovation.east, north: gainPosition * innovation.north)
        next.north += gainVelocity * innovation.north
        next.east += gainVelocity * innovation.east
        next.p = max(0, p - gainPosition * c)
        next.c = (1 - gainVelocity) * c
        next.v = (1 - gainVelocity) * v
        return next
    }

    /// Known to stand, for how long nobody knows: what it remembers of a velocity must not carry it away until the next
    /// fix that is taken, which may be a heartbeat a quarter of an hour later.
    func standing() -> MotionFilter {
        var next = self
        (next.north, next.east, next.c, next.v) = (0, 0, 0, Self.standstillVariance)
        return next
    }

    /// σ of the position, metres.
    var sigmaM: Double { p.squareRoot() }
}
