import Glibc

/// The WGS-84 ellipsoid and the series in its third flattening that the geodesic problem is solved with, to order 6:
/// C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), equations 15 to 25. Truncation is below 0.1 nm.
enum Ellipsoid {
    /// Semi-major axis, metres, and flattening: NIMA TR8350.2.
    static let a = 6_378_137.0
    static let f = 1 / 298.257_223_563
    static let b = a * (1 - f)
    static let f1 = 1 - f
    static let n = f / (2 - f)
    static let e2 = f * (2 - f)
    static let ep2 = e2 / (f1 * f1)
}

/// Values of the series for one geodesic.
enum GeodesicSeries {
    static let order = 6

    /// The small parameter of a geodesic from the square of its k (equation 16).
    static func epsilon(k2: Double) -> Double { k2 / (2 * (1 + (1 + k2).squareRoot()) + k2) }

    /// A₁ − 1 (equation 17).
    static func a1m1(_ eps: Double) -> Double {
        let e2 = eps * eps
        let t = e2 * (64 + e2 * (4 + e2)) / 256
        return (t + eps) / (1 - eps)
    }

    /// A₂ − 1 (equation 42).
    static func a2m1(_ eps: Double) -> Double {
        let e2 = eps * eps
        let t = e2 * (-192 + e2 * (-28 - 11 * e2)) / 256
        return (t - eps) / (1 + eps)
    }

    /// C₁, first coefficient at index 1 (equation 18).
    static func c1(_ eps: Double) -> Coefficients {
        let e2 = eps * eps
        return Coefficients(
            eps,
            (-16 + e2 * (6 - e2)) / 32, (-128 + e2 * (64 - 9 * e2)) / 2_048, (-16 + 9 * e2) / 768, (-5 + 3 * e2) / 512,
            -7.0 / 1_280, -7.0 / 2_048)
    }

    /// C₁′, the inverse of C₁ (equation 21).
    static func c1p(_ eps: Double) -> Coefficients {
        let e2 = eps * eps
        return Coefficients(
            eps,
            (768 + e2 * (-432 + 205 * e2)) / 1_536, (3_840 + e2 * (-4_736 + 4_005 * e2)) / 12_288,
            (116 - 225 * e2) / 384, (2_695 - 7_173 * e2) / 7_680, 3_467.0 / 7_680, 38_081.0 / 61_440)
    }

    /// C₂ (equation 43).
    static func c2(_ eps: Double) -> Coefficients {
        let e2 = eps * eps
        return Coefficients(
            eps,
            (16 + e2 * (2 + e2)) / 32, (384 + e2 * (64 + 35 * e2)) / 2_048, (80 + 15 * e2) / 768, (35 + 7 * e2) / 512,
            63.0 / 1_280, 77.0 / 2_048)
    }

    /// A₃ (equation 24).
    static func a3(_ eps: Double) -> Double {
        let n = Ellipsoid.n
        let terms = (
            (-1 + n) / 2, (-2 + n * (-1 + 3 * n)) / 8, (-1 + n * (-3 - n)) / 16, (-3 - 2 * n) / 64, -3.0 / 128
        )
        return 1 + eps * (terms.0 + eps * (terms.1 + eps * (terms.2 + eps * (terms.3 + eps * terms.4))))
    }

    /// C₃, five coefficients (equation 25).
    static func c3(_ eps: Double) -> Coefficients {
        let n = Ellipsoid.n
        let first =
            (1 - n) / 4 + eps
            * ((1 - n * n) / 8 + eps * ((3 + n * (3 - n)) / 64 + eps * ((5 + 2 * n) / 128 + eps * 3 / 128)))
        let second =
            (2 + n * (-3 + n)) / 32 + eps * ((3 + n * (-2 - 3 * n)) / 64 + eps * ((3 + n) / 128 + eps * 5 / 256))
        let third = (5 + n * (-9 + 5 * n)) / 192 + eps * ((9 - 10 * n) / 384 + eps * 7 / 512)
        let fourth = (7 - 14 * n) / 512 + eps * 7 / 512
        return Coefficients(eps, first, second, third, fourth, 21.0 / 2_560, 0)
    }
}

/// Six coefficients of a sine series; each is given without its power of ε.
struct Coefficients {
    private let c: (Double, Double, Double, Double, Double, Double)

    init(_ eps: Double, _ c1: Double, _ c2: Double, _ c3: Double, _ c4: Double, _ c5: Double, _ c6: Double) {
        let e2 = eps * eps
        let e3 = e2 * eps
        c = (c1 * eps, c2 * e2, c3 * e3, c4 * e2 * e2, c5 * e2 * e3, c6 * e3 * e3)
    }

    /// Σ cₖ sin 2kσ by Clenshaw's summation.
    func sum(sin s: Double, cos c0: Double) -> Double {
        let x = 2 * (c0 - s) * (c0 + s)
        var y1 = c.5
        var y0 = x * y1 + c.4
        y1 = x * y0 - y1 + c.3
        y0 = x * y1 - y0 + c.2
        y1 = x * y0 - y1 + c.1
        y0 = x * y1 - y0 + c.0
        return 2 * s * c0 * y0
    }
}

/// A direction by sine and cosine, kept apart so that nothing is lost near the poles and the antipode.
struct SinCos {
    var sin: Double
    var cos: Double

    init(sin: Double, cos: Double) {
        self.sin = sin
        self.cos = cos
    }

    /// Of an angle in degrees; exact at multiples of 90°.
    init(degrees: Double) {
        let rest = degrees.remainder(dividingBy: 90)
        let quarter = Int(((degrees - rest) / 90).remainder(dividingBy: 4))
        let (s, c) = (Glibc.sin(rest * .pi / 180), Glibc.cos(rest * .pi / 180))
        switch quarter & 3 {
        case 0: self.init(sin: s, cos: c)
        case 1: self.init(sin: c, cos: -s)
        case 2: self.init(sin: -s, cos: -c)
        default: self.init(sin: -c, cos: s)
        }
    }

    init(radians: Double) { self.init(sin: Glibc.sin(radians), cos: Glibc.cos(radians)) }

    func normalized() -> SinCos {
        let length = hypot(sin, cos)
        return SinCos(sin: sin / length, cos: cos / length)
    }

    /// The angle from this direction to `other`, as far as it is positive.
    func positiveAngle(to other: SinCos) -> Double {
        atan2(max(0, cos * other.sin - sin * other.cos), cos * other.cos + sin * other.sin)
    }

    var degrees: Double { atan2(sin, cos) * 180 / .pi }
}
