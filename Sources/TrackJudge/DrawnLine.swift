import TrackerGeo
import TrackerModel

/// The line that a map draws through the points of a track: straight in latitude and longitude from each to the next.
struct DrawnLine {
    /// Ascending in time, at least one.
    let points: [TimedPosition]
    /// What each block of segments lies in.
    private let boxes: [Box]
    private static let segmentsPerBox = 32

    /// The part of the line inside a span of time; where it crosses the span's ends, a point is put.
    /// - Returns: `nil` when no point is inside.
    init?(through track: [TimedPosition], during span: TimeSpan) {
        let inside = track.within(span)
        guard let first = inside.first, let last = inside.last else { return nil }
        var points: [TimedPosition] = []
        if first.time > span.from, inside.startIndex > 0 {
            let before = track[inside.startIndex - 1]
            points.append(TimedPosition(time: span.from, position: before.position(at: span.from, towards: first)))
        }
        points += inside
        if last.time < span.to, inside.endIndex < track.count {
            points.append(
                TimedPosition(time: span.to, position: last.position(at: span.to, towards: track[inside.endIndex])))
        }
        self.points = points
        boxes = stride(from: 0, to: max(1, points.count - 1), by: Self.segmentsPerBox).map { start in
            Box(points[start...min(start + Self.segmentsPerBox, points.count - 1)])
        }
    }

    var lengthM: Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + Geodesic.distanceM($1.0.position, $1.1.position) }
    }

    /// The place on the line at a time; `nil` before its first and after its last point.
    func position(at time: UTCTime) -> Coordinate? {
        let next = points.firstIndex(notBefore: time)
        guard next < points.count, time >= points[0].time else { return nil }
        return points[next].time == time
            ? points[next].position : points[next - 1].position(at: time, towards: points[next])
    }

    /// Metres from a position to the nearest part of the line, whenever it was drawn.
    /// - Parameter time: where the search begins; it only makes it quick.
    func distanceM(to position: Coordinate, near time: UTCTime) -> Double {
        let frame = LocalFrame(origin: position)
        var nearest = Nearest(place: points[0].position, squareM: .infinity)
        let likely = max(0, points.firstIndex(notBefore: time) - 1) / Self.segmentsPerBox
        search(min(likely, boxes.count - 1), frame, &nearest)
        for index in boxes.indices where boxes[index].squareM(in: frame) < nearest.squareM {
            search(index, frame, &nearest)
        }
        return Geodesic.distanceM(position, nearest.place)
    }

    private struct Nearest {
        var place: Coordinate
        var squareM: Double
    }

    private func search(_ box: Int, _ frame: LocalFrame, _ nearest: inout Nearest) {
        let start = box * Self.segmentsPerBox
        for index in start..<min(start + Self.segmentsPerBox, max(points.count - 1, start + 1)) {
            let from = points[index].position
            let to = points[min(index + 1, points.count - 1)].position
            let (east, north) = frame.offset(of: from)
            let dEast = Geodesic.wrappedDegrees(to.longitude - from.longitude) * frame.metresPerDegreeEast
            let dNorth = (to.latitude - from.latitude) * frame.metresPerDegreeNorth
            let square = dEast * dEast + dNorth * dNorth
            let share = square > 0 ? min(1, max(0, -(east * dEast + north * dNorth) / square)) : 0
            let (x, y) = (east + share * dEast, north + share * dNorth)
            if x * x + y * y < nearest.squareM {
                nearest = Nearest(place: from.moved(towards: to, by: share), squareM: x * x + y * y)
            }
        }
    }
}

/// The smallest rectangle in latitude and longitude around some positions; it may lie across the antimeridian.
private struct Box {
    private let centre: Coordinate
    private let halfLatitude: Double
    private let halfLongitude: Double

    init(_ points: ArraySlice<TimedPosition>) {
        let first = points.first?.position ?? Coordinate(latitude: 0, longitude: 0)
        var (south, north) = (first.latitude, first.latitude)
        // East of the first, followed from point to point so that no jump of 360° comes in.
        var (west, east, here, last) = (0.0, 0.0, 0.0, first.longitude)
        for point in points {
            south = min(south, point.position.latitude)
            north = max(north, point.position.latitude)
            here += Geodesic.wrappedDegrees(point.position.longitude - last)
            last = point.position.longitude
            west = min(west, here)
            east = max(east, here)
        }
        centre = Coordinate(
            latitude: (south + north) / 2, longitude: Geodesic.wrappedDegrees(first.longitude + (west + east) / 2))
        halfLatitude = (north - south) / 2
        halfLongitude = (east - west) / 2
    }

    /// Square of the distance of the frame's origin from the rectangle; 0 inside.
    func squareM(in frame: LocalFrame) -> Double {
        // Both are in [−180, 180]: quicker than the general remainder, and this is asked for every box and second.
        let difference = abs(centre.longitude - frame.origin.longitude)
        let east = difference > 180 ? 360 - difference : difference
        let x = max(0, east - halfLongitude) * frame.metresPerDegreeEast
        let y = max(0, abs(centre.latitude - frame.origin.latitude) - halfLatitude) * frame.metresPerDegreeNorth
        return x * x + y * y
    }
}
