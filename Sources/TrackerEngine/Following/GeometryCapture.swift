import TrackerGeo
import TrackerModel

/// Finds the fixes that the drawn line needs: leaving one out would move the line by more than the tolerance.
///
/// From the last stored point to the newest followed position a chord is drawn; the fix whose followed position lies
/// farthest from it, when that is too far, is the one to judge, with its own time and coordinates. Noise draws no corners,
/// because positions are the follower's (`FixFollower`), and a spike is no candidate, because it is not followed. The
/// interval stays the ceiling.
struct GeometryCapture {
    /// A second apart this is longer than any ceiling in use needs; older samples no longer matter.
    private static let longest = 120

    private struct Sample {
        var fix: TrackFix
        var position: Coordinate
    }

    private var samples: [Sample] = []

    /// Takes a fix that is followed at `position`; returns the one to judge. `anchor`: the last stored point.
    mutating func take(
        _ fix: TrackFix, at position: Coordinate, from anchor: CaptureState.Anchor, toleranceM: Double
    ) -> TrackFix? {
        samples.removeAll { $0.fix.instant <= anchor.instant }
        if samples.count >= Self.longest { samples.removeFirst() }
        samples.append(Sample(fix: fix, position: position))
        guard let corner = farthest(from: anchor, toleranceM: max(toleranceM, fix.accuracyM)) else { return nil }
        let chosen = samples[corner].fix
        samples.removeFirst(corner + 1)
        return chosen
    }

    /// A fix that has had its decision gets no other.
    mutating func judged(at instant: Instant) { samples.removeAll { $0.fix.instant == instant } }

    /// The sample farthest from the chord, when it is farther than the tolerance.
    private func farthest(from anchor: CaptureState.Anchor, toleranceM: Double) -> Int? {
        guard let last = samples.last else { return nil }
        let frame = LocalFrame(origin: anchor.coordinate)
        let end = frame.offset(of: last.position)
        let square = end.east * end.east + end.north * end.north
        var worst: (index: Int, distance: Double)?
        for index in samples.indices.dropLast() {
            let place = frame.offset(of: samples[index].position)
            // The nearest place of the chord, its ends included: going back on one's own way is a corner as well.
            let along = square > 0 ? (place.east * end.east + place.north * end.north) / square : 0
            let share = min(1, max(0, along))
            let east = place.east - share * end.east
            let north = place.north - share * end.north
            let distance = (east * east + north * north).squareRoot()
            if distance > worst?.distance ?? toleranceM { worst = (index, distance) }
        }
        return worst?.index
    }
}
