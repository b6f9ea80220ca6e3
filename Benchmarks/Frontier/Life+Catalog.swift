import DeviceSimulator
import TrackerModel

extension Life {
    private static let fortnight = 14

    /// Two weeks of each, from Monday midnight.
    public static var fortnights: [Life] { [commuter(), van(), trailer(), hiker(), boat()] }

    private static func heading(_ dice: inout SplitMix) -> Double { dice.roll(0...359) }

    /// Traffic lights about every 700 m, a third of them red.
    private static func drive(_ scenario: inout TrackScenario, _ dice: inout SplitMix, town: Double, open: Double = 0) {
        let first = dice.way(town / 2, straights: 150...700, kmh: 30...55, radiusM: 8...15)
        let middle = dice.way(open, straights: 500...2_500, kmh: 80...120, radiusM: 200...1_200, turns: 10...45)
        let last = dice.way(town / 2, straights: 150...700, kmh: 30...55, radiusM: 8...15)
        var stops: [(atM: Double, seconds: Double)] = []
        for at in stride(from: 400.0, to: town / 2 - 200, by: 700) where dice.unit() < 0.33 {
            stops.append((at, dice.roll(10...70)))
        }
        scenario.go(.car, headingDeg: heading(&dice), first + middle + last, stops: stops)
    }

    /// To work and back on weekdays, the car in an underground garage meanwhile; two errands on Saturday.
    static func commuter(days: Int = fortnight) -> Life {
        var scenario = TrackScenario("commuter")
        var dice = SplitMix(seed: 11)
        for day in 0..<days where day % 7 < 6 {
            if day % 7 == 5 {
                for (hour, metres) in [(10.0, 4_000.0), (11.2, 4_200), (15.0, 6_500), (17.5, 6_200)] {
                    scenario.stay(untilDay: day, hour: hour + dice.roll(0...0.3))
                    drive(&scenario, &dice, town: metres)
                }
                continue
            }
            scenario.stay(untilDay: day, hour: 7.1 + dice.roll(0...0.3))
            drive(&scenario, &dice, town: 5_000, open: 8_000)
            // The ramp takes the sky away a little before the end and gives it back a little after the start.
            let dark = scenario.durationSeconds - 25
            scenario.stay(untilDay: day, hour: 17 + dice.roll(0...0.6))
            scenario.faults.append(TrackFault(.silence, from: dark, until: scenario.durationSeconds + 25))
            drive(&scenario, &dice, town: 5_000, open: 8_000)
        }
        scenario.stay(untilDay: days, hour: 0)
        return Life(
            scenario, summary: "13 km to an underground garage and back on weekdays, errands on Saturdays", seed: 201,
            isParkedHeavy: true)
    }

    /// Thirty to forty doors on weekdays, the engine off at each.
    static func van() -> Life {
        var scenario = TrackScenario("van")
        var dice = SplitMix(seed: 12)
        for day in 0..<fortnight where day % 7 < 5 {
            scenario.stay(untilDay: day, hour: 8 + dice.roll(0...0.3))
            drive(&scenario, &dice, town: 4_000, open: 6_000)
            for _ in 0..<Int(dice.roll(30...40)) {
                scenario.stay(dice.roll(90...540))
                drive(&scenario, &dice, town: dice.roll(500...2_600))
            }
            scenario.stay(300)
            drive(&scenario, &dice, town: 4_000, open: 6_000)
        }
        scenario.stay(untilDay: fortnight, hour: 0)
        return Life(
            scenario, summary: "35 deliveries a weekday, 2 to 9 min at a door, at a depot otherwise", seed: 202,
            isParkedHeavy: false)
    }

    /// Moved three times; loaded and unloaded; knocked by wind and people.
    static func trailer() -> Life {
        var scenario = TrackScenario("trailer")
        var dice = SplitMix(seed: 13)
        for day in 0..<fortnight {
            for hour in [6.0, 11.0, 15.0, 21.0] {
                scenario.stay(untilDay: day, hour: hour + dice.roll(0...1.5))
                scenario.stay(dice.roll(3...8), isStill: false)
            }
            guard [2, 3, 9].contains(day) else { continue }
            // Loaded first: shaken for a quarter of an hour.
            scenario.stay(untilDay: day, hour: 23)
            scenario.stay(900, isStill: false)
            drive(&scenario, &dice, town: 5_000, open: day == 9 ? 25_000 : 40_000)
        }
        scenario.stay(untilDay: fortnight, hour: 0)
        return Life(
            scenario, summary: "parked; moved 30 to 45 km three times, loaded before, knocked four times a day",
            seed: 203, isParkedHeavy: true)
    }

    /// A walk of half an hour on weekdays, two days' hike at the weekend.
    static func hiker() -> Life {
        var scenario = TrackScenario("hiker")
        var dice = SplitMix(seed: 14)
        func walk(_ metres: Double, kmh: ClosedRange<Double>) {
            let way = dice.way(metres, straights: 40...220, kmh: kmh, radiusM: 3...12, turns: 20...110)
            let stops = stride(from: 900.0, to: metres - 200, by: 1_100).map { ($0, dice.roll(20...180)) }
            scenario.go(.foot, headingDeg: heading(&dice), way, stops: stops)
        }
        for day in 0..<fortnight {
            if day % 7 < 5 {
                scenario.stay(untilDay: day, hour: 18 + dice.roll(0...1))
                walk(2_200, kmh: 4.5...5.5)
                continue
            }
            scenario.stay(untilDay: day, hour: 8 + dice.roll(0...1))
            for _ in 0..<4 {
                walk(dice.roll(3_500...5_500), kmh: 3...4.8)
                scenario.stay(dice.roll(900...2_400))
            }
        }
        scenario.stay(untilDay: fortnight, hour: 0)
        return Life(
            scenario, summary: "2 km on foot on weekdays, 18 km in four stages on weekend days", seed: 204,
            isParkedHeavy: true)
    }

    /// Swings on its mooring, on waves by day and calm by night; sails three times.
    static func boat() -> Life {
        var scenario = TrackScenario("boat")
        var dice = SplitMix(seed: 15)
        for day in 0..<fortnight {
            // Calm until six, then waves until 22 h; the tide turns it by 60° of a circle of 20 m and back.
            scenario.stay(untilDay: day, hour: 6)
            for hour in [6.5, 9.5, 12.5] { swing(&scenario, day: day, hour: hour) }
            if [2, 5, 12].contains(day) {
                scenario.stay(untilDay: day, hour: 15 + dice.roll(0...1), isStill: false)
                let way = dice.way(
                    day == 2 ? 9_000 : 26_000, straights: 600...2_500, kmh: 7...12, radiusM: 20...60, turns: 60...110)
                scenario.go(.ferry, headingDeg: heading(&dice), way)
            }
            swing(&scenario, day: day, hour: 20)
            scenario.stay(untilDay: day, hour: 22, isStill: false)
        }
        scenario.stay(untilDay: fortnight, hour: 0)
        return Life(
            scenario, summary: "on a mooring, waves by day, calm by night, swinging with the tide; sails three times",
            seed: 205, isParkedHeavy: true, shaken: .swell)
    }

    private static func swing(_ scenario: inout TrackScenario, day: Int, hour: Double) {
        scenario.stay(untilDay: day, hour: hour, isStill: false)
        scenario.go(.ferry, headingDeg: 0, [.init(1, kmh: 0.3, turnDeg: 60, radiusM: 20)])
        scenario.stay(untilDay: day, hour: hour + 1.5, isStill: false)
        scenario.go(.ferry, headingDeg: 240, [.init(1, kmh: 0.3, turnDeg: -60, radiusM: 20)])
    }
}

extension TrackScenario {
    /// Stays until a time of a day.
    fileprivate mutating func stay(untilDay day: Int, hour: Double, isStill: Bool = true) {
        let until = (Double(day) + hour / 24) * 86_400
        if until > durationSeconds { stay(until - durationSeconds, isStill: isStill) }
    }
}
