import Glibc
public import TrackerModel

/// Distances, destinations and bearings on the WGS-84 ellipsoid (spec capture §1.3).
public enum Geodesic {
    /// Metres between two positions along the geodesic, ≥ 0: exact to 50 nm for every pair.
    public static func distanceM(_ from: Coordinate, _ to: Coordinate) -> Double {
        let east = wrappedDegrees(to.longitude - from.longitude)
        return ShortLine.distanceM(lat1: from.latitude, lat2: to.latitude, lonDifference: east)
            ?? exactDistanceM(from, to)
    }

    /// The same by the whole solution.
    static func exactDistanceM(_ from: Coordinate, _ to: Coordinate) -> Double {
        from == to ? 0 : inverse(from, to).distance
    }

    /// Where the geodesic ends that leaves `from` at `azimuthDeg` (clockwise from north) and is `distanceM` long.
    public static func destination(_ from: Coordinate, azimuthDeg: Double, distanceM: Double) -> Coordinate {
        GeodesicDirect.destination(from, azimuthDeg: azimuthDeg, distanceM: distanceM)
    }

    /// Azimuth of the geodesic at its start, degrees in [0, 360).
    public static func azimuthDeg(_ from: Coordinate, _ to: Coordinate) -> Double {
        normalizedDegrees(inverse(from, to).azimuth1.degrees)
    }

    private static func inverse(_ from: Coordinate, _ to: Coordinate) -> GeodesicInverse {
        GeodesicInverse(
            lat1: from.latitude, lat2: to.latitude,
            lonDifference: wrappedDegrees(to.longitude - from.longitude))
    }

    /// Great-circle metres on a sphere: the distance of the `reference` rule set (R = 6 371 000 m, spec capture §1.3).
    public static func haversineM(_ from: Coordinate, _ to: Coordinate, radiusM: Double = 6_371_000) -> Double {
        let dLat = radians(to.latitude - from.latitude)
        let dLon = radians(wrappedDegrees(to.longitude - from.longitude))
        let s = sin(dLat / 2)
        let t = sin(dLon / 2)
        let h = s * s + cos(radians(from.latitude)) * cos(radians(to.latitude)) * t * t
        return 2 * radiusM * asin(min(1, h.squareRoot()))
    }

    /// Initial great-circle bearing, degrees in [0, 360).
    public static func bearingDeg(_ from: Coordinate, _ to: Coordinate) -> Double {
        let dLon = radians(wrappedDegrees(to.longitude - from.longitude))
        let (lat1, lat2) = (radians(from.latitude), radians(to.latitude))
        let y = sin(dLon) * cos(lat2)
        let x = cos(lat1) * sin(lat2) - sin(lat1) * cos(lat2) * cos(dLon)
        return normalizedDegrees(atan2(y, x) * 180 / .pi)
    }

    /// East and north components of a bearing, of length 1.
    public static func direction(bearingDeg: Double) -> (east: Double, north: Double) {
        (sin(radians(bearingDeg)), cos(radians(bearingDeg)))
    }

    /// Bearing of a vector, degrees in [0, 360); of the zero vector 0.
    public static func bearingDeg(east: Double, north: Double) -> Double {
        normalizedDegrees(atan2(east, north) * 180 / .pi)
    }

    /// Metres per degree on the reference's flat earth: 111 320 north, that times the cosine of the latitude east, with
    /// the same clamps as `LocalFrame` (spec capture §1.3).
    public static func flatMetresPerDegree(atLatitude latitude: Double) -> (north: Double, east: Double) {
        (111_320, 111_320 * max(1e-6, cos(radians(min(89.9, max(-89.9, latitude))))))
    }

    /// A longitude difference wrapped to [−180, 180].
    public static func wrappedDegrees(_ difference: Double) -> Double {
        guard difference.isFinite else { return 0 }
        return difference.remainder(dividingBy: 360)
    }

    /// An angle normalised to [0, 360).
    public static func normalizedDegrees(_ angle: Double) -> Double {
        let r = angle.truncatingRemainder(dividingBy: 360)
        let positive = r < 0 ? r + 360 : r
        return positive >= 360 ? 0 : positive
    }

    static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
