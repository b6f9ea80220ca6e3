/// The ways that the acceptance criteria count points on (spec edge-cases, "Acceptance criteria").
extension TrackScenario {
    /// A journey of the simulator: the wait before it, the trip with its tunnel, the wait behind it. `nil` for a name that
    /// `Journey.list` has not.
    public init?(journey name: String) {
        guard let plan = JourneyPlan.catalog.first(where: { $0.name == name }) else { return nil }
        self.init(name)
        if plan.parkedBeforeSeconds > 0 { stay(plan.parkedBeforeSeconds) }
        guard let trip = plan.trip else { return }
        let profile = SpeedProfile(trip.path, limits: trip.limits, stops: trip.stops)
        if let outage = trip.outage {
            let from = durationSeconds + profile.time(atM: outage.atM)
            faults.append(TrackFault(.silence, from: from, until: from + outage.seconds))
        }
        append(trip.path, trip.activity == .walking ? .foot : .car, profile)
        if plan.parkedAfterSeconds > 0 { stay(plan.parkedAfterSeconds) }
    }

    /// A whole day from midnight: seven hours of night, half an hour through the town to work, a walk to lunch, a drive on
    /// the motorway in the afternoon, a mixed trip, and home for the night.
    public static var day: TrackScenario {
        var scenario = TrackScenario("day")
        scenario.stay(25_200)
        scenario.add(TrackScenario(journey: "urban-drive"))
        scenario.stay(10_800)
        scenario.add(lunch())
        scenario.stay(7_200)
        scenario.add(TrackScenario(journey: "motorway"))
        scenario.stay(3_600)
        scenario.add(mixed)
        scenario.stay(max(0, 86_400 - scenario.durationSeconds))
        return scenario
    }

    public static func steady(seconds: Double) -> TrackScenario {
        var scenario = TrackScenario("steady")
        scenario.stay(seconds)
        return scenario
    }

    /// Half an hour through a town without lights: corners of 90° and long bends every 300 to 1 100 m, 30 to 50 km/h.
    public static var flowingTown: TrackScenario {
        var scenario = TrackScenario("flowing-town")
        let round: [Stretch] = [
            .init(420, kmh: 50, turnDeg: 90), .init(760, kmh: 50, turnDeg: -90), .init(510, kmh: 40, turnDeg: -90),
            .init(900, kmh: 50, turnDeg: 35, radiusM: 120), .init(640, kmh: 50, turnDeg: 90),
            .init(330, kmh: 30, turnDeg: 90), .init(1_100, kmh: 50, turnDeg: -60, radiusM: 80),
            .init(580, kmh: 50, turnDeg: -90), .init(700, kmh: 40, turnDeg: 90), .init(840, kmh: 50, turnDeg: -45),
        ]
        scenario.go(.car, headingDeg: 20, round + round + Array(round.prefix(8)))
        return scenario
    }

    public static func straight(kmh: Double, seconds: Double) -> TrackScenario {
        var scenario = TrackScenario("straight")
        scenario.go(.car, headingDeg: 65, [.init(kmh / 3.6 * seconds, kmh: kmh)])
        return scenario
    }

    /// Into a roundabout of 40 m radius, out at the third exit.
    public static var roundabout: TrackScenario {
        var scenario = TrackScenario("roundabout")
        scenario.go(
            .car, headingDeg: 0,
            [
                .init(1_200, kmh: 50, turnDeg: 75, radiusM: 20), .init(0, kmh: 30, turnDeg: -240, radiusM: 40),
                .init(0, kmh: 30, turnDeg: 75, radiusM: 20), .init(800, kmh: 50),
            ])
        return scenario
    }

    /// Metres before the corner of `rightAngle`.
    public static let cornerM = 1_500.0
    public static let cornerRadiusM = 12.0

    /// 1.5 km, a right angle of 12 m radius, 700 m.
    public static func rightAngle(kmh: Double, turnDeg: Double = 90) -> TrackScenario {
        var scenario = TrackScenario("right-angle")
        scenario.go(
            .car, headingDeg: 30,
            [.init(cornerM, kmh: kmh, turnDeg: turnDeg, radiusM: cornerRadiusM), .init(700, kmh: kmh)])
        return scenario
    }

    /// 10 min at the desk, 400 m to lunch, half an hour there, 400 m back, 20 min at the desk. On foot at 1.3 m/s.
    public static func lunch(stillAtTable: Bool = true) -> TrackScenario {
        var scenario = TrackScenario("lunch")
        scenario.stay(600)
        scenario.go(.foot, headingDeg: 40, [.init(250, kmh: 4.68, turnDeg: 60, radiusM: 2), .init(148, kmh: 4.68)])
        scenario.stay(1_800, isStill: stillAtTable)
        scenario.go(.foot, headingDeg: 280, [.init(148, kmh: 4.68, turnDeg: -60, radiusM: 2), .init(250, kmh: 4.68)])
        scenario.stay(1_200)
        return scenario
    }

    /// 780 m on foot at 1.3 m/s in 600 s, after 20 s at rest.
    public static var walk780: TrackScenario {
        var scenario = TrackScenario("walk-780")
        scenario.stay(20)
        scenario.go(.foot, headingDeg: 75, [.init(780, kmh: 4.68)])
        return scenario
    }

    /// Out for 500 m and back the same way, a rest of 10 min at each end.
    public static var outAndBack: TrackScenario {
        var scenario = TrackScenario("out-and-back")
        scenario.stay(600)
        scenario.go(.foot, headingDeg: 120, [.init(500, kmh: 4.68)])
        scenario.stay(600)
        scenario.go(.foot, headingDeg: 300, [.init(500, kmh: 4.68)])
        scenario.stay(600)
        return scenario
    }

    /// 2.4 km by car, ten minutes at a shop, 350 m on foot, ten minutes there, 350 m back to the car, 2.4 km home.
    public static var mixed: TrackScenario {
        var scenario = TrackScenario("mixed")
        let drive: [Stretch] = [
            .init(700, kmh: 50, turnDeg: 90), .init(900, kmh: 50, turnDeg: -90), .init(800, kmh: 50),
        ]
        scenario.stay(300)
        scenario.go(.car, headingDeg: 10, drive)
        scenario.stay(600)
        scenario.go(.foot, headingDeg: 100, [.init(350, kmh: 4.68)])
        scenario.stay(600)
        scenario.go(.foot, headingDeg: 280, [.init(350, kmh: 4.68)])
        scenario.stay(300)
        scenario.go(.car, headingDeg: 190, drive)
        scenario.stay(600)
        return scenario
    }

    /// Through a lift: four minutes without sky, out again 120 m from where it went in, the first fixes coarse.
    public static var lift: TrackScenario {
        var scenario = TrackScenario("lift")
        scenario.stay(600)
        scenario.go(.foot, headingDeg: 90, [.init(120, kmh: 4.68)])
        scenario.stay(900)
        scenario.faults = [
            TrackFault(.silence, from: 600, until: 840), TrackFault(.accuracy(38), from: 840, until: 900),
        ]
        return scenario
    }

    /// Ten minutes underground in the middle of a stay.
    public static var cellar: TrackScenario {
        var scenario = TrackScenario("cellar")
        scenario.stay(3_600)
        scenario.faults = [TrackFault(.silence, from: 1_200, until: 1_800)]
        return scenario
    }

    /// A garage without sky: in at the second kilometre, twelve minutes of silence, out 800 m farther on.
    public static var underground: TrackScenario {
        var scenario = TrackScenario("underground")
        scenario.stay(120)
        scenario.go(.car, headingDeg: 0, [.init(2_000, kmh: 50)])
        let silent = scenario.durationSeconds
        scenario.go(.car, headingDeg: 0, [.init(400, kmh: 30)])
        scenario.stay(620)
        scenario.go(.car, headingDeg: 0, [.init(400, kmh: 30)])
        scenario.faults = [TrackFault(.silence, from: silent, until: scenario.durationSeconds)]
        scenario.go(.car, headingDeg: 0, [.init(2_000, kmh: 50)])
        scenario.stay(600)
        return scenario
    }

    /// Parked for an hour, with a measured speed of 5 m/s that is not there for five minutes of it.
    public static var phantomSpeed: TrackScenario {
        var scenario = TrackScenario("phantom-speed")
        scenario.stay(3_600)
        scenario.faults = [TrackFault(.phantomSpeed(5), from: 900, until: 1_200)]
        return scenario
    }

    /// Still, and coarser than is good for a first point: 500, 65, 50 and 30 m, then 8 m.
    public static var coldStart: TrackScenario {
        var scenario = TrackScenario("cold-start")
        scenario.stay(600)
        for (index, accuracy) in [500.0, 65, 50, 30].enumerated() {
            let from = Double(index) * 6
            scenario.faults.append(TrackFault(.accuracy(accuracy), from: from, until: from + 6))
        }
        return scenario
    }

    /// Half an hour at 8 m/s on a deck that does not shake.
    public static var ferry: TrackScenario {
        var scenario = TrackScenario("ferry")
        scenario.stay(300)
        scenario.go(.ferry, headingDeg: 200, [.init(14_400, kmh: 28.8, turnDeg: 25, radiusM: 900)])
        scenario.stay(600)
        return scenario
    }
}
