import Glibc
public import TrackerModel

/// Distances and bearings on the WGS-84 ellipsoid (spec capture §1.3).
public enum Geodesic {
    /// Semi-major axis, metres, and flattening: NIMA TR8350.2.
    static let a = 6_378_137.0
    static let f = 1 / 298.257_223_563
    static let b = a * (1 - f)
    /// Mean radius (2a + b)/3, for the fallback.
    static let meanRadiusM = 6_371_008.8

    /// Metres between two positions along the geodesic, ≥ 0: Vincenty's inverse solution (Survey Review XXIII, 1975),
    /// and the haversine only where it does not converge (nearly antipodal pairs).
    public static func distanceM(_ from: Coordinate, _ to: Coordinate) -> Double {
        if from == to { return 0 }
        return vincentyM(from, to) ?? haversineM(from, to)
    }

    /// Great-circle metres on the mean sphere, off by up to 0.56 %.
    public static func haversineM(_ from: Coordinate, _ to: Coordinate) -> Double {
        let dLat = radians(to.latitude - from.latitude)
        let dLon = radians(wrappedDegrees(to.longitude - from.longitude))
        let s = sin(dLat / 2)
        let t = sin(dLon / 2)
        let h = s * s + cos(radians(from.latitude)) * cos(radians(to.latitude)) * t * t
        return 2 * meanRadiusM * asin(min(1, h.squareRoot()))
    }

    private static func vincentyM(_ from: Coordinate, _ to: Coordinate) -> Double? {
        let l = radians(wrappedDegrees(to.longitude - from.longitude))
        let u1 = atan((1 - f) * tan(radians(from.latitude)))
        let u2 = atan((1 - f) * tan(radians(to.latitude)))
        let (sinU1, cosU1) = (sin(u1), cos(u1))
        let (sinU2, cosU2) = (sin(u2), cos(u2))
        var lambda = l
        // 200 rounds and 1e-12 rad: spec capture §1.3.
        for _ in 0..<200 {
            let (sinL, cosL) = (sin(lambda), cos(lambda))
            let p = cosU2 * sinL
            let q = cosU1 * sinU2 - sinU1 * cosU2 * cosL
            let sinSigma = (p * p + q * q).squareRoot()
            if sinSigma == 0 { return 0 }
            let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosL
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sinL / sinSigma
            let cos2Alpha = 1 - sinAlpha * sinAlpha
            // On the equator cos²α is 0 and the mid-point term has no weight.
            let cos2M = cos2Alpha == 0 ? 0 : cosSigma - 2 * sinU1 * sinU2 / cos2Alpha
            let c = f / 16 * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha))
            let previous = lambda
            lambda =
                l + (1 - c) * f * sinAlpha
                * (sigma + c * sinSigma * (cos2M + c * cosSigma * (-1 + 2 * cos2M * cos2M)))
            if abs(lambda - previous) < 1e-12 {
                return length(cos2Alpha: cos2Alpha, sigma: sigma, sinSigma: sinSigma, cosSigma: cosSigma, cos2M: cos2M)
            }
            if abs(lambda) > .pi { return nil }
        }
        return nil
    }

    private static func length(
        cos2Alpha: Double, sigma: Double, sinSigma: Double, cosSigma: Double, cos2M: Double
    ) -> Double {
        let u2 = cos2Alpha * (a * a - b * b) / (b * b)
        let bigA = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
        let bigB = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
        let inner = cosSigma * (-1 + 2 * cos2M * cos2M)
        let outer = bigB / 6 * cos2M * (-3 + 4 * sinSigma * sinSigma) * (-3 + 4 * cos2M * cos2M)
        return b * bigA * (sigma - bigB * sinSigma * (cos2M + bigB / 4 * (inner - outer)))
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
