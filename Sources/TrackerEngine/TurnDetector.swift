import TrackerGeo
import TrackerModel

/// Notices a turn on raw fixes, so that its points are sampled more often (spec capture §12.3).
///
/// At 1 Hz the noise of one heading reads like a turn: headings are averaged over five fixes and compared over a 6 s
/// baseline (with the specification's three, one of six straight runs of ten minutes still burst at 3° of noise). With
/// fixes more than 3 s apart the reference's pairwise rule holds.
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

    private struct Heading {
        var instant: Instant
        var east: Double
        var north: Double

        var degrees: Double { Geodesic.bearingDeg(east: east, north: north) }
    }

    /// Averaged headings of the last seconds, oldest first.
    private var history: [Heading] = []
    /// Headings as measured, for the average.
    private var recent: [Heading] = []
    private var last: (instant: Instant, position: Coordinate)?
    /// The burst lasts until then.
    private(set) var burstUntil: Instant?

    func isBursting(at now: Instant) -> Bool { burstUntil.map { now < $0 } ?? false }

    /// Takes a fix; true when it begins a burst (not when it prolongs one).
    mutating func handle(_ fix: TrackFix) -> Bool {
        let now = fix.instant
        let elapsed = last.map { now.seconds(since: $0.instant) } ?? 0
        let moved = last.map { Geodesic.distanceM($0.position, fix.coordinate) } ?? 0
        let speed = max(fix.speedMps ?? 0, elapsed > 0 ? moved / elapsed : 0)
        let heading = fix.courseDeg ?? displacementHeading(to: fix.coordinate, moved: moved)
        if fix.courseDeg != nil || moved >= Self.displacementM || last == nil { last = (now, fix.coordinate) }
        guard let heading, fix.accuracyM < Self.coarsestM, speed >= Self.slowestMps else {
            history.removeAll()
            recent.removeAll()
            return false
        }
        let direction = Geodesic.direction(bearingDeg: heading)
        let measured = Heading(instant: now, east: direction.east, north: direction.north)
        let isDense = recent.last.map { now.seconds(since: $0.instant) <= Self.denseSeconds } ?? true
        let rate = isDense ? denseRate(measured) : pairRate(measured)
        guard let rate, rate >= Self.enterDegPerSecond else { return false }
        let wasBursting = isBursting(at: now)
        burstUntil = now.advanced(byMillis: Self.holdMillis)
        return !wasBursting
    }

    private func displacementHeading(to position: Coordinate, moved: Double) -> Double? {
        guard let last, moved >= Self.displacementM else { return nil }
        return Geodesic.bearingDeg(last.position, position)
    }

    private mutating func denseRate(_ measured: Heading) -> Double? {
        let now = measured.instant
        recent.removeAll { now.seconds(since: $0.instant) > Self.averageSeconds }
        recent.append(measured)
        // An average of fewer headings is as noisy as one of them.
        guard let first = recent.first, now.seconds(since: first.instant) >= Self.averageSeconds - 1 else { return nil }
        let mean = Heading(
            instant: now, east: recent.reduce(0) { $0 + $1.east }, north: recent.reduce(0) { $0 + $1.north })
        history.removeAll { now.seconds(since: $0.instant) > Self.baselineSeconds + Self.averageSeconds }
        defer { history.append(mean) }
        guard let base = history.last(where: { now.seconds(since: $0.instant) >= Self.baselineSeconds }) else {
            return nil
        }
        return Self.rate(from: base, to: mean)
    }

    private mutating func pairRate(_ measured: Heading) -> Double? {
        defer {
            recent = [measured]
            history = [measured]
        }
        guard let before = recent.last, Self.pairRange.contains(measured.instant.seconds(since: before.instant)) else {
            return nil
        }
        return Self.rate(from: before, to: measured)
    }

    private static func rate(from: Heading, to: Heading) -> Double {
        abs(Geodesic.wrappedDegrees(to.degrees - from.degrees)) / to.instant.seconds(since: from.instant)
    }
}

/// The last 30 s of fixes: the apex of the turn that armed a burst lies among them (spec capture §12.2).
struct RetroBuffer {
    private static let seconds = 30.0
    private static let farthestM = 5.0
    private static let spacingSeconds = 0.5

    private var fixes: [TrackFix] = []

    mutating func add(_ fix: TrackFix) {
        fixes.removeAll { fix.instant.seconds(since: $0.instant) > Self.seconds }
        fixes.append(fix)
    }

    mutating func clear() { fixes.removeAll() }

    /// The fix after `past` that lies farthest from the chord from the stored point to `current`, if it is worth a point.
    func apex(from past: CaptureState.Anchor, to current: TrackFix) -> TrackFix? {
        let frame = LocalFrame(origin: past.coordinate)
        let end = frame.offset(of: current.coordinate)
        let length = (end.east * end.east + end.north * end.north).squareRoot()
        var best: (fix: TrackFix, distance: Double)?
        for fix in fixes {
            guard fix.instant.seconds(since: past.instant) > Self.spacingSeconds,
                current.instant.seconds(since: fix.instant) > Self.spacingSeconds
            else { continue }
            let place = frame.offset(of: fix.coordinate)
            let distance =
                length > 0
                ? abs(place.east * end.north - place.north * end.east) / length
                : (place.east * place.east + place.north * place.north).squareRoot()
            if distance > (best?.distance ?? Self.farthestM) { best = (fix, distance) }
        }
        return best?.fix
    }
}
