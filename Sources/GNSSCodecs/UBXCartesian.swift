import Glibc
import TrackerModel

/// A position and velocity in Earth-centred coordinates, as NAV-SOL gives them, on the WGS-84 ellipsoid.
struct UBXCartesian {
    let coordinate: Coordinate
    let speedMps: Double
    /// [0, 360).
    let courseDeg: Double

    /// Equatorial radius and flattening (spec capture §1.3).
    private static let a = 6_378_137.0
    private static let f = 1 / 298.257_223_563

    /// `nil` for a point that is not near the surface, such as the all-zero one of a receiver without a position.
    init?(_ sol: UBXMessage.SOL) {
        let (x, y, z) = (Double(sol.ecefCM.x) / 100, Double(sol.ecefCM.y) / 100, Double(sol.ecefCM.z) / 100)
        let distance = (x * x + y * y + z * z).squareRoot()
        guard (6_200_000...6_700_000).contains(distance) else { return nil }
        let latitude = Self.latitude(z: z, fromAxis: (x * x + y * y).squareRoot())
        let longitude = atan2(y, x)
        coordinate = Coordinate(latitude: latitude * 180 / .pi, longitude: longitude * 180 / .pi)

        let (vx, vy, vz) = (
            Double(sol.ecefVelocityCMS.x) / 100, Double(sol.ecefVelocityCMS.y) / 100,
            Double(sol.ecefVelocityCMS.z) / 100
        )
        let east = vy * cos(longitude) - vx * sin(longitude)
        let outward = vx * cos(longitude) + vy * sin(longitude)
        let north = vz * cos(latitude) - outward * sin(latitude)
        speedMps = (north * north + east * east).squareRoot()
        let course = atan2(east, north) * 180 / .pi
        courseDeg = course < 0 ? course + 360 : course
    }

    /// Geodetic latitude by Bowring's formula, repeated: within 1e-11 rad after two rounds near the surface.
    private static func latitude(z: Double, fromAxis p: Double) -> Double {
        let b = a * (1 - f)
        let eSquared = f * (2 - f)
        let ePrimeSquared = eSquared / (1 - eSquared)
        var reduced = atan2(z * a, p * b)
        var latitude = 0.0
        for _ in 0..<3 {
            let (s, c) = (sin(reduced), cos(reduced))
            latitude = atan2(z + ePrimeSquared * b * s * s * s, p - eSquared * a * c * c * c)
            reduced = atan2((1 - f) * sin(latitude), cos(latitude))
        }
        return latitude
    }
}
