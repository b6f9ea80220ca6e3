import TrackerGeo

/// The steps of the filter and of the smoother.
extension FixFollower.State {
    /// Acceleration density, m/s²: who is slow changes slowly.
    var q: Double { min(0.45, 0.1 + 0.07 * (eastMps * eastMps + northMps * northMps).squareRoot()) }

    /// The state carried on under acceleration density `q`, m/s².
    func predicted(_ seconds: Double, q: Double) -> Self {
        var next = self
        next.east += eastMps * seconds
        next.north += northMps * seconds
        let q2 = q * q
        next.p = p + 2 * c * seconds + v * seconds * seconds + q2 * seconds * seconds * seconds / 3
        next.c = c + v * seconds + q2 * seconds * seconds / 2
        next.v = v + q2 * seconds
        return next
    }

    func squaredDistance(to place: (east: Double, north: Double)) -> Double {
        let (east, north) = (place.east - self.east, place.north - self.north)
        return east * east + north * north
    }

    func corrected(by place: (east: Double, north: Double), variance: Double) -> Self {
        let s = p + variance
        let (k, g) = (p / s, c / s)
        let (east, north) = (place.east - self.east, place.north - self.north)
        return Self(
            east: self.east + k * east, north: self.north + k * north, eastMps: eastMps + g * east,
            northMps: northMps + g * north, p: (1 - k) * p, c: (1 - k) * c, v: max(0, v - g * c))
    }

    /// Takes a measured velocity.
    mutating func correct(_ velocity: (eastMps: Double, northMps: Double, sigma: Double)) {
        let s = v + velocity.sigma * velocity.sigma
        let (k, g) = (c / s, v / s)
        let (east, north) = (velocity.eastMps - eastMps, velocity.northMps - northMps)
        self.east += k * east
        self.north += k * north
        self.eastMps += g * east
        self.northMps += g * north
        p = max(0, p - k * c)
        c *= 1 - g
        v *= 1 - g
    }

    /// This filtered state, improved by the smoothed one that follows `seconds` later; `predicted` is what was expected
    /// of that one.
    func smoothed(by next: Self, predicted: Self, _ seconds: Double) -> Self {
        // G = P Fᵀ P⁻¹, with P Fᵀ = [[p + c·dt, c], [c + v·dt, v]].
        let (a, b, d, e) = (p + c * seconds, c, c + v * seconds, v)
        let determinant = predicted.p * predicted.v - predicted.c * predicted.c
        guard determinant > 0 else { return self }
        let g11 = (a * predicted.v - b * predicted.c) / determinant
        let g12 = (b * predicted.p - a * predicted.c) / determinant
        let g21 = (d * predicted.v - e * predicted.c) / determinant
        let g22 = (e * predicted.p - d * predicted.c) / determinant
        let (east, north) = (next.east - predicted.east, next.north - predicted.north)
        let (eastMps, northMps) = (next.eastMps - predicted.eastMps, next.northMps - predicted.northMps)
        let (dp, dc, dv) = (next.p - predicted.p, next.c - predicted.c, next.v - predicted.v)
        return Self(
            east: self.east + g11 * east + g12 * eastMps, north: self.north + g11 * north + g12 * northMps,
            eastMps: self.eastMps + g21 * east + g22 * eastMps, northMps: self.northMps + g21 * north + g22 * northMps,
            p: p + g11 * (g11 * dp + g12 * dc) + g12 * (g11 * dc + g12 * dv),
            c: c + g11 * (g21 * dp + g22 * dc) + g12 * (g21 * dc + g22 * dv),
            v: v + g21 * (g21 * dp + g22 * dc) + g22 * (g21 * dc + g22 * dv))
    }

    mutating func move(from old: LocalFrame, to new: LocalFrame) {
        (east, north) = new.offset(of: old.position(east: east, north: north))
    }
}
