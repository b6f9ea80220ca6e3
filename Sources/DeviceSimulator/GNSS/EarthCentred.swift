import CLinux
import Glibc
import TrackerModel

/// Position and velocity in the axes of the earth, as NAV-SOL wants them.
struct EarthCentred {
    /// X, Y, Z in metres.
    let position: [Double]
    /// X, Y, Z in metres a second.
    let velocity: [Double]

    init(_ solution: NavigationSolution) {
        guard let place = solution.position else {
            position = [0, 0, 0]
            velocity = [0, 0, 0]
            return
        }
        let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        let (sinLat, cosLat, sinLon, cosLon) = (sin(latitude), cos(latitude), sin(longitude), cos(longitude))
        // WGS-84: a = 6 378 137 m, e² = 0.006 694 379 990 14.
        let eccentricity = 0.006_694_379_990_14
        let radius = 6_378_137 / (1 - eccentricity * sinLat * sinLat).squareRoot()
        let height = solution.altitudeM + solution.separationM
        position = [
            (radius + height) * cosLat * cosLon, (radius + height) * cosLat * sinLon,
            (radius * (1 - eccentricity) + height) * sinLat,
        ]
        let (north, east, up) = (solution.northMps, solution.eastMps, -solution.downMps)
        velocity = [
            -sinLat * cosLon * north - sinLon * east + cosLat * cosLon * up,
            -sinLat * sinLon * north + cosLon * east + cosLat * sinLon * up, cosLat * north + sinLat * up,
        ]
    }
}
