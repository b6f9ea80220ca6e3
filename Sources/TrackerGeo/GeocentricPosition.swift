import Glibc
public import TrackerModel

/// A place on the ellipsoid in metres from the earth's centre: distances without trigonometry, and without a seam at
/// ±180° or at a pole. For those who compare one place with very many.
public struct GeocentricPosition: Equatable, Sendable {
    /// Mean radius of the earth, metres (IUGG R₁): turns chords into arcs.
    private static let radiusM = 6_371_008.8

    /// Metres towards (0°, 0°), (0°, 90° E) and the north pole.
    public let x: Double
    public let y: Double
    public let z: Double

    public init(_ coordinate: Coordinate) {
        let (latitude, longitude) = (Geodesic.radians(coordinate.latitude), Geodesic.radians(coordinate.longitude))
        let normal = Ellipsoid.a / (1 - Ellipsoid.e2 * sin(latitude) * sin(latitude)).squareRoot()
        x = normal * cos(latitude) * cos(longitude)
        y = normal * cos(latitude) * sin(longitude)
        z = normal * (1 - Ellipsoid.e2) * sin(latitude)
    }

    /// Metres along the ground: within 2 cm of the geodesic up to 100 km and 10 cm up to 200 km; beyond, too short, but
    /// never below 200 km.
    public func distanceM(to other: GeocentricPosition) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return Self.arcM(ofChord: (dx * dx + dy * dy + dz * dz).squareRoot())
    }

    /// Metres along the ground between two places whose straight line is `chordM` long: 2R·asin(c/2R) as a series.
    public static func arcM(ofChord chordM: Double) -> Double {
        let q = chordM * chordM / (4 * radiusM * radiusM)
        return chordM * (1 + q * (1 / 6 + q * 3 / 40))
    }

    /// The straight line between two places that are `arcM` apart along the ground: 2R·sin(s/2R) as a series.
    public static func chordM(ofArc arcM: Double) -> Double {
        let q = arcM * arcM / (4 * radiusM * radiusM)
        return arcM * (1 - q * (1 / 6 - q / 120))
    }
}
