public import TrackerModel

/// Does the accuracy radius hold what it promises? Counts how often the truth lies inside k × radius and finds the scale
/// that puts 68 % inside 1 × (spec capture §3).
public struct AccuracyCalibration: Sendable {
    /// The radii that are reported, in units of the accuracy (spec capture §3).
    public static let factors = [0.5, 1, 1.5, 2, 3]
    /// The share that defines the accuracy radius.
    public static let definingShare = 0.68

    private let truth: [Coordinate]
    /// Distance to the truth over accuracy, of every fix.
    private var ratios: [Double] = []

    /// - Parameter truth: one surveyed point, or a line of several.
    public init(truth: [Coordinate]) { self.truth = truth }

    public var count: Int { ratios.count }

    /// Takes one fix; those without accuracy count for nothing.
    public mutating func add(_ position: Coordinate, accuracyM: Double) {
        guard accuracyM.isFinite, accuracyM > 0, let distance = distanceM(to: position) else { return }
        ratios.append(distance / accuracyM)
    }

    /// Share of fixes with the truth inside `factor` × radius, 0…1; `nil` without fixes.
    public func share(within factor: Double) -> Double? {
        ratios.isEmpty ? nil : Double(ratios.count { $0 <= factor }) / Double(ratios.count)
    }

    /// What the accuracy must be multiplied with so that 68 % of the fixes are inside; `nil` without fixes.
    public var scale: Double? {
        guard !ratios.isEmpty else { return nil }
        let sorted = ratios.sorted()
        let needed = Int((Double(sorted.count) * Self.definingShare).rounded(.up))
        return sorted[min(sorted.count, max(1, needed)) - 1]
    }

    private func distanceM(to position: Coordinate) -> Double? {
        guard let first = truth.first else { return nil }
        guard truth.count > 1 else { return Geodesic.distanceM(first, position) }
        return zip(truth, truth.dropFirst()).map { segmentDistanceM($0.0, $0.1, position) }.min()
    }

    /// In a local frame at the segment's start: right for surveyed lines of up to some kilometres.
    private func segmentDistanceM(_ from: Coordinate, _ to: Coordinate, _ position: Coordinate) -> Double {
        let frame = LocalFrame(origin: from)
        let (end, point) = (frame.offset(of: to), frame.offset(of: position))
        let length2 = end.east * end.east + end.north * end.north
        let along = length2 > 0 ? (point.east * end.east + point.north * end.north) / length2 : 0
        let t = min(1, max(0, along))
        let (east, north) = (point.east - t * end.east, point.north - t * end.north)
        return (east * east + north * north).squareRoot()
    }
}
