import TrackerGeo
import TrackerModel

/// Drops fixes that no vehicle could have reached (spec capture §4.2): (d − h₁ − h₂)/Δt > v_max, always against the
/// last *accepted* fix.
///
/// A filter anchored at one wrong fix would reject the truth for ever, so three rejections in a row that agree with
/// each other make the newest the reference.
struct PlausibilityFilter {
    /// v_max, m/s: 8 on foot, 12 at a runner's pace, 60 in a vehicle or when nobody knows (spec capture §4.2).
    let maxSpeedMps: Double
    private static let resetRun = 3

    struct Reference: Equatable {
        var coordinate: Coordinate
        var accuracyM: Double
        var instant: Instant
    }

    enum Answer: Equatable {
        case plausible
        /// A run of rejected fixes agreed: the reference is now the newest of them.
        case plausibleAfterReset
        case implausible
    }

    private(set) var reference: Reference?
    private var run = 0
    private var newestRejected: Reference?

    init(maxSpeedMps: Double = 60) { self.maxSpeedMps = maxSpeedMps }

    mutating func judge(_ fix: TrackFix) -> Answer {
        let candidate = Reference(coordinate: fix.coordinate, accuracyM: fix.accuracyM, instant: fix.instant)
        guard let reference, !isReachable(candidate, from: reference) else {
            accept(candidate)
            return .plausible
        }
        if let newestRejected, isReachable(candidate, from: newestRejected) {
            run += 1
        } else {
            run = 1
        }
        newestRejected = candidate
        guard run >= Self.resetRun else { return .implausible }
        accept(candidate)
        return .plausibleAfterReset
    }

    private mutating func accept(_ candidate: Reference) {
        reference = candidate
        run = 0
        newestRejected = nil
    }

    private func isReachable(_ to: Reference, from: Reference) -> Bool {
        let seconds = max(0.001, to.instant.seconds(since: from.instant))
        let distance = Geodesic.distanceM(from.coordinate, to.coordinate)
        return (distance - from.accuracyM - to.accuracyM) / seconds <= maxSpeedMps
    }
}
