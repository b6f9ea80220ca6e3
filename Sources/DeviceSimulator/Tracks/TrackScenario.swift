import TrackerGeo
public import TrackerModel

/// A made-up way whose truth is known at any instant: stays and trips one after the other.
public struct TrackScenario: Sendable {
    public enum Carrier: Sendable {
        case car
        case foot
        /// Moves without any vibration: a ferry, a smooth train.
        case ferry
    }

    /// A straight, and the turn behind it.
    public struct Stretch: Sendable {
        public var metres: Double
        public var kmh: Double
        /// Positive to the right.
        public var turnDeg: Double
        public var radiusM: Double

        public init(_ metres: Double, kmh: Double, turnDeg: Double = 0, radiusM: Double = 12) {
            self.metres = metres
            self.kmh = kmh
            self.turnDeg = turnDeg
            self.radiusM = radiusM
        }
    }

    /// A time at one place or on the way, in seconds from the start.
    struct Leg: Sendable {
        var from: Double
        var until: Double
        /// Where it begins, metres from the origin.
        var east: Double
        var north: Double
        var path: RoutePath?
        var profile: SpeedProfile?
        var carrier: Carrier?
        /// The accelerometer feels nothing.
        var isStill: Bool
    }

    public let name: String
    private(set) var legs: [Leg] = []
    public var faults: [TrackFault] = []
    private var end = (east: 0.0, north: 0.0)
    let frame: LocalFrame

    /// - Parameter origin: where the way begins.
    public init(_ name: String, origin: Coordinate = Coordinate(latitude: 47.05, longitude: 8.30)) {
        self.name = name
        frame = LocalFrame(origin: origin)
    }

    public var durationSeconds: Double { legs.last?.until ?? 0 }

    /// Stays where it is; `isStill` false: something shakes it there (an engine, a crowd).
    public mutating func stay(_ seconds: Double, isStill: Bool = true) {
        let from = durationSeconds
        legs.append(
            Leg(from: from, until: from + seconds, east: end.east, north: end.north, carrier: nil, isStill: isStill))
    }

    /// Goes along straights and arcs, as fast as limits and comfort allow, standing at `stops`.
    public mutating func go(
        _ carrier: Carrier, headingDeg: Double, _ stretches: [Stretch], stops: [(atM: Double, seconds: Double)] = []
    ) {
        var path = RoutePath(headingDeg: headingDeg)
        for stretch in stretches {
            if stretch.metres > 0 { path.forward(stretch.metres, limitMps: stretch.kmh / 3.6) }
            if stretch.turnDeg != 0 {
                path.turn(stretch.turnDeg, radiusM: stretch.radiusM, limitMps: stretch.kmh / 3.6)
            }
        }
        append(
            path, carrier,
            SpeedProfile(
                path, limits: Self.limits(carrier), stops: stops.map { .init(atM: $0.atM, seconds: $0.seconds) }))
    }

    mutating func append(_ path: RoutePath, _ carrier: Carrier, _ profile: SpeedProfile) {
        let from = durationSeconds
        legs.append(
            Leg(
                from: from, until: from + profile.durationSeconds, east: end.east, north: end.north, path: path,
                profile: profile, carrier: carrier, isStill: carrier == .ferry))
        let last = path.pose(at: path.lengthM)
        end = (end.east + last.east, end.north + last.north)
    }

    /// Goes on with another scenario from here, without its faults.
    mutating func add(_ other: TrackScenario?) {
        guard let other else { return }
        let (from, at) = (durationSeconds, end)
        for leg in other.legs {
            var leg = leg
            leg.from += from
            leg.until += from
            leg.east += at.east
            leg.north += at.north
            legs.append(leg)
        }
        end = (at.east + other.end.east, at.north + other.end.north)
    }

    /// Comfortable for the driver of a car; brisk for a walker.
    private static func limits(_ carrier: Carrier) -> SpeedProfile.Limits {
        switch carrier {
        case .car: .init(acceleration: 1.8, braking: 2.2, cornering: 2.5)
        case .foot: .init(acceleration: 0.6, braking: 0.8, cornering: 2.5)
        case .ferry: .init(acceleration: 0.1, braking: 0.1, cornering: 0.5)
        }
    }

    /// The truth `seconds` after the start; before and after, that of the nearest end.
    public func truth(at seconds: Double) -> Journey.TrueState {
        let at = offset(at: seconds)
        return Journey.TrueState(
            position: frame.position(east: at.east, north: at.north), speedMps: at.speedMps,
            headingDeg: at.headingDeg, isSkyVisible: !isSilent(at: seconds))
    }

    func offset(at seconds: Double) -> (east: Double, north: Double, speedMps: Double, headingDeg: Double) {
        guard let leg = leg(at: seconds) else { return (0, 0, 0, 0) }
        guard let path = leg.path, let profile = leg.profile else { return (leg.east, leg.north, 0, 0) }
        let motion = profile.motion(at: seconds - leg.from)
        let pose = path.pose(at: motion.metres)
        return (leg.east + pose.east, leg.north + pose.north, motion.speedMps, pose.headingDeg)
    }

    func leg(at seconds: Double) -> Leg? {
        var (low, high) = (0, legs.count)
        while low < high {
            let middle = (low + high) / 2
            if legs[middle].until <= seconds { low = middle + 1 } else { high = middle }
        }
        return low < legs.count ? legs[low] : legs.last
    }

    private func isSilent(at seconds: Double) -> Bool {
        faults.contains { $0.kind == .silence && $0.from <= seconds && seconds < $0.until }
    }

    /// Where the trips begin and end, seconds from the start.
    public var trips: [(from: Double, until: Double)] {
        legs.filter { $0.path != nil }.map { ($0.from, $0.until) }
    }

    /// Metres of way until then.
    public func distanceM(until seconds: Double) -> Double {
        legs.reduce(0) { sum, leg in
            guard let profile = leg.profile, leg.from < seconds else { return sum }
            return sum + profile.motion(at: min(seconds, leg.until) - leg.from).metres
        }
    }
}
