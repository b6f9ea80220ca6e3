import TrackerGeo
public import TrackerModel

/// A made-up journey whose truth is known: the way something went, what a receiver with realistic errors says about it,
/// and how an accelerometer on board is shaken. A pure function of its name and seed.
public struct Journey: Sendable {
    /// Where and how fast it really is.
    public struct TrueState: Equatable, Sendable {
        public var position: Coordinate
        public var speedMps: Double
        /// Compass, [0, 360); of the last or the first movement while it stands.
        public var headingDeg: Double
        /// False in a tunnel.
        public var isSkyVisible: Bool
    }

    let plan: JourneyPlan
    public let seed: UInt64
    private let profile: SpeedProfile?
    /// Where it is made of many trips: these instead of the plan's one.
    private let scenario: TrackScenario?
    private let frame: LocalFrame

    /// Names for `init`, with a line about each.
    public static var list: [(name: String, summary: String)] { JourneyPlan.catalog.map { ($0.name, $0.summary) } }

    /// `nil` for a name that is not in `list`. Without a seed each journey has one of its own.
    public init?(_ name: String, seed: UInt64? = nil) {
        guard let plan = JourneyPlan.catalog.first(where: { $0.name == name }) else { return nil }
        self.plan = plan
        self.seed = seed ?? plan.defaultSeed
        profile = plan.trip.map { SpeedProfile($0.path, limits: $0.limits, stops: $0.stops) }
        scenario = nil
        frame = LocalFrame(origin: Coordinate(latitude: 47.05, longitude: 8.30))
        motion = Self.motion(plan, profile, seed: self.seed)
    }

    /// A scenario as a journey: its stays and trips, its silences as darkness.
    /// - Parameter shaken: what shakes it in the stays that are not still.
    public init(_ scenario: TrackScenario, start: UTCTime, seed: UInt64, shaken: MotionScript.Activity = .vibration) {
        plan = JourneyPlan(
            name: scenario.name, summary: scenario.name, start: start, defaultSeed: seed,
            parkedBeforeSeconds: scenario.durationSeconds)
        self.seed = seed
        profile = nil
        self.scenario = scenario
        frame = scenario.frame
        motion = scenario.motion(seed: seed, shaken: shaken)
    }

    public var name: String { plan.name }
    public var start: UTCTime { plan.start }

    /// Epochs of one second, the first at `start`.
    public var epochCount: Int { Int(durationSeconds.rounded(.up)) }

    public var durationSeconds: Double {
        plan.parkedBeforeSeconds + (profile?.durationSeconds ?? 0) + plan.parkedAfterSeconds
    }

    /// The truth `seconds` after the start, exact at any instant.
    public func trueState(at seconds: Double) -> TrueState {
        if let scenario { return scenario.truth(at: seconds) }
        guard let trip = plan.trip, let profile else {
            return TrueState(position: frame.origin, speedMps: 0, headingDeg: 0, isSkyVisible: true)
        }
        let inTrip = seconds - plan.parkedBeforeSeconds
        let motion = profile.motion(at: inTrip)
        let pose = trip.path.pose(at: motion.metres)
        let dark = trip.outage.map { outage in
            let from = profile.time(atM: outage.atM)
            return from <= inTrip && inTrip < from + outage.seconds
        }
        return TrueState(
            position: frame.position(east: pose.east, north: pose.north), speedMps: motion.speedMps,
            headingDeg: pose.headingDeg, isSkyVisible: dark != true)
    }

    func displaced(_ position: Coordinate, east: Double, north: Double) -> Coordinate {
        let place = frame.offset(of: position)
        return frame.position(east: place.east + east, north: place.north + north)
    }

    /// What the accelerometer feels, in whole seconds: boundaries are rounded, so that segments add up.
    public let motion: MotionScript

    private static func motion(_ plan: JourneyPlan, _ profile: SpeedProfile?, seed: UInt64) -> MotionScript {
        var marks: [(until: Double, activity: MotionScript.Activity)] = [(plan.parkedBeforeSeconds, .still)]
        if let trip = plan.trip, let profile {
            for stop in profile.standing {
                marks.append((plan.parkedBeforeSeconds + stop.from, trip.activity))
                marks.append((plan.parkedBeforeSeconds + stop.to, trip.stopActivity))
            }
            marks.append((plan.parkedBeforeSeconds + profile.durationSeconds, trip.activity))
        }
        let tripSeconds = profile?.durationSeconds ?? 0
        marks.append((plan.parkedBeforeSeconds + tripSeconds + plan.parkedAfterSeconds, .still))
        return MotionScript(marks: marks, seed: seed)
    }
}
