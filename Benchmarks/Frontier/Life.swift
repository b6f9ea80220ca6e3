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

extension SplitMix {
    /// Uniform in a range.
    mutating func roll(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
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
            if unit() < 0.7 { side = -side }
            left -= length
        }
        return stretches
    }
}

extension Life {
    /// The simulator's journeys.
    public static var journeys: [Life] { Journey.list.compactMap { Life(journey: $0.name) } }
}
