import TrackerGeo
import TrackerModel

/// Finds the fixes that the drawn line needs: leaving one out would move the line by more than the tolerance.
///
/// Every fix feeds a filter of its own, so that noise draws no corners and a spike is no candidate. From the last stored
/// point to the newest filtered position a chord is drawn; the fix whose filtered position lies farthest from it, when
/// that is too far, is the one to judge, with its own time and coordinates. The interval stays the ceiling.
struct GeometryCapture {
    /// Chi-square of two degrees of freedom, 99.9 % (spec capture §3).
    private static let outlier = 13.82
    /// Outliers in a row after which the filter was wrong, not they.
    private static let outliersToReseed = 3
    /// Acceleration density that follows a vehicle round a corner (spec capture §7, turning).
    private static let q = 2.0
    /// A second apart this is longer than any ceiling in use needs; older samples no longer matter.
    private static let longest = 120

    private struct Sample {
        var fix: TrackFix
        var position: Coordinate
    }

    private var samples: [Sample] = []
    private var filter: MotionFilter?
    private var outliers = 0

    /// Takes a fix; returns the one to judge. `anchor`: the last stored point.
    mutating func take(_ fix: TrackFix, from anchor: CaptureState.Anchor, toleranceM: Double) -> TrackFix? {
        guard follow(fix), let filter else { return nil }
        samples.removeAll { $0.fix.instant <= anchor.instant }
        if samples.count >= Self.longest { samples.removeFirst() }
        samples.append(Sample(fix: fix, position: filter.position))
        guard let corner = farthest(from: anchor, toleranceM: max(toleranceM, fix.accuracyM)) else { return nil }
        let chosen = samples[corner].fix
        samples.removeFirst(corner + 1)
        return chosen
    }

    /// False for an outlier.
    private mutating func follow(_ fix: TrackFix) -> Bool {
        let geometry = Geometry(ruleSet: .device)
        guard let filter, fix.instant > filter.instant, outliers < Self.outliersToReseed else {
            self.filter = .seeded(at: fix, keeping: nil)
            outliers = 0
            samples.removeAll(keepingCapacity: true)
            return true
        }
        let predicted = filter.predicted(to: fix.instant, q: Self.q, geometry)
        let offset = geometry.distanceM(predicted.position, fix.coordinate)
        guard offset * offset <= Self.outlier * (predicted.p + fix.accuracyM * fix.accuracyM) else {
            outliers += 1
            return false
        }
        outliers = 0
        self.filter = filter.updated(with: fix, r: fix.accuracyM, q: Self.q, geometry).corrected(byDopplerOf: fix)
        return true
    }

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
