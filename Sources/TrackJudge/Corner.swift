import TrackerGeo
import TrackerModel

/// A sharp turn of the truth.
struct Corner: Equatable {
    /// The place of the turn that is farthest from the direct way.
    var apex: TimedPosition
    /// How far that is, metres.
    var bulgeM: Double

    /// The corners of a way without holes, in order. Two are at least `cornerWayM` apart on the way.
    static func all(on way: TruthWay) -> [Corner] {
        let candidates = way.positions.indices.compactMap { index in
            candidate(at: index, of: way).map { (lengthM: way.lengthsM[index], corner: $0) }
        }
        // Around one corner there are many: the one that bulges most counts, the first of equals.
        return candidates.indices.filter { index in
            let (lengthM, corner) = candidates[index]
            for other in candidates[..<index].reversed() {
                if lengthM - other.lengthM >= JudgeRules.cornerWayM { break }
                if other.corner.bulgeM >= corner.bulgeM { return false }
            }
            for other in candidates[(index + 1)...] {
                if other.lengthM - lengthM >= JudgeRules.cornerWayM { break }
                if other.corner.bulgeM > corner.bulgeM { return false }
            }
            return true
        }.map { candidates[$0].corner }
    }

    private static func candidate(at index: Int, of way: TruthWay) -> Corner? {
        let middle = way.lengthsM[index]
        let half = JudgeRules.cornerWayM / 2
        let reach = half + JudgeRules.headingChordM
        guard middle >= reach, way.lengthM - middle >= reach,
            let entry = way.position(atLengthM: middle - reach), let start = way.position(atLengthM: middle - half),
            let end = way.position(atLengthM: middle + half), let exit = way.position(atLengthM: middle + reach)
        else { return nil }
        let apex = way.positions[index]
        let frame = LocalFrame(origin: apex.position)
        let turn = heading(entry, start, frame) - heading(end, exit, frame)
        guard abs(Geodesic.wrappedDegrees(turn)) >= JudgeRules.cornerDeg else { return nil }
        return Corner(
            apex: apex, bulgeM: distanceOfOriginM(fromSegment: frame.offset(of: start), frame.offset(of: end)))
    }

    private static func heading(_ from: Coordinate, _ to: Coordinate, _ frame: LocalFrame) -> Double {
        let (a, b) = (frame.offset(of: from), frame.offset(of: to))
        return Geodesic.bearingDeg(east: b.east - a.east, north: b.north - a.north)
    }

    private static func distanceOfOriginM(
        fromSegment from: (east: Double, north: Double), _ to: (east: Double, north: Double)
    ) -> Double {
        let (east, north) = (to.east - from.east, to.north - from.north)
        let square = east * east + north * north
        let share = square > 0 ? min(1, max(0, -(from.east * east + from.north * north) / square)) : 0
        let (x, y) = (from.east + share * east, from.north + share * north)
        return (x * x + y * y).squareRoot()
    }
}
