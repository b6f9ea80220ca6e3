import DeviceSimulator
import Testing
import TrackerEngine
import TrackerModel
import TrackerRuntime
import WireText

@testable import Frontier

@Suite("This tracker and published rules in one simulated world")
struct FrontierTests {
    private static let kinds: Set = ["default", "fine"]

    @Test("Two days of a commuter: no published rule has less energy and a smaller error, none of the trips is missed")
    func commuter() throws {
        let life = Life.commuter(days: 2)
        let rules = try PublishedRule.all.filter { !$0.isStrengthened }.map { rule in
            (rule.name, JSONValue.object(try Row(rule, [life]).json(life: life.name)))
        }
        for mode in Mode.all where Self.kinds.contains(mode.name) {
            let row = JSONValue.object(try Row(mode, [life]).json(life: life.name))
            for (name, rule) in rules {
                for error in ["lineAtTimeCM", "offLineCM"] {
                    let isBeaten =
                        try #require(rule["totalMj"]?.intValue) < #require(row["totalMj"]?.intValue)
                        && #require(rule[error]?.intValue) < #require(row[error]?.intValue)
                    #expect(!isBeaten, "\(mode.name) by \(name) in \(error): \(rule.text) \(row.text)")
                }
            }
            #expect(row["trips"] == 4 && row["missedTrips"] == 0 && row["falseTrips"] == 0, "\(row.text)")
            let fixed = try #require(rules.first { $0.0 == "fixed 60 s" }?.1["totalMj"]?.intValue)
            #expect(try #require(row["totalMj"]?.intValue) * 2 <= fixed, "\(row.text)")
        }
    }

    @Test(
        "Two days of a commuter whose receiver rests under way: as far off as a trip logger, for little more than half")
    func months() throws {
        let life = Life.commuter(days: 2)
        let mode = try #require(Mode.all.first { $0.name == "months" })
        let logger = try #require(PublishedRule.all.first { $0.name == "120 s in trips" })
        let ours = JSONValue.object(try Row(mode, [life]).json(life: life.name))
        let theirs = JSONValue.object(try Row(logger, [life]).json(life: life.name))
        for error in ["lineAtTimeCM", "offLineCM", "pinCM"] {
            #expect(try #require(ours[error]?.intValue) <= #require(theirs[error]?.intValue), "\(error): \(ours.text)")
        }
        #expect(try #require(ours["totalMj"]?.intValue) * 10 <= #require(theirs["totalMj"]?.intValue) * 6)
        #expect(ours["missedTrips"] == 0 && ours["falseTrips"] == 0, "\(ours.text)")
    }

    @Test(
        "Cyclic tracking saves three tenths of the receiver's energy of an hour and more, and stores about as many points"
    )
    func cyclic() throws {
        func outcome(_ whileMoving: ReceiverWhileMoving) throws -> Outcome {
            try PolicyRun(Self.hour(metres: 12_000), Mode("test") { $0.whileMoving = whileMoving }).run()
        }
        let (cyclic, full) = (try outcome(.cyclic), try outcome(.track))
        #expect(cyclic.receiverOnSeconds == full.receiverOnSeconds)
        #expect(cyclic.energy.receiverNanojoules * 10 < full.energy.receiverNanojoules * 7)
        #expect(abs(cyclic.points.count - full.points.count) <= full.points.count / 10)
    }

    @Test("The same life twice gives the same numbers, by this tracker and by a rule")
    func determinism() throws {
        let life = Self.hour
        let mode = try #require(Mode.all.first)
        let rule = try #require(PublishedRule.all.first)
        let (ours, again) = (try Row(mode, [life]).json(life: "hour"), try Row(mode, [life]).json(life: "hour"))
        #expect(JSONValue.object(ours).text == JSONValue.object(again).text)
        let (theirs, twice) = (try Row(rule, [life]).json(life: "hour"), try Row(rule, [life]).json(life: "hour"))
        #expect(JSONValue.object(theirs).text == JSONValue.object(twice).text)
    }

    /// Half an hour at rest, 3 km, rest again.
    private static var hour: Life { hour(metres: 3_000) }

    private static func hour(metres: Double) -> Life {
        var scenario = TrackScenario("hour")
        scenario.stay(1_800)
        scenario.go(.car, headingDeg: 30, [.init(metres / 2, kmh: 50, turnDeg: 90), .init(metres / 2, kmh: 50)])
        scenario.stay(3_600 - scenario.durationSeconds)
        return Life(scenario, summary: "an hour", seed: 7, isParkedHeavy: false)
    }

    private func outcome(_ name: String, _ life: Life = Self.hour) throws -> Outcome {
        var run = BaselineRun(life, try #require(PublishedRule.all.first { $0.name == name }))
        return run.run()
    }

    @Test("A fixed interval keeps the receiver on and makes a point each interval from the first fix on")
    func fixedInterval() throws {
        let found = try outcome("fixed 10 s")
        #expect(found.receiverOnSeconds == 3_600)
        #expect((354...358).contains(found.points.count), "\(found.points.count)")
        #expect(zip(found.points, found.points.dropFirst()).allSatisfy { $1.second - $0.second == 10 })
    }

    @Test("An elastic filter sleeps five minutes after the last shaking, and wakes with the next")
    func elastic() throws {
        let found = try outcome("elastic 10 m")
        let trip = try #require(Self.hour.trips.first)
        let on = 300 + (trip.until - trip.from) + 300
        #expect(abs(Double(found.receiverOnSeconds) - on) < 10, "\(found.receiverOnSeconds) of \(on)")
        // At 50 km/h and a fix a second 42 m apart, closer where it is slower.
        #expect((65...150).contains(found.points.count), "\(found.points.count)")
    }

    @Test("A trip logger sends one sign of life, then the start beyond 250 m, a point each two minutes, and the end")
    func tripLogger() throws {
        let life = Self.hour(metres: 12_000)
        let found = try outcome("120 s in trips", life)
        let trip = try #require(life.trips.first)
        let times = found.points.map(\.second)
        #expect(times.first.map { $0 < 60 } == true)
        // The first look is too early; the next one comes five minutes later.
        #expect(times.dropFirst().first.map { $0 > trip.from + 290 && $0 < trip.from + 330 } == true, "\(times)")
        #expect(times.last.map { $0 >= trip.until + 299 && $0 < trip.until + 320 } == true, "\(times)")
        #expect(found.receiverOnSeconds < 150)
    }

    @Test("A kept connection costs less, and the radio's tail between two near exchanges counts once")
    func server() {
        var server = ModelServer()
        let first = server.exchange(bodyBytes: 1_000, at: Instant(millis: 0))
        let second = server.exchange(bodyBytes: 1_000, at: Instant(millis: 5_000))
        #expect(first.up - second.up == 1_200 && first.down - second.down == 4_200)
        #expect(first.end == Instant(millis: 908) && second.end == Instant(millis: 5_208))
        #expect(server.radioMillis == 15_208)
        _ = server.exchange(bodyBytes: 0, at: Instant(millis: 200_000))
        #expect(server.radioMillis == 15_208 + 10_900)
    }

    @Test("Errors are those of the line in trips and of the last point in stays")
    func score() throws {
        let life = Self.hour
        let trip = try #require(life.trips.first)
        // The truth each second until it arrives, then nothing: exact, and nothing is missed.
        let exact = (0...Int(trip.until) + 1).map { second in
            TrackedPoint(
                second: Double(second), position: life.journey.trueState(at: Double(second)).position, accuracyM: 1)
        }
        let good = try Score([(exact, life)])
        #expect(good.lineAtTimeCM < 50 && good.pinCM < 50 && good.missedTrips == 0 && good.falseTrips == 0)
        // Only where it began: the trip is missed, and the pin is wrong for good.
        let bad = try Score([(exact.filter { $0.second < trip.from + 3 }, life)])
        #expect(bad.missedTrips == 1 && bad.falseTrips == 0 && bad.pinCM > 200_000)
        // A point far off in the stay before.
        var strayed = exact
        strayed[900].position.latitude += 0.01
        #expect(try Score([(strayed, life)]).falseTrips == 1)
    }
}
