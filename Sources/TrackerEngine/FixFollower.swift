import TrackerGeo
import TrackerModel

/// Follows every fix with a constant-velocity filter of its own, and looks back over the last minute with what came
/// later: a fixed-interval smoother (Rauch, Tung, Striebel).
///
/// Averaging helps only where errors are independent from one second to the next. A receiver's usually are not: they
/// wander, and a smooth wandering looks like movement. The innovations tell the two apart: what of the reported variance
/// is new with each fix is most of it for independent errors, and next to nothing for wandering ones. Only in the first
/// case is the smoother believed.
struct FixFollower {
    /// What the smoother makes of one fix.
    struct Estimate {
        var fix: TrackFix
        /// Metres per second, and its standard deviation per axis.
        var speedMps: Double
        var speedSigmaMps: Double
        var courseDeg: Double?
    }

    /// Position and velocity in metres of the local frame, with one covariance for both axes.
    struct State {
        var east: Double
        var north: Double
        var eastMps: Double
        var northMps: Double
        var p: Double
        var c: Double
        var v: Double
    }

    private struct Step {
        var fix: TrackFix
        var predicted: State
        var filtered: State
    }

    /// Chi-square of two degrees of freedom, 99.9 % (spec capture §3).
    private static let outlier = 13.82
    /// Outliers in a row after which the filter was wrong, not they.
    private static let outliersToReseed = 5
    /// Acceleration density, m/s²: what a pedestrian and a vehicle in traffic need (spec capture §7: 0.45 moving).
    private static let q = 0.45
    /// Fixes farther apart are not one stretch.
    private static let longestStepSeconds = 3.0
    private static let longestStretch = 60
    private static let farthestFromOriginM = 5_000.0
    /// σ of the velocity after a seed, m/s (spec capture §7).
    private static let seedVelocityVariance = 25.0
    /// Reported radius over σ per axis (spec capture §3).
    private static let radiusOverSigma = 1.5096
    /// Fixes over which the innovations are averaged; the share of the reported variance that must be new with each fix
    /// for errors to count as independent, and bounds of the share.
    private static let memory = 20.0
    private static let independentFrom = 0.1
    private static let shareRange = 0.02...1.0

    private var steps: [Step] = []
    private var frame: LocalFrame?
    private var outliers = 0
    /// How much of the reported variance is new with each fix.
    private var share = 0.3

    /// The errors of the last fixes were as large and as independent as their accuracies say.
    var hasIndependentErrors: Bool {
        Double(steps.count) >= Self.memory && share >= Self.independentFrom
    }

    /// Where the filter is now; `nil` before the first fix.
    var position: Coordinate? {
        guard let frame, let last = steps.last?.filtered else { return nil }
        return frame.position(east: last.east, north: last.north)
    }

    /// Takes a fix; false for an outlier, which is not followed.
    mutating func take(_ fix: TrackFix) -> Bool {
        let sigma = fix.accuracyM / Self.radiusOverSigma
        guard let frame, let last = steps.last, outliers < Self.outliersToReseed,
            case let seconds = fix.instant.seconds(since: last.fix.instant), seconds > 0,
            seconds <= Self.longestStepSeconds
        else {
            seed(fix, sigma)
            return true
        }
        let place = frame.offset(of: fix.coordinate)
        let predicted = last.filtered.predicted(seconds, q: Self.q)
        let square = predicted.squaredDistance(to: place)
        guard square <= Self.outlier * (predicted.p + sigma * sigma) else {
            outliers += 1
            return false
        }
        outliers = 0
        let isNew = min(Self.shareRange.upperBound, max(0, (square / 2 - predicted.p) / (sigma * sigma)))
        share = max(Self.shareRange.lowerBound, share + (isNew - share) / Self.memory)
        var filtered = predicted.corrected(by: place, variance: share * sigma * sigma)
        if let speed = fix.speedMps, let course = fix.courseDeg, let accuracy = fix.speedAccuracyMps {
            let direction = Geodesic.direction(bearingDeg: course)
            filtered.correct(
                eastMps: speed * direction.east, northMps: speed * direction.north, sigma: max(0.3, accuracy))
        }
        if steps.count >= Self.longestStretch { steps.removeFirst() }
        steps.append(Step(fix: fix, predicted: predicted, filtered: filtered))
        if max(abs(filtered.east), abs(filtered.north)) > Self.farthestFromOriginM { moveOrigin() }
        return true
    }

    /// Of the fixes after `from` and up to `to`, the one nearest to the smoothed way; among equals the more accurate. Those
    /// coarser than `mostAccuracyM` only when there is no other.
    func best(after from: Instant, to: Instant, mostAccuracyM: Double) -> Estimate? {
        guard let frame, let first = steps.firstIndex(where: { $0.fix.instant > from }) else { return nil }
        var chosen: (estimate: Estimate, cost: Double)?
        smooth(downTo: first) { step, state in
            guard step.fix.instant <= to else { return }
            let place = frame.offset(of: step.fix.coordinate)
            let (east, north) = (place.east - state.east, place.north - state.north)
            let half = step.fix.accuracyM / 2
            let coarse = step.fix.accuracyM > mostAccuracyM ? 1e12 : 0
            let cost = east * east + north * north + half * half + coarse
            guard cost < chosen?.cost ?? .infinity else { return }
            let speed = (state.eastMps * state.eastMps + state.northMps * state.northMps).squareRoot()
            chosen = (
                Estimate(
                    fix: step.fix, speedMps: speed, speedSigmaMps: max(0, state.v).squareRoot(),
                    courseDeg: speed > 0 ? Geodesic.bearingDeg(east: state.eastMps, north: state.northMps) : nil), cost
            )
        }
        return chosen?.estimate
    }

    /// Hands every step from the newest down to `first` with its smoothed state.
    private func smooth(downTo first: Int, _ visit: (Step, State) -> Void) {
        guard var state = steps.last?.filtered else { return }
        for index in stride(from: steps.count - 1, through: first, by: -1) {
            if index < steps.count - 1 {
                let next = steps[index + 1]
                let seconds = next.fix.instant.seconds(since: steps[index].fix.instant)
                state = steps[index].filtered.smoothed(by: state, predicted: next.predicted, seconds)
            }
            visit(steps[index], state)
        }
    }

    private mutating func seed(_ fix: TrackFix, _ sigma: Double) {
        frame = LocalFrame(origin: fix.coordinate)
        outliers = 0
        share = 0.3
        steps.removeAll(keepingCapacity: true)
        let state = State(
            east: 0, north: 0, eastMps: 0, northMps: 0, p: sigma * sigma, c: 0, v: Self.seedVelocityVariance)
        steps.append(Step(fix: fix, predicted: state, filtered: state))
    }

    /// A frame is good for some kilometres: the newest fix becomes its origin.
    private mutating func moveOrigin() {
        guard let old = frame, let last = steps.last else { return }
        let new = LocalFrame(origin: old.position(east: last.filtered.east, north: last.filtered.north))
        for index in steps.indices {
            steps[index].predicted.move(from: old, to: new)
            steps[index].filtered.move(from: old, to: new)
        }
        frame = new
    }
}

extension FixFollower.State {
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
    mutating func correct(eastMps: Double, northMps: Double, sigma: Double) {
        let s = v + sigma * sigma
        let (k, g) = (c / s, v / s)
        let (east, north) = (eastMps - self.eastMps, northMps - self.northMps)
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
