import TrackerGeo
import TrackerModel

/// When the truth stood still, and when it was under way.
struct Standstills {
    private(set) var still: [TimeSpan] = []
    private(set) var moving: [TimeSpan] = []

    /// - Parameter runs: the truth at every whole second, one array for each stretch without a hole.
    init(_ runs: [[TimedPosition]]) {
        for run in runs {
            let found = Self.stillSpans(of: run)
            still += found
            guard var from = run.first?.time, let end = run.last?.time else { continue }
            for span in found {
                if span.from > from { moving.append(TimeSpan(from: from, to: span.from)) }
                from = span.to
            }
            if end > from { moving.append(TimeSpan(from: from, to: end)) }
        }
    }

    /// Windows of `stillMillis` in which the truth stays near the window's first place; those that overlap are one
    /// standstill.
    private static func stillSpans(of run: [TimedPosition]) -> [TimeSpan] {
        var spans: [TimeSpan] = []
        for first in run.indices {
            guard let end = stillWindow(from: first, in: run) else { continue }
            if let last = spans.last, last.to >= run[first].time {
                spans[spans.count - 1].to = end
            } else {
                spans.append(TimeSpan(from: run[first].time, to: end))
            }
        }
        return spans
    }

    /// The end of the window from an index on, or `nil` when the truth moves away in it, or the run ends.
    private static func stillWindow(from first: Int, in run: [TimedPosition]) -> UTCTime? {
        let frame = LocalFrame(origin: run[first].position)
        for item in run[(first + 1)...] {
            let (east, north) = frame.offset(of: item.position)
            guard east * east + north * north < JudgeRules.stillRadiusM * JudgeRules.stillRadiusM else { return nil }
            if item.time.millis - run[first].time.millis >= JudgeRules.stillMillis { return item.time }
        }
        return nil
    }

    /// Metres that a track moved during a standstill by more than its accuracy, from a place to the next such one.
    ///
    /// Moves are counted between points inside the standstill only: the last move into it was real. Small moves add up
    /// from the place last counted, so that a slow drift is seen too.
    static func falseMovementM(of points: ArraySlice<TimedPosition>) -> Double {
        guard var place = points.first else { return 0 }
        var movedM = 0.0
        for point in points.dropFirst() {
            let move = Geodesic.distanceM(place.position, point.position)
            let accuracy = max(
                place.accuracyM ?? JudgeRules.unknownAccuracyM, point.accuracyM ?? JudgeRules.unknownAccuracyM)
            guard move > accuracy else { continue }
            movedM += move
            place = point
        }
        return movedM
    }
}
