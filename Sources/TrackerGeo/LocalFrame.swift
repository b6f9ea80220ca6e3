import Glibc
public import TrackerModel

/// Metres east and north of an origin, with the ellipsoid's radii of curvature at the origin's latitude: good to a
/// millimetre per kilometre within a few kilometres.
public struct LocalFrame: Sendable {
    public let origin: Coordinate
    /// Metres per degree of latitude and of longitude at the origin.
    public let metresPerDegreeNorth: Double
    public let metresPerDegreeEast: Double

    /// Latitude is clamped to ±89.9° and the cosine to ≥ 1e-6 (spec capture §1.3).
    public init(origin: Coordinate) {
        self.origin = origin
        let lat = Geodesic.radians(min(89.9, max(-89.9, origin.latitude)))
        let e2 = Ellipsoid.e2
        let w2 = 1 - e2 * sin(lat) * sin(lat)
        let meridian = Ellipsoid.a * (1 - e2) / (w2 * w2.squareRoot())
        let normal = Ellipsoid.a / w2.squareRoot()
        metresPerDegreeNorth = meridian * .pi / 180
        metresPerDegreeEast = normal * max(1e-6, cos(lat)) * .pi / 180
    }

    public func offset(of position: Coordinate) -> (east: Double, north: Double) {
        (
            Geodesic.wrappedDegrees(position.longitude - origin.longitude) * metresPerDegreeEast,
            (position.latitude - origin.latitude) * metresPerDegreeNorth
        )
    }

    public func position(east: Double, north: Double) -> Coordinate {
        Coordinate(
            latitude: origin.latitude + north / metresPerDegreeNorth,
            longitude: Geodesic.wrappedDegrees(origin.longitude + east / metresPerDegreeEast))
    }
}
