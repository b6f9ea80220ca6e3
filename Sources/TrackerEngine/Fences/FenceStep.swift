import TrackerGeo
import TrackerModel

/// The way from one valid fix to the next.
struct FenceStep {
    /// Crossing times are interpolated on steps up to this long (spec api §6).
    static let interpolatedMillis: Int64 = 10_000
    /// A fence may be crossed within one step up to this long: the 12 s of the vehicular tier (E-162) and the jitter of
    /// the line. Spec api §6 names 10 s, with which E-162 could not hold.
    static let passableMillis: Int64 = 12_500
    /// Nobody watched during a longer step: twice the rarest fence duty (300 s), and what counts as a gap in the track.
    static let outageMillis: Int64 = 600_000
    /// The pipeline's bar of the impossible, 140 km/h, where the receiver reports no speed.
    private static let unknownSpeedMps = 140 / 3.6
    /// What a vehicle brings itself up to or down from, m/s².
    private static let accelerationMps2 = 5.0
    /// A parked receiver reports up to 1.9 m/s (E-058).
    static let restingMps = 2.0

    let from: FenceFix
    let to: FenceFix
    let millis: Int64
    private let dx: Double
    private let dy: Double
    private let dz: Double

    init(from: FenceFix, to: FenceFix) {
        self.from = from
        self.to = to
        millis = to.moment.instant.millis(since: from.moment.instant)
        dx = to.place.x - from.place.x
        dy = to.place.y - from.place.y
        dz = to.place.z - from.place.z
    }

    private var lengthSquared: Double { dx * dx + dy * dy + dz * dz }

    /// The device can have come this far: a single fix that it cannot decides nothing by itself (F-44).
    ///
    /// With speeds v at both ends and an acceleration a, no more than v·t + a·t²/4 lies between them.
    var isReachable: Bool {
        let seconds = Double(millis) / 1_000
        var reach = 2 * (from.accuracyM + to.accuracyM)
        if let first = from.speedMps, let second = to.speedMps {
            reach += max(first, second) * seconds + Self.accelerationMps2 * seconds * seconds / 4
        } else {
            reach += Self.unknownSpeedMps * seconds
        }
        return lengthSquared.squareRoot() <= reach
    }

    /// Under way, as far as the receiver tells.
    var isMoving: Bool {
        guard let first = from.speedMps, let second = to.speedMps else { return true }
        return max(first, second) >= Self.restingMps
    }

    /// Where on the straight way the circle is entered and left, as fractions of it that may lie outside 0…1; `nil` when
    /// it is not touched.
    func crossings(of centre: GeocentricPosition, radiusM: Double) -> (enter: Double, leave: Double)? {
        let a = lengthSquared
        guard a > 0 else { return nil }
        let (cx, cy, cz) = (from.place.x - centre.x, from.place.y - centre.y, from.place.z - centre.z)
        let chord = GeocentricPosition.chordM(ofArc: radiusM)
        let half = dx * cx + dy * cy + dz * cz
        let rest = cx * cx + cy * cy + cz * cz - chord * chord
        let discriminant = half * half - a * rest
        guard discriminant >= 0 else { return nil }
        let root = discriminant.squareRoot()
        return ((-half - root) / a, (-half + root) / a)
    }

    /// The moment at a fraction of the way, 0…1: counted back from the end on the boot clock, so that a step of the
    /// receiver's time within it does no harm.
    func moment(at fraction: Double) -> FenceMoment {
        let left = (1 - min(1, max(0, fraction))) * Double(millis)
        return to.moment.advanced(byMillis: -Int64(left.rounded()))
    }
}
