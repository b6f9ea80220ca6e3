import TrackerGeo
import TrackerModel

/// Notices a turn on raw fixes, so that its points are sampled more often (spec capture §12.3).
///
/// At 1 Hz the noise of one heading reads like a turn: headings are averaged over five fixes and compared over a 6 s
/// baseline (with the specification's three, one of six straight runs of ten minutes still burst at 3° of noise). With
/// fixes more than 3 s apart, and under the reference's rules always, two headings in a row are compared.
struct TurnDetector {
    private static let enterDegPerSecond = 1.5
    private static let holdMillis: Int64 = 30_000
    private static let slowestMps = 2.5
    private static let coarsestM = 50.0
    private static let baselineSeconds = 6.0
    /// Fixes within this are averaged; farther apart than the second, they are taken pairwise.
    private static let averageSeconds = 4.0
    private static let denseSeconds = 3.0
    private static let pairRange = 1.0...30.0
    private static let displacementM = 15.0
    /// Of a quicker receiver not every fix is taken.
    private static let closestSeconds = 0.2
    /// More than the baseline holds of them.
    private static let capacity = 64

    private struct Heading {
        var instant: Instant
        var east: Double
        var north: Double
        var degrees: Double
    }

    private let ruleSet: RuleSet
    /// Averaged headings of the last seconds, oldest first.
    private var history: [Heading] = []
    /// Headings as measured, for the average.
    private var recent: [Heading] = []
    private var last: (instant: Instant, position: Coordinate)?
    /// The burst lasts until then.
    private(set) var burstUntil: Instant?

    init(ruleSet: RuleSet = .device) {
        self.ruleSet = ruleSet
        history.reserveCapacity(Self.capacity)
        recent.reserveCapacity(Self.capacity)
    }

    func isBursting(at now: Instant) -> Bool { burstUntil.map { now < $0 } ?? false }

    /// Takes a fix; true when it begins a burst (not when it prolongs one).
    mutating func handle(_ fix: TrackFix) -> Bool {
        let now = fix.instant
        guard let heading = heading(of: fix) else {
            history.removeAll(keepingCapacity: true)
            recent.removeAll(keepingCapacity: true)
            return false
        }
        let elapsed = recent.last.map { now.seconds(since: $0.instant) }
        if let elapsed, elapsed >= 0, elapsed < Self.closestSeconds { return false }
        let direction = Geodesic.direction(bearingDeg: heading)
        let measured = Heading(instant: now, east: direction.east, north: direction.north, degrees: heading)
        let isDense = ruleSet == .device && elapsed ?? 0 <= Self.denseSeconds
        let rate = isDense ? denseRate(measured) : pairRate(measured)
        guard let rate, rate >= Self.enterDegPerSecond else { return false }
        let wasBursting = isBursting(at: now)
        burstUntil = now.advanced(byMillis: Self.holdMillis)
        return !wasBursting
    }

    /// As measured, else along the displacement; `nil` when it is too slow or too coarse to have one.
    private mutating func heading(of fix: TrackFix) -> Double? {
        if let course = fix.courseDeg, let speed = fix.speedMps, speed >= Self.slowestMps {
            last = (fix.instant, fix.coordinate)
            return fix.accuracyM < Self.coarsestM ? course : nil
        }
        let before = last
        let elapsed = before.map { fix.instant.seconds(since: $0.instant) } ?? 0
        let moved = before.map { Geodesic.distanceM($0.position, fix.coordinate) } ?? 0
        if fix.courseDeg != nil || moved >= Self.displacementM || before == nil { last = (fix.instant, fix.coordinate) }
        guard let before, fix.accuracyM < Self.coarsestM,
            max(fix.speedMps ?? 0, elapsed > 0 ? moved / elapsed : 0) >= Self.slowestMps
        else { return nil }
        if let course = fix.courseDeg { return course }
        return moved >= Self.displacementM ? Geodesic.bearingDeg(before.position, fix.coordinate) : nil
    }

    private mutating func denseRate(_ measured: Heading) -> Double? {
        let now = measured.instant
        recent.removeAll { now.seconds(since: $0.instant) > Self.averageSeconds }
        recent.append(measured)
        // An average of fewer headings is as noisy as one of them.
        guard let first = recent.first, now.seconds(since: first.instant) >= Self.averageSeconds - 1 else { return nil }
        var mean = Heading(instant: now, east: 0, north: 0, degrees: 0)
        for heading in recent {
            mean.east += heading.east
            mean.north += heading.north
        }
        mean.degrees = Geodesic.bearingDeg(east: mean.east, north: mean.north)
        history.removeAll { now.seconds(since: $0.instant) > Self.baselineSeconds + Self.averageSeconds }
        defer { history.append(mean) }
        guard let base = history.last(where: { now.seconds(since: $0.instant) >= Self.baselineSeconds }) else {
            return nil
        }
        return Self.rate(from: base, to: mean)
    }

    private mutating func pairRate(_ measured: Heading) -> Double? {
        let before = recent.last
        recent.removeAll(keepingCapacity: true)
        history.removeAll(keepingCapacity: true)
        recent.append(measured)
        history.append(measured)
        guard let before, Self.pairRange.contains(measured.instant.seconds(since: before.instant)) else { return nil }
        return Self.rate(from: before, to: measured)
    }

    private static func rate(from: Heading, to: Heading) -> Double {
        abs(Geodesic.wrappedDegrees(to.degrees - from.degrees)) / to.instant.seconds(since: from.instant)
    }
}
