import TrackerGeo
import TrackerModel
import WireText

/// Scores a track against the truth.
public enum Judge {
    /// - Throws: when the two have no time in common, or the truth is no way.
    public static func judge(track: Recording, truth: Recording) throws(JudgeFailure) -> Judgement {
        guard let known = Truth(truth.positions) else {
            throw JudgeFailure(
                cause: "the truth has fewer than two positions of different times",
                remedy: "give one that covers the track")
        }
        guard let line = DrawnLine(through: track.positions, during: known.span) else {
            throw JudgeFailure(cause: noOverlap(track, known), remedy: "give recordings of the same time, both in UTC")
        }
        let points = track.positions.within(known.span)
        let runs = known.runs
        let seconds = runs.map(Truth.seconds)
        let way = TruthWay(known.positions)
        let standstills = Standstills(seconds)
        var judgement = Judgement()
        judgement.points = score(points, of: track, known)
        judgement.line = score(line, seconds)
        judgement.length = .init(trackM: line.lengthM, truthM: way.lengthM)
        judgement.still = falseMovement(in: standstills.still, track.positions)
        judgement.missedTrips = missedTrips(standstills.moving, track.positions, way)
        for run in runs { judgement.turns.add(Corner.all(on: TruthWay(run)), line) }
        scoreSpans(between: points, known.span, way, into: &judgement)
        return judgement
    }

    private static func noOverlap(_ track: Recording, _ truth: Truth) -> String {
        guard let first = track.positions.first, let last = track.positions.last else {
            return "the track has no position"
        }
        return "no point of the track is within the time of the truth: it goes from \(TimeText.iso(first.time)) to "
            + "\(TimeText.iso(last.time)), the truth from \(TimeText.iso(truth.span.from)) to "
            + "\(TimeText.iso(truth.span.to))"
    }

    private static func score(
        _ points: ArraySlice<TimedPosition>, of track: Recording, _ truth: Truth
    ) -> Judgement.Points {
        var result = Judgement.Points()
        var errors: [Double] = []
        for point in points {
            switch truth.place(at: point.time) {
            case .at(let position): errors.append(Geodesic.distanceM(position, point.position))
            case .hole: result.inHoles += 1
            case .outside: break
            }
        }
        result.outsideTruth = track.positions.count - points.count
        result.scored = errors.count
        result.perHour = Double(points.count) * 3_600_000 / Double(truth.span.millis)
        result.errorM = ErrorSpread(errors)
        return result
    }

    private static func score(_ line: DrawnLine, _ runs: [[TimedPosition]]) -> Judgement.Line {
        var atTime: [Double] = []
        var plain: [Double] = []
        for second in runs.joined() {
            plain.append(line.distanceM(to: second.position, near: second.time))
            if let drawn = line.position(at: second.time) {
                atTime.append(Geodesic.distanceM(drawn, second.position))
            }
        }
        return .init(
            seconds: plain.count, secondsWithoutLine: plain.count - atTime.count,
            errorAtTimeM: ErrorSpread(atTime), distanceM: ErrorSpread(plain))
    }

    private static func falseMovement(in still: [TimeSpan], _ track: [TimedPosition]) -> Judgement.Still {
        var result = Judgement.Still()
        for span in still {
            let movedM = Standstills.falseMovementM(of: track.within(span))
            result.intervals += 1
            result.millis += span.millis
            result.falseIntervals += movedM > 0 ? 1 : 0
            result.falseMovementM += movedM
        }
        return result
    }

    private static func missedTrips(
        _ moving: [TimeSpan], _ track: [TimedPosition], _ way: TruthWay
    ) -> Judgement.Unseen {
        var result = Judgement.Unseen()
        for trip in moving where trip.millis >= JudgeRules.missedTripMillis && track.within(trip).isEmpty {
            result.add(millis: trip.millis, truthM: way.lengthM(at: trip.to) - way.lengthM(at: trip.from))
        }
        return result
    }

    /// What happened unseen between each point and the next; the truth's start and end count as points here.
    private static func scoreSpans(
        between points: ArraySlice<TimedPosition>, _ whole: TimeSpan, _ way: TruthWay, into judgement: inout Judgement
    ) {
        let ends = [whole.from] + points.map(\.time) + [whole.to]
        for (from, to) in zip(ends, ends.dropFirst()) {
            let span = TimeSpan(from: from, to: to)
            let before = way.lengthM(at: from)
            let truthM = way.lengthM(at: to) - before
            if span.millis > JudgeRules.gapMillis, truthM >= JudgeRules.gapMoveM {
                judgement.gaps.add(millis: span.millis, truthM: truthM)
            }
            if let moved = way.firstTime(beyond: before + JudgeRules.missedMoveM),
                to.millis - moved.millis > JudgeRules.missedPatienceMillis
            {
                judgement.missedMoves.add(millis: span.millis, truthM: truthM)
            }
        }
    }
}

extension Judgement.Turns {
    fileprivate mutating func add(_ corners: [Corner], _ line: DrawnLine) {
        for corner in corners {
            let distanceM = line.distanceM(to: corner.apex.position, near: corner.apex.time)
            count += 1
            sumM += distanceM
            maxM = max(maxM, distanceM)
        }
    }
}
