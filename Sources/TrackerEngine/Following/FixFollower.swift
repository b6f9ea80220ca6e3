import TrackerGeo
import TrackerModel

/// Follows every fix with a constant-velocity filter of its own, and looks back over the last minute with what came
/// later: a fixed-interval smoother (Rauch, Tung, Striebel).
///
/// Averaging helps only where errors are independent from one second to the next. A receiver's usually are not: they
/// wander, and a smooth wandering looks like movement. What changes from fix to fix tells the two apart: an independent
/// error is taken back by the next fix, a wandering one stays. Only in the first case is the smoother believed. How much
/// of the reported variance is new with each fix is measured as well, and weighs the fixes.
struct FixFollower {
    /// What the smoother makes of one fix.
    struct Estimate {
        var fix: TrackFix
        /// Where the smoothed way was then, and the 68 % radius of that, metres.
        var position: Coordinate
        var accuracyM: Double
        /// What of the fix's own error is new with it: σ per axis, metres.
        var noiseM: Double
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
    private static let outliersToReseed = 10
    /// Fixes farther apart are not one stretch.
    private static let shortestStepSeconds = 0.5
    private static let longestStepSeconds = 10.0
    private static let longestStretch = 60
    private static let farthestFromOriginM = 5_000.0
    /// Of the velocity after a seed, (m/s)²: it may be a train.
    private static let seedVelocityVariance = 900.0
    /// Reported radius over σ per axis (spec capture §3).
    private static let radiusOverSigma = 1.5096
    /// Fixes over which the share is averaged, and from which on the stretch is judged; bounds of the share.
    private static let memory = 20.0
    private static let shareRange = 0.02...1.0
    /// Correlation of one change with the next, −½ for independent errors and 0 for wandering ones.
    private static let independentAtMost = -0.2
    /// Errors smaller than this, σ per axis in metres, need no smoothing; a wandering receiver adds such to each fix.
    private static let leastNoiseM = 3.0
    /// A speed of so many σ is one.
    static let provenSigmas = 2.0
    /// What a metre of reported accuracy counts beside a metre of distance from the smoothed way.
    private static let accuracyWeight = 0.1

    private var steps: [Step] = []
    private var frame: LocalFrame?
    private var outliers = 0
    /// How much of the reported variance is new with each fix.
    private var share = 0.3
    private var changes = ChangeStatistics()

    /// The errors of the last fixes were as large and as independent as their accuracies say.
    var hasIndependentErrors: Bool {
        guard Double(steps.count) >= Self.memory, changes.correlation <= Self.independentAtMost,
            let accuracy = steps.last?.fix.accuracyM
        else { return false }
        return share.squareRoot() * accuracy >= Self.leastNoiseM * Self.radiusOverSigma
    }

    /// Where the filter is now; `nil` before the first fix.
    var position: Coordinate? {
        guard let frame, let last = steps.last?.filtered else { return nil }
        return frame.position(east: last.east, north: last.north)
    }

    /// Moving beyond doubt at that time: independent errors, and more speed than twice its σ.
    func isMoving(at instant: Instant) -> Bool {
        guard hasIndependentErrors, let index = steps.firstIndex(where: { $0.fix.instant >= instant }) else {
            return false
        }
        var isMoving = false
        smooth(downTo: index) { _, state in
            isMoving =
                state.eastMps * state.eastMps + state.northMps * state.northMps > Self.provenSigmas * Self.provenSigmas
                * state.v
        }
        return isMoving
    }

    /// Takes a fix; false for one that is not followed: an outlier, and of a quick receiver what comes within half a second
    /// of the one before, so that a stretch is a time and not a number.
    mutating func take(_ fix: TrackFix) -> Bool {
        if let last = steps.last?.fix.instant, case let apart = fix.instant.seconds(since: last), apart >= 0,
            apart < Self.shortestStepSeconds
        {
            return false
        }
        let sigma = fix.accuracyM / Self.radiusOverSigma
        guard let frame, let last = steps.last, outliers < Self.outliersToReseed,
            case let seconds = fix.instant.seconds(since: last.fix.instant), seconds > 0,
            seconds <= Self.longestStepSeconds
        else {
            seed(fix, sigma)
            return true
        }
        let place = frame.offset(of: fix.coordinate)
        let predicted = last.filtered.predicted(seconds, q: last.filtered.q)
        let square = predicted.squaredDistance(to: place)
        guard square <= Self.outlier * (predicted.p + sigma * sigma) else {
            outliers += 1
            return false
        }
        outliers = 0
        let before = frame.offset(of: last.fix.coordinate)
        changes.add(
            east: place.east - before.east - last.filtered.eastMps * seconds,
            north: place.north - before.north - last.filtered.northMps * seconds)
        let fresh = min(Self.shareRange.upperBound, max(0, (square / 2 - predicted.p) / (sigma * sigma)))
        share = max(Self.shareRange.lowerBound, share + (fresh - share) / Self.memory)
        // Tails are heavy: what lies beyond twice what is usual weighs less, as much as it lies beyond.
        let variance = share * sigma * sigma
        let excess = max(1, square / (4 * (predicted.p + variance)))
        var filtered = predicted.corrected(by: place, variance: variance * excess)
        if let velocity = Self.velocity(of: fix) { filtered.correct(velocity) }
        if steps.count >= Self.longestStretch { steps.removeFirst() }
        steps.append(Step(fix: fix, predicted: predicted, filtered: filtered))
        if max(abs(filtered.east), abs(filtered.north)) > Self.farthestFromOriginM { moveOrigin() }
        return true
    }

    /// Of the fixes after `from` and up to `to`, the one nearest to the smoothed way; among equals the more accurate. Those
    /// coarser than `mostAccuracyM` only when there is no other.
    func best(after from: Instant? = nil, to: Instant, mostAccuracyM: Double) -> Estimate? {
        let isLater = { (step: Step) in from.map { step.fix.instant > $0 } ?? true }
        guard let frame, let first = steps.firstIndex(where: isLater) else { return nil }
        var chosen: (estimate: Estimate, cost: Double)?
        smooth(downTo: first) { step, state in
            guard step.fix.instant <= to else { return }
            let place = frame.offset(of: step.fix.coordinate)
            let (east, north) = (place.east - state.east, place.north - state.north)
            let weight = step.fix.accuracyM * Self.accuracyWeight
            let coarse = step.fix.accuracyM > mostAccuracyM ? 1e12 : 0
            let cost = east * east + north * north + weight * weight + coarse
            guard cost < chosen?.cost ?? .infinity else { return }
            let speed = (state.eastMps * state.eastMps + state.northMps * state.northMps).squareRoot()
            chosen = (
                Estimate(
                    fix: step.fix, position: frame.position(east: state.east, north: state.north),
                    accuracyM: max(0, state.p).squareRoot() * Self.radiusOverSigma,
                    noiseM: share.squareRoot() * step.fix.accuracyM / Self.radiusOverSigma, speedMps: speed,
                    speedSigmaMps: max(0, state.v).squareRoot(),
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

    /// The receiver's own, where it says how good it is.
    private static func velocity(of fix: TrackFix) -> (eastMps: Double, northMps: Double, sigma: Double)? {
        guard let speed = fix.speedMps, let course = fix.courseDeg, let accuracy = fix.speedAccuracyMps else {
            return nil
        }
        let direction = Geodesic.direction(bearingDeg: course)
        return (speed * direction.east, speed * direction.north, max(0.3, accuracy))
    }

    private mutating func seed(_ fix: TrackFix, _ sigma: Double) {
        frame = LocalFrame(origin: fix.coordinate)
        outliers = 0
        share = 0.3
        changes = ChangeStatistics()
        steps.removeAll(keepingCapacity: true)
        var state = State(
            east: 0, north: 0, eastMps: 0, northMps: 0, p: sigma * sigma, c: 0, v: Self.seedVelocityVariance)
        if let velocity = Self.velocity(of: fix) { state.correct(velocity) }
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
