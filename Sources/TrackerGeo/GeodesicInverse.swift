import Glibc

/// The inverse geodesic problem: from two positions, the distance and both azimuths. Converges for every pair of points,
/// the nearly antipodal ones included (Karney 2013, §4 and §5).
struct GeodesicInverse {
    private static let tiny = Double.leastNormalMagnitude.squareRoot()
    private static let epsilon = Double.ulpOfOne
    private static let rootEpsilon = Double.ulpOfOne.squareRoot()
    /// Below this spherical arc the line is short enough for one step (Karney's estimate for a relative error of ε).
    private static let shortArc =
        0.1 * rootEpsilon / (max(0.001, Ellipsoid.f) * min(1, 1 - Ellipsoid.f / 2) / 2).squareRoot()
    /// Newton needs about four steps; where it is led astray bisection takes over, at most one step a bit.
    private static let newtonSteps = 20
    private static let mostSteps = newtonSteps + 53 + 10

    /// Metres.
    private(set) var distance = 0.0
    /// At the first and the second point.
    private(set) var azimuth1 = SinCos(sin: 0, cos: 1)
    private(set) var azimuth2 = SinCos(sin: 0, cos: 1)

    /// Reduced latitudes of both points, the first the one farther from the equator and in the south.
    private let beta1: SinCos
    private let beta2: SinCos
    private let dn1: Double
    private let dn2: Double
    private let lambda: SinCos
    private let lambdaRadians: Double

    /// Latitudes in degrees within ±90; `lonDifference` in [−180, 180].
    init(lat1: Double, lat2: Double, lonDifference: Double) {
        var eastward = lonDifference < 0 ? -1.0 : 1.0
        let difference = abs(lonDifference)
        lambdaRadians = difference * .pi / 180
        lambda =
            difference > 90
            ? { SinCos(sin: $0.sin, cos: -$0.cos) }(SinCos(degrees: 180 - difference)) : SinCos(degrees: difference)
        // Canonical position: the first point farthest from the equator, in the south.
        let swaps = abs(lat1) < abs(lat2)
        if swaps { eastward = -eastward }
        var (first, second) = swaps ? (lat2, lat1) : (lat1, lat2)
        let mirror = first < 0 ? 1.0 : -1.0
        (first, second) = (first * mirror, second * mirror)
        let near1 = Self.reduced(first)
        var near2 = Self.reduced(second)
        // Equal latitudes must stay equal to the last bit: the antipodal branch compares them.
        if near1.cos < -near1.sin {
            if near2.cos == near1.cos { near2.sin = near2.sin < 0 ? near1.sin : -near1.sin }
        } else if abs(near2.sin) == -near1.sin {
            near2.cos = near1.cos
        }
        (beta1, beta2) = (near1, near2)
        dn1 = (1 + Ellipsoid.ep2 * near1.sin * near1.sin).squareRoot()
        dn2 = (1 + Ellipsoid.ep2 * near2.sin * near2.sin).squareRoot()
        solve(isPolar: first == -90, longitudeDegrees: difference)
        if swaps { swap(&azimuth1, &azimuth2) }
        let turn = swaps ? -1.0 : 1.0
        azimuth1 = SinCos(sin: azimuth1.sin * turn * eastward, cos: azimuth1.cos * turn * mirror)
        azimuth2 = SinCos(sin: azimuth2.sin * turn * eastward, cos: azimuth2.cos * turn * mirror)
    }

    private static func reduced(_ latitude: Double) -> SinCos {
        var beta = SinCos(degrees: latitude)
        beta.sin *= Ellipsoid.f1
        beta = beta.normalized()
        beta.cos = max(tiny, beta.cos)
        return beta
    }

    private mutating func solve(isPolar: Bool, longitudeDegrees: Double) {
        if isPolar || lambda.sin == 0, solveMeridian() { return }
        if beta1.sin == 0, longitudeDegrees <= 180 * (1 - Ellipsoid.f) {
            // Along the equator.
            distance = Ellipsoid.a * lambdaRadians
            azimuth1 = SinCos(sin: 1, cos: 0)
            azimuth2 = azimuth1
            return
        }
        let start = start()
        azimuth1 = start.azimuth1
        if let short = start.short {
            azimuth2 = short.azimuth2
            distance = short.arc * Ellipsoid.b * short.dnm
            return
        }
        iterate()
    }

    /// A meridian is the shortest way unless its conjugate point lies between.
    private mutating func solveMeridian() -> Bool {
        azimuth1 = SinCos(sin: lambda.sin, cos: lambda.cos)
        azimuth2 = SinCos(sin: 0, cos: 1)
        let sigma1 = SinCos(sin: beta1.sin, cos: azimuth1.cos * beta1.cos)
        let sigma2 = SinCos(sin: beta2.sin, cos: azimuth2.cos * beta2.cos)
        let arc = sigma1.positiveAngle(to: sigma2)
        let lengths = lengths(eps: Ellipsoid.n, arc: arc, sigma1, sigma2)
        guard arc < 1 || lengths.reduced >= 0 else { return false }
        distance = arc < 3 * Self.tiny ? 0 : lengths.distance * Ellipsoid.b
        return true
    }

    private mutating func iterate() {
        var low = SinCos(sin: Self.tiny, cos: 1)
        var high = SinCos(sin: Self.tiny, cos: -1)
        var isClose = false
        var isBracketed = false
        for step in 0..<Self.mostSteps {
            let line = line(azimuth1)
            azimuth2 = line.azimuth2
            let v = line.excess
            if isBracketed || !(abs(v) >= (isClose ? 8 : 1) * Self.epsilon) || step == Self.mostSteps - 1 {
                distance = lengths(eps: line.eps, arc: line.arc, line.sigma1, line.sigma2).distance * Ellipsoid.b
                return
            }
            let slope = azimuth1.cos / azimuth1.sin
            if v > 0, step > Self.newtonSteps || slope > high.cos / high.sin { high = azimuth1 }
            if v < 0, step > Self.newtonSteps || slope < low.cos / low.sin { low = azimuth1 }
            if step < Self.newtonSteps, line.derivative > 0 {
                let change = -v / line.derivative
                let turn = SinCos(radians: change)
                let sine = azimuth1.sin * turn.cos + azimuth1.cos * turn.sin
                if sine > 0, abs(change) < .pi {
                    let cosine = azimuth1.cos * turn.cos - azimuth1.sin * turn.sin
                    azimuth1 = SinCos(sin: sine, cos: cosine).normalized()
                    // The next step is exact to rounding.
                    isClose = abs(v) <= 16 * Self.epsilon
                    continue
                }
            }
            azimuth1 = SinCos(sin: (low.sin + high.sin) / 2, cos: (low.cos + high.cos) / 2).normalized()
            isClose = false
            isBracketed =
                abs(low.sin - azimuth1.sin) + (low.cos - azimuth1.cos) < Self.epsilon
                || abs(azimuth1.sin - high.sin) + (azimuth1.cos - high.cos) < Self.epsilon
        }
    }

    /// Distance and reduced length over b.
    private func lengths(
        eps: Double, arc: Double, _ sigma1: SinCos, _ sigma2: SinCos
    ) -> (distance: Double, reduced: Double) {
        let (a1m1, a2m1) = (GeodesicSeries.a1m1(eps), GeodesicSeries.a2m1(eps))
        let (c1, c2) = (GeodesicSeries.c1(eps), GeodesicSeries.c2(eps))
        let b1 = c1.sum(sin: sigma2.sin, cos: sigma2.cos) - c1.sum(sin: sigma1.sin, cos: sigma1.cos)
        let b2 = c2.sum(sin: sigma2.sin, cos: sigma2.cos) - c2.sum(sin: sigma1.sin, cos: sigma1.cos)
        let j12 = (a1m1 - a2m1) * arc + ((1 + a1m1) * b1 - (1 + a2m1) * b2)
        let reduced =
            dn2 * (sigma1.cos * sigma2.sin) - dn1 * (sigma1.sin * sigma2.cos) - sigma1.cos * sigma2.cos * j12
        return ((1 + a1m1) * (arc + b1), reduced)
    }
}

extension GeodesicInverse {
    private struct Line {
        var azimuth2: SinCos
        var sigma1: SinCos
        var sigma2: SinCos
        var arc: Double
        var eps: Double
        /// By how much the line's longitude difference misses the wanted one, and its derivative by the azimuth.
        var excess: Double
        var derivative: Double
    }

    /// The geodesic that leaves the first point at an azimuth and ends at the second latitude (equations 5 to 8, 45, 46).
    private func line(_ start: SinCos) -> Line {
        var alpha1 = start
        if beta1.sin == 0, alpha1.cos == 0 { alpha1.cos = -Self.tiny }
        let alpha0 = SinCos(sin: alpha1.sin * beta1.cos, cos: hypot(alpha1.cos, alpha1.sin * beta1.sin))
        let omega1 = SinCos(sin: alpha0.sin * beta1.sin, cos: alpha1.cos * beta1.cos)
        let sigma1 = SinCos(sin: beta1.sin, cos: omega1.cos).normalized()
        let alpha2 = SinCos(
            sin: beta2.cos != beta1.cos ? alpha0.sin / beta2.cos : alpha1.sin, cos: cosineAtSecond(alpha1))
        let omega2 = SinCos(sin: alpha0.sin * beta2.sin, cos: alpha2.cos * beta2.cos)
        let sigma2 = SinCos(sin: beta2.sin, cos: omega2.cos).normalized()
        let arc = sigma1.positiveAngle(to: sigma2)
        let omegaSin = max(0, omega1.cos * omega2.sin - omega1.sin * omega2.cos)
        let omegaCos = omega1.cos * omega2.cos + omega1.sin * omega2.sin
        let eta = atan2(
            omegaSin * lambda.cos - omegaCos * lambda.sin, omegaCos * lambda.cos + omegaSin * lambda.sin)
        let eps = GeodesicSeries.epsilon(k2: alpha0.cos * alpha0.cos * Ellipsoid.ep2)
        let c3 = GeodesicSeries.c3(eps)
        let b3 = c3.sum(sin: sigma2.sin, cos: sigma2.cos) - c3.sum(sin: sigma1.sin, cos: sigma1.cos)
        let excess = eta - Ellipsoid.f * GeodesicSeries.a3(eps) * alpha0.sin * (arc + b3)
        let derivative =
            alpha2.cos == 0
            ? -2 * Ellipsoid.f1 * dn1 / beta1.sin
            : lengths(eps: eps, arc: arc, sigma1, sigma2).reduced * Ellipsoid.f1 / (alpha2.cos * beta2.cos)
        return Line(
            azimuth2: alpha2, sigma1: sigma1, sigma2: sigma2, arc: arc, eps: eps, excess: excess, derivative: derivative
        )
    }

    /// Clairaut's relation, written so that equal latitudes lose nothing.
    private func cosineAtSecond(_ alpha1: SinCos) -> Double {
        guard beta2.cos != beta1.cos || abs(beta2.sin) != -beta1.sin else { return abs(alpha1.cos) }
        let difference =
            beta1.cos < -beta1.sin
            ? (beta2.cos - beta1.cos) * (beta1.cos + beta2.cos) : (beta1.sin - beta2.sin) * (beta1.sin + beta2.sin)
        let square = alpha1.cos * beta1.cos * (alpha1.cos * beta1.cos) + difference
        return max(0, square).squareRoot() / beta2.cos
    }

    /// A first azimuth, and the whole solution where the line is short (§5 and the appendix of the paper).
    private func start() -> (azimuth1: SinCos, short: (arc: Double, dnm: Double, azimuth2: SinCos)?) {
        let sine12 = beta2.sin * beta1.cos - beta2.cos * beta1.sin
        let cosine12 = beta2.cos * beta1.cos + beta2.sin * beta1.sin
        let sine12a = beta2.sin * beta1.cos + beta2.cos * beta1.sin
        let isShort = cosine12 >= 0 && sine12 < 0.5 && beta2.cos * lambdaRadians < 0.5
        var omega = lambda
        var dnm = 1.0
        if isShort {
            let sum = (beta1.sin + beta2.sin) * (beta1.sin + beta2.sin)
            let cosines = (beta1.cos + beta2.cos) * (beta1.cos + beta2.cos)
            dnm = (1 + Ellipsoid.ep2 * sum / (sum + cosines)).squareRoot()
            omega = SinCos(radians: lambdaRadians / (Ellipsoid.f1 * dnm))
        }
        let square = omega.sin * omega.sin
        var alpha1 = SinCos(
            sin: beta2.cos * omega.sin,
            cos: omega.cos >= 0
                ? sine12 + beta2.cos * beta1.sin * square / (1 + omega.cos)
                : sine12a - beta2.cos * beta1.sin * square / (1 - omega.cos))
        let arcSin = hypot(alpha1.sin, alpha1.cos)
        let arcCos = beta1.sin * beta2.sin + beta1.cos * beta2.cos * omega.cos
        if isShort, arcSin < Self.shortArc {
            let rest = omega.cos >= 0 ? square / (1 + omega.cos) : 1 - omega.cos
            let alpha2 = SinCos(sin: beta1.cos * omega.sin, cos: sine12 - beta1.cos * beta2.sin * rest).normalized()
            return (Self.unit(alpha1), (atan2(arcSin, arcCos), dnm, alpha2))
        }
        // Far from the antipode the great circle's azimuth will do.
        if arcCos < 0, arcSin < 6 * Ellipsoid.n * .pi * beta1.cos * beta1.cos { alpha1 = antipodalStart(sine12a) }
        return (Self.unit(alpha1), nil)
    }

    /// Near the antipode: the envelope of the geodesics is an astroid in the plane of scaled differences (§5).
    private func antipodalStart(_ sine12a: Double) -> SinCos {
        let eps = GeodesicSeries.epsilon(k2: beta1.sin * beta1.sin * Ellipsoid.ep2)
        let longitudeScale = Ellipsoid.f * beta1.cos * GeodesicSeries.a3(eps) * .pi
        let x = atan2(-lambda.sin, -lambda.cos) / longitudeScale
        let y = sine12a / (longitudeScale * beta1.cos)
        if y > -200 * Self.epsilon, x > -1 - 1_000 * Self.rootEpsilon {
            let sine = min(1, -x)
            return SinCos(sin: sine, cos: -(1 - sine * sine).squareRoot())
        }
        let k = Self.astroid(x, y)
        let omegaSupplement = longitudeScale * -x * k / (1 + k)
        let (sine, cosine) = (sin(omegaSupplement), -cos(omegaSupplement))
        return SinCos(sin: beta2.cos * sine, cos: sine12a - beta2.cos * beta1.sin * sine * sine / (1 - cosine))
    }

    /// The positive root of k⁴ + 2k³ − (x² + y² − 1)k² − 2y²k − y² = 0 (equation 55).
    private static func astroid(_ x: Double, _ y: Double) -> Double {
        let (p, q) = (x * x, y * y)
        let r = (p + q - 1) / 6
        if q == 0, r <= 0 { return 0 }
        let s = p * q / 4
        let (r2, r3) = (r * r, r * r * r)
        let discriminant = s * (s + 2 * r3)
        var u = r
        if discriminant >= 0 {
            let t3 = s + r3 + (s + r3 < 0 ? -discriminant.squareRoot() : discriminant.squareRoot())
            let t = cbrt(t3)
            u += t + (t != 0 ? r2 / t : 0)
        } else {
            u += 2 * r * cos(atan2((-discriminant).squareRoot(), -(s + r3)) / 3)
        }
        let v = (u * u + q).squareRoot()
        let uv = u < 0 ? q / (v - u) : u + v
        let w = (uv - q) / (2 * v)
        return uv / ((uv + w * w).squareRoot() + w)
    }

    private static func unit(_ direction: SinCos) -> SinCos {
        direction.sin > 0 ? direction.normalized() : SinCos(sin: 1, cos: 0)
    }
}
