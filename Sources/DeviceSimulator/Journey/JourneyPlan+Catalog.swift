import TrackerModel
import WireText

extension JourneyPlan {
    static let catalog: [JourneyPlan] = [
        parkedNight, walk, urbanDrive, motorway, tunnel, parkDrivePark, delivery,
    ]

    /// All journeys happen on one day; the night goes over midnight.
    private static func morning(_ hour: Int) -> UTCTime {
        CivilTime(year: 2026, month: 5, day: 4, hour: hour).utc
    }

    /// A calm driver: brisk start 1.8, comfortable braking 2.2, cornering 2.5 m/s² (0.25 g).
    private static let car = SpeedProfile.Limits(acceleration: 1.8, braking: 2.2, cornering: 2.5)
    private static let pedestrian = SpeedProfile.Limits(acceleration: 0.6, braking: 0.8, cornering: 2.5)

    private static func kmh(_ speed: Double) -> Double { speed / 3.6 }

    /// Legs of length, limit in km/h and the turn behind them; in a turn the limit of its leg goes on.
    private static func path(
        headingDeg: Double, radiusM: Double, _ legs: [(metres: Double, kmh: Double, turnDeg: Double)]
    ) -> RoutePath {
        var path = RoutePath(headingDeg: headingDeg)
        for leg in legs {
            path.forward(leg.metres, limitMps: kmh(leg.kmh))
            if leg.turnDeg != 0 { path.turn(leg.turnDeg, radiusM: radiusM, limitMps: kmh(leg.kmh)) }
        }
        return path
    }

    private static let parkedNight = JourneyPlan(
        name: "parked-night", summary: "8 h parked, wandering position (5 m), over midnight", start: morning(22),
        defaultSeed: 101, parkedBeforeSeconds: 8 * 3_600, positionSigmaM: 5)

    private static let walk = JourneyPlan(
        name: "walk", summary: "1.2 km on foot at 1.3 m/s with pauses of 45, 90 and 30 s", start: morning(12),
        defaultSeed: 102, parkedBeforeSeconds: 60,
        trip: Trip(
            path: path(
                headingDeg: 40, radiusM: 1.5,
                [
                    (180, 4.68, 90), (140, 4.68, -90), (210, 4.68, -45), (160, 4.68, 90), (190, 4.68, 45),
                    (120, 4.68, -90), (200, 4.68, 0),
                ]),
            limits: pedestrian,
            stops: [.init(atM: 250, seconds: 45), .init(atM: 610, seconds: 90), .init(atM: 940, seconds: 30)],
            activity: .walking, stopActivity: .still),
        parkedAfterSeconds: 180)

    private static let townStops: [SpeedProfile.Stop] = [
        .init(atM: 760, seconds: 20), .init(atM: 1_650, seconds: 90), .init(atM: 2_900, seconds: 35),
        .init(atM: 4_380, seconds: 60),
    ]

    private static let town = Trip(
        path: path(
            headingDeg: 15, radiusM: 9,
            [
                (320, 50, 90), (520, 50, -90), (280, 30, 90), (610, 50, 90), (450, 50, -90), (380, 30, -90),
                (560, 50, 90), (490, 50, -90), (300, 40, -90), (540, 50, 90), (430, 30, 0),
            ]),
        limits: car, stops: townStops, activity: .driving, stopActivity: .idle)

    /// The half-hour town drive that spec edge-cases count points on.
    private static let acrossTown = Trip(
        path: path(
            headingDeg: 15, radiusM: 9,
            [
                (320, 50, 90), (520, 50, -90), (280, 30, 90), (610, 50, 90), (450, 50, -90), (380, 30, -90),
                (560, 50, 90), (490, 50, -90), (300, 40, -90), (540, 50, 90), (980, 50, 90), (720, 50, -90),
                (260, 30, -90), (840, 50, 90), (640, 50, -90), (390, 40, 90), (1_150, 50, -90), (470, 50, 90),
                (310, 30, 90), (880, 50, -90), (560, 50, 90), (1_120, 60, -90), (730, 50, 90), (420, 40, 90),
                (950, 60, -90), (610, 50, 0),
            ]),
        limits: car,
        stops: townStops + [
            .init(atM: 5_600, seconds: 40), .init(atM: 6_900, seconds: 75), .init(atM: 8_200, seconds: 25),
            .init(atM: 9_700, seconds: 55), .init(atM: 11_100, seconds: 30),
        ], activity: .driving, stopActivity: .idle)

    private static let urbanDrive = JourneyPlan(
        name: "urban-drive", summary: "half an hour through a town, 25 corners, 9 lights of 20 to 90 s, with GST",
        start: morning(7), defaultSeed: 103, parkedBeforeSeconds: 60, trip: acrossTown, parkedAfterSeconds: 120,
        sendsGST: true)

    private static let parkDrivePark = JourneyPlan(
        name: "park-drive-park", summary: "2 h parked, the drive through the town, 15 min parked", start: morning(6),
        defaultSeed: 106, parkedBeforeSeconds: 7_200, trip: town, parkedAfterSeconds: 900)

    private static let delivery = JourneyPlan(
        name: "delivery", summary: "1.2 km through a town, 25 min at a door with the engine off, 1.9 km on",
        start: morning(11), defaultSeed: 107, parkedBeforeSeconds: 60,
        trip: Trip(
            path: path(
                headingDeg: 15, radiusM: 9,
                [(320, 50, 90), (520, 50, -90), (380, 30, 90), (610, 50, 90), (450, 50, -90), (830, 50, 0)]),
            limits: car, stops: [.init(atM: 1_210, seconds: 1_500)], activity: .driving, stopActivity: .still),
        parkedAfterSeconds: 120)

    private static let motorway = JourneyPlan(
        name: "motorway", summary: "17 km, a ramp, 120 km/h in long bends, a ramp", start: morning(9),
        defaultSeed: 104, parkedBeforeSeconds: 60,
        trip: Trip(path: motorwayPath, limits: car, activity: .driving, stopActivity: .idle), parkedAfterSeconds: 120)

    private static var motorwayPath: RoutePath {
        var path = path(headingDeg: 350, radiusM: 12, [(260, 50, 90), (540, 60, 0)])
        path.turn(-110, radiusM: 80, limitMps: kmh(60))
        path.forward(250, limitMps: kmh(90))
        for bend in [18.0, -26, 12, 31, -22] {
            path.forward(1_900, limitMps: kmh(120))
            path.turn(bend, radiusM: 2_500, limitMps: kmh(120))
        }
        path.forward(1_200, limitMps: kmh(120))
        path.forward(220, limitMps: kmh(80))
        path.turn(130, radiusM: 70, limitMps: kmh(60))
        path.forward(640, limitMps: kmh(60))
        path.turn(-90, radiusM: 12, limitMps: kmh(50))
        path.forward(300, limitMps: kmh(50))
        return path
    }

    private static let tunnel = JourneyPlan(
        name: "tunnel", summary: "6 km at 80 km/h with 60 s without sky in a bend", start: morning(10),
        defaultSeed: 105, parkedBeforeSeconds: 60,
        trip: Trip(
            path: tunnelPath, limits: car, activity: .driving, stopActivity: .idle, outage: (atM: 2_100, seconds: 60)),
        parkedAfterSeconds: 120)

    private static var tunnelPath: RoutePath {
        var path = path(headingDeg: 80, radiusM: 10, [(350, 50, 90), (1_400, 80, 0)])
        path.turn(35, radiusM: 900, limitMps: kmh(80))
        path.forward(1_700, limitMps: kmh(80))
        path.turn(-50, radiusM: 400, limitMps: kmh(80))
        path.forward(1_500, limitMps: kmh(80))
        path.turn(90, radiusM: 10, limitMps: kmh(50))
        path.forward(250, limitMps: kmh(50))
        return path
    }
}
