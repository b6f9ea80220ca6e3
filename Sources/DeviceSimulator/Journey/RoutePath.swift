import CLinux
import Glibc

/// A way on the ground as straights and circular arcs, drawn like a turtle: go forward, turn with a radius.
struct RoutePath: Sendable {
    struct Section: Sendable {
        var startM: Double
        var lengthM: Double
        var east: Double
        var north: Double
        /// Compass heading at the start, radians.
        var heading: Double
        /// Radians a metre, positive to the right; 0 on a straight.
        var curvature: Double
        var limitMps: Double
    }

    struct Pose: Equatable, Sendable {
        var east: Double
        var north: Double
        /// Compass, [0, 360).
        var headingDeg: Double
    }

    private(set) var sections: [Section] = []
    private var end = (east: 0.0, north: 0.0, heading: 0.0)
    private(set) var lengthM = 0.0

    init(headingDeg: Double) { end.heading = headingDeg * .pi / 180 }

    mutating func forward(_ metres: Double, limitMps: Double) {
        append(lengthM: metres, curvature: 0, limitMps: limitMps)
    }

    /// - Parameter degrees: positive to the right.
    mutating func turn(_ degrees: Double, radiusM: Double, limitMps: Double) {
        let angle = degrees * .pi / 180
        append(lengthM: abs(angle) * radiusM, curvature: (angle < 0 ? -1 : 1) / radiusM, limitMps: limitMps)
    }

    private mutating func append(lengthM metres: Double, curvature: Double, limitMps: Double) {
        let section = Section(
            startM: lengthM, lengthM: metres, east: end.east, north: end.north, heading: end.heading,
            curvature: curvature, limitMps: limitMps)
        sections.append(section)
        lengthM += metres
        end = Self.place(on: section, after: metres)
    }

    /// The place `metres` from the start; before the start and behind the end it is the nearest end.
    func pose(at metres: Double) -> Pose {
        guard let section = section(at: metres) else { return Pose(east: 0, north: 0, headingDeg: 0) }
        let place = Self.place(on: section, after: min(section.lengthM, max(0, metres - section.startM)))
        let degrees = (place.heading * 180 / .pi).truncatingRemainder(dividingBy: 360)
        return Pose(east: place.east, north: place.north, headingDeg: degrees < 0 ? degrees + 360 : degrees)
    }

    /// The section that holds a distance; the last one for everything behind it.
    func section(at metres: Double) -> Section? {
        var (low, high) = (0, sections.count)
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].startM + sections[middle].lengthM < metres { low = middle + 1 } else { high = middle }
        }
        return low < sections.count ? sections[low] : sections.last
    }

    private static func place(on section: Section, after s: Double) -> (east: Double, north: Double, heading: Double) {
        let (h, k) = (section.heading, section.curvature)
        guard k != 0 else { return (section.east + s * sin(h), section.north + s * cos(h), h) }
        let end = h + k * s
        return (section.east + (cos(h) - cos(end)) / k, section.north + (sin(end) - sin(h)) / k, end)
    }
}
