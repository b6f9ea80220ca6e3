import Glibc

/// The distance of two positions that lie near each other, by Gauss's mid-latitude formula with its terms of third order:
/// one sine and no iteration. Almost every distance that a tracker asks for is such a line.
///
/// Within the limits below it differs by less than 50 nm from the whole solution; the tests hold it to that.
enum ShortLine {
    /// Of both differences, degrees: 5.5 km to the north.
    private static let farthestDeg = 0.05
    /// Nearer to the poles the meridians converge too much for a plane.
    private static let highestLatitude = 80.0

    /// Metres; `nil` where the line is too long or too near a pole.
    static func distanceM(lat1: Double, lat2: Double, lonDifference: Double) -> Double? {
        let dLat = lat2 - lat1
        guard abs(dLat) <= farthestDeg, abs(lonDifference) <= farthestDeg, abs(lat1) <= highestLatitude else {
            return nil
        }
        let s = sin((lat1 + lat2) * (.pi / 360))
        let s2 = s * s
        let c2 = 1 - s2
        let b = dLat * (.pi / 180)
        let l = lonDifference * (.pi / 180)
        let w2 = 1 - Ellipsoid.e2 * s2
        let normal = Ellipsoid.a / w2.squareRoot()
        // η² and V² of the books.
        let eta2 = Ellipsoid.ep2 * c2
        let v2 = 1 + eta2
        let (b2, east2) = (b * b, l * l * c2)
        let t2 = s2 / c2
        let east = 1 - l * l * s2 / 24 + (1 + eta2 - 9 * eta2 * t2) * b2 / (24 * v2 * v2)
        let north =
            (1 - l * l / 8) * (1 + (1 - 2 * eta2) * east2 / 24 + eta2 * (1 - t2) * b2 / (8 * v2 * v2))
        let x2 = east2 * east * east
        let y = b / v2 * north
        return normal * (x2 + y * y).squareRoot()
    }
}
