import DeviceSimulator
import TrackerModel

/// What happens to a device in some days, and what is known of it: the truth, the sky, the shaking.
public struct Life: Sendable {
    public let name: String
    public let summary: String
    /// Nine tenths of the time or more at rest.
    public let isParkedHeavy: Bool
    let journey: Journey
    /// When it travels, seconds from the start; moves of less than 100 m are no trips.
    let trips: [(from: Double, until: Double)]

    var durationSeconds: Int { Int(journey.durationSeconds) }

    /// Monday.
    static let start = UTCTime(millis: 1_777_852_800_000)
    static let day = 86_400.0

    init(
        _ scenario: TrackScenario, summary: String, seed: UInt64, isParkedHeavy: Bool,
        shaken: MotionScript.Activity = .vibration
    ) {
        name = scenario.name
        self.summary = summary
        self.isParkedHeavy = isParkedHeavy
        journey = Journey(scenario, start: Self.start, seed: seed, shaken: shaken)
        trips = scenario.trips.filter { trip in
            scenario.distanceM(until: trip.until) - scenario.distanceM(until: trip.from) >= 100
        }
    }

    /// One of the simulator's journeys.
    init?(journey name: String) {
        guard let journey = Journey(name), let scenario = TrackScenario(journey: name) else { return nil }
        self.name = name
        summary = name
        isParkedHeavy = false
        self.journey = journey
        trips = scenario.trips
    }
}

/// Chance that is the same everywhere: the constants of Knuth's MMIX generator.
struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// Uniform in a range.
    mutating func roll(_ range: ClosedRange<Double>) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11) / 9_007_199_254_740_992
    }

    /// A way of about so many metres, in straights and bends.
    mutating func way(
        _ metres: Double, straights: ClosedRange<Double>, kmh: ClosedRange<Double>, radiusM: ClosedRange<Double>,
        turns: ClosedRange<Double> = 40...100
    ) -> [TrackScenario.Stretch] {
        var stretches: [TrackScenario.Stretch] = []
        var left = metres
        var side = 1.0
        while left > straights.lowerBound {
            let length = min(left, roll(straights))
            let isLast = left - length <= straights.lowerBound
            stretches.append(
                .init(
                    length, kmh: roll(kmh), turnDeg: isLast ? 0 : side * roll(turns), radiusM: roll(radiusM)))
            // Mostly to and fro, so that the way leads somewhere.
            if roll(0...1) < 0.7 { side = -side }
            left -= length
        }
        return stretches
    }
}

extension Life {
    /// The simulator's journeys.
    public static var journeys: [Life] { Journey.list.compactMap { Life(journey: $0.name) } }
}
