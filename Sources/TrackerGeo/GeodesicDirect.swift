import Glibc
import TrackerModel

/// The direct geodesic problem: where a line of a given length ends that leaves a position at an azimuth (Karney 2013, §3).
enum GeodesicDirect {
    static func destination(_ from: Coordinate, azimuthDeg: Double, distanceM: Double) -> Coordinate {
        let alpha1 = SinCos(degrees: azimuthDeg)
        var beta1 = SinCos(degrees: from.latitude)
        beta1.sin *= Ellipsoid.f1
        beta1 = beta1.normalized()
        beta1.cos = max(Double.leastNormalMagnitude.squareRoot(), beta1.cos)
        let alpha0 = SinCos(sin: alpha1.sin * beta1.cos, cos: hypot(alpha1.cos, alpha1.sin * beta1.sin))
        let omega1 = SinCos(
            sin: alpha0.sin * beta1.sin, cos: beta1.sin != 0 || alpha1.cos != 0 ? beta1.cos * alpha1.cos : 1)
        let sigma1 = SinCos(sin: beta1.sin, cos: omega1.cos).normalized()
        let eps = GeodesicSeries.epsilon(k2: alpha0.cos * alpha0.cos * Ellipsoid.ep2)

        // From distance to arc: τ is proportional to distance, and σ follows from it by the inverse series.
        let b11 = GeodesicSeries.c1(eps).sum(sin: sigma1.sin, cos: sigma1.cos)
        let shift = SinCos(radians: b11)
        let tau1 = SinCos(
            sin: sigma1.sin * shift.cos + sigma1.cos * shift.sin, cos: sigma1.cos * shift.cos - sigma1.sin * shift.sin)
        let tau12 = distanceM / (Ellipsoid.b * (1 + GeodesicSeries.a1m1(eps)))
        let step = SinCos(radians: tau12)
        let b12 = -GeodesicSeries.c1p(eps).sum(
            sin: tau1.sin * step.cos + tau1.cos * step.sin, cos: tau1.cos * step.cos - tau1.sin * step.sin)
        let arc = tau12 - (b12 - b11)

        let turn = SinCos(radians: arc)
        let sigma2 = SinCos(
            sin: sigma1.sin * turn.cos + sigma1.cos * turn.sin, cos: sigma1.cos * turn.cos - sigma1.sin * turn.sin)
        let omega2 = SinCos(sin: alpha0.sin * sigma2.sin, cos: sigma2.cos)
        let omega12 = atan2(
            omega2.sin * omega1.cos - omega2.cos * omega1.sin, omega2.cos * omega1.cos + omega2.sin * omega1.sin)
        let c3 = GeodesicSeries.c3(eps)
        let b3 = c3.sum(sin: sigma2.sin, cos: sigma2.cos) - c3.sum(sin: sigma1.sin, cos: sigma1.cos)
        let lambda12 = omega12 - Ellipsoid.f * alpha0.sin * GeodesicSeries.a3(eps) * (arc + b3)
        let latitude = atan2(
            alpha0.cos * sigma2.sin, Ellipsoid.f1 * hypot(alpha0.sin, alpha0.cos * sigma2.cos))
        return Coordinate(
            latitude: latitude * 180 / .pi,
            longitude: Geodesic.wrappedDegrees(from.longitude + lambda12 * 180 / .pi))
    }
}
