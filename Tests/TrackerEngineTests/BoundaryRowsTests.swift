import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

/// The rows of "Fix validity", and those of "Receiver link" that end in the engine, row by row.
@Suite("The boundary, row by row")
struct BoundaryRowsTests {
    /// One fix at second 100 of a fresh session.
    private func judged(_ change: (inout TrackFix) -> Void) -> EngineBench {
        var bench = EngineBench()
        var fix = bench.fix(100, east: 0)
        change(&fix)
        bench.send(.fixDetermined(fix), second: 100)
        return bench
    }

    private static let everywhere: [FixProvider] = [.gnss, .gnssDeadReckoning, .replay, .external, .unknown]

    @Test(
        "E-032, E-033, E-034: what is no position is refused and a row is written",
        arguments: [
            (0.0, 0.0), (.nan, 8), (47, .nan), (.infinity, 8), (47, -.infinity), (90.000001, 8), (-90.000001, 8),
            (47, 180.000001), (47, -180.000001),
        ] as [(Double, Double)])
    func positions(latitude: Double, longitude: Double) {
        let bench = judged { $0.coordinate = Coordinate(latitude: latitude, longitude: longitude) }
        #expect(bench.reasons == [.invalidCoordinates] && bench.points.isEmpty)
        #expect(bench.commits.first?.decision.verdict == .reject)
    }

    @Test(
        "E-034, E-042: poles and the date line are places",
        arguments: [(90.0, 0.0), (-90, 0), (0, 180), (0, -180), (90, 180), (89.95, 0)] as [(Double, Double)])
    func edges(latitude: Double, longitude: Double) {
        let bench = judged { $0.coordinate = Coordinate(latitude: latitude, longitude: longitude) }
        #expect(bench.reasons == [.initial])
    }

    @Test("E-033: a refused fix leaves the state of the filter as it was", arguments: [Double.nan, .infinity, 0, -1])
    func unchanged(accuracy: Double) {
        var bench = EngineBench()
        var twin = EngineBench()
        bench.drive(0..<60, from: 0, speed: 14)
        twin.drive(0..<60, from: 0, speed: 14)
        let before = bench.engine.state
        var bad = bench.fix(60, east: 1_000_000)
        bad.accuracyM = accuracy
        bench.send(.fixDetermined(bad), second: 60)
        #expect(bench.reasons.last == .invalidCoordinates)
        #expect(bench.engine.state == before)
        // Nor does it change what becomes of the next ones.
        bench.drive(61..<120, from: 61 * 14, speed: 14)
        twin.drive(61..<120, from: 61 * 14, speed: 14)
        #expect(bench.points == twin.points)
    }

    @Test(
        "E-035: an accuracy of nothing, below nothing or unknown is refused, never lifted",
        arguments: [0.0, -0.0, -1, -.infinity, .infinity, .nan])
    func accuracy(value: Double) {
        #expect(judged { $0.accuracyM = value }.reasons == [.invalidCoordinates])
    }

    @Test(
        "E-036: what passes is clamped to 1 m and 10 km",
        arguments: [(0.3, 1.0), (0.001, 1), (1, 1), (24, 24)] as [(Double, Double)])
    func clamp(value: Double, stored: Double) {
        #expect(judged { $0.accuracyM = value }.points.first?.fix.accuracyM == stored)
        let rules = BoundaryRules(stalenessMillis: 60_000, mockPolicy: .flag)
        var far = EngineBench().fix(1, east: 0)
        far.accuracyM = 1e9
        #expect(rules.admitted(far).accuracyM == 10_000)
    }

    @Test("E-037, E-038, E-039: a fix without speed and course is stored without them")
    func noSpeed() throws {
        let point = try #require(
            judged {
                ($0.speedMps, $0.courseDeg) = (nil, nil)
            }.points.first)
        #expect(point.fix.speedMps == nil && point.fix.courseDeg == nil)
        #expect(point.movement == .steady)
    }

    @Test("E-041: a drive across the date line is as long as it is")
    func dateLine() throws {
        var bench = EngineBench()
        // 14 m/s to the east at 17 degrees south.
        let step = 14 / (111_320 * 0.956305)
        for second in 0..<600 {
            var fix = bench.fix(second, east: 0, speed: 14)
            var longitude = 179.96 + Double(second) * step
            if longitude > 180 { longitude -= 360 }
            fix.coordinate = Coordinate(latitude: -17, longitude: longitude)
            bench.send(.fixDetermined(fix), second: second)
        }
        let last = try #require(bench.points.last)
        #expect(last.fix.coordinate.longitude < -179.9)
        #expect(bench.points.count > 40 && !bench.reasons.contains(.impossibleSpeed))
        #expect(abs(Double(last.odometerMM) / 1_000 - 8_386) < 250)
    }

    @Test("E-042: beside and at the pole distances stay finite")
    func pole() throws {
        var bench = EngineBench()
        for (second, place) in [(0, (89.95, 0.0)), (60, (89.95, 10)), (120, (89.955, 20)), (400, (90, 77))] {
            var fix = bench.fix(second, east: 0, speed: 14)
            fix.coordinate = Coordinate(latitude: place.0, longitude: place.1)
            bench.send(.fixDetermined(fix), second: second)
        }
        #expect(bench.commits.count == 4)
        let last = try #require(bench.points.last)
        #expect((5_000_000...9_000_000).contains(last.odometerMM))
    }

    @Test(
        "E-043: 60 s is fresh, a millisecond more is stale, whoever brings it (E-044)", arguments: everywhere,
        [60_000, 60_001, 61_000, 59_000] as [Int64])
    func stale(provider: FixProvider, age: Int64) {
        let bench = judged {
            $0.provider = provider
            $0.instant = Instant(millis: 100_000 - age)
        }
        #expect(bench.reasons == [age > 60_000 ? .staleFix : .initial])
    }

    @Test("E-044: bogus data meets the same wall from every source", arguments: everywhere)
    func sources(provider: FixProvider) {
        let changes: [(DecisionReason, (inout TrackFix) -> Void)] = [
            (.invalidCoordinates, { $0.coordinate = Coordinate(latitude: 0, longitude: 0) }),
            (.invalidCoordinates, { $0.coordinate.latitude = .nan }),
            (.invalidCoordinates, { $0.accuracyM = 0 }),
            (.staleFix, { $0.instant = .zero }),
            (.timeUnresolved, { $0.time = nil }),
            (.initial, { $0.speedMps = 0 }),
        ]
        for (reason, change) in changes {
            let bench = judged {
                $0.provider = provider
                change(&$0)
            }
            #expect(bench.reasons == [reason])
        }
    }

    @Test("E-045: the same instant from two sources is one point")
    func twice() {
        var bench = EngineBench()
        for second in 0..<120 {
            var fix = bench.fix(second, east: Double(second) * 14, speed: 14)
            bench.send(.fixDetermined(fix), second: second)
            fix.provider = .external
            bench.send(.fixDetermined(fix), second: second)
        }
        let instants = bench.points.map(\.fix.instant)
        #expect(instants.count > 8 && Set(instants).count == instants.count)
    }

    @Test("E-024: after the antenna was off the first fix is judged like any other, not taken blindly")
    func antennaBack() throws {
        var bench = EngineBench()
        bench.drive(0..<120, from: 0, speed: 14)
        var odd = bench
        // Two minutes without sky; then 20 km away, which nothing on the road can do.
        odd.send(.fixDetermined(odd.fix(240, east: 21_680, speed: 14)), second: 240)
        #expect(odd.reasons.last == .impossibleSpeed)
        #expect(odd.points == bench.points)
        bench.send(.fixDetermined(bench.fix(240, east: 240 * 14, speed: 14)), second: 240)
        #expect(bench.reasons.last == .recoveryReset)
        #expect(bench.reasons.filter { $0 == .initial }.count == 1)
    }

    @Test("E-027: a position held by the receiver's firmware is one point, and still")
    func staticHold() {
        var bench = EngineBench()
        for second in 0..<7_200 {
            bench.send(.fixDetermined(bench.fix(second, east: 0, speed: 0)), second: second)
            bench.send(.timerFired, second: second)
        }
        #expect(bench.points.count == 1)
        #expect(!bench.transitions.map(\.state).contains(.moving))
    }

    @Test("E-028: ten fixes a second are judged at the spacing of their tier")
    func tenHertz() {
        var bench = EngineBench()
        var actions: [CaptureAction] = []
        for tenth in 0..<6_000 {
            var fix = bench.fix(0, east: Double(tenth) * 1.4, speed: 14)
            fix.instant = Instant(millis: Int64(tenth) * 100)
            fix.time = fix.time?.advanced(byMillis: Int64(tenth) * 100)
            bench.engine.handle(.fixDetermined(fix), at: fix.instant, into: &actions)
        }
        let judged = actions.compactMap { if case .commit(let judgement, _) = $0 { judgement } else { nil } }
        #expect((48...54).contains(judged.count))
        #expect(judged.allSatisfy { $0.accepted != nil })
    }

    @Test("E-030: a receiver that wakes every 30 s is judged at each of its fixes and stays one drive")
    func cyclic() throws {
        var bench = EngineBench()
        for second in stride(from: 0, to: 1_800, by: 30) {
            bench.send(.fixDetermined(bench.fix(second, east: Double(second) * 14, speed: 14)), second: second)
        }
        #expect(bench.commits.count == 60 && bench.points.count == 60)
        #expect(bench.transitions.map(\.state) == [.moving])
        #expect(abs(try #require(bench.points.last).odometerMM - 1_770 * 14_000) < 100_000)
    }

    @Test("E-030: rests of the receiver under way are no gaps, as long as it gives the fixes that are judged")
    func restingUnderWay() throws {
        func walked(speed: Double, isMeantToRest: Bool) -> EngineBench {
            var config = CaptureConfig()
            config.vehicularIntervalMillis = 120_000
            var bench = EngineBench(config)
            for second in stride(from: 0, to: 7_200, by: 120) {
                if isMeantToRest { bench.send(.receiverPowered(isOn: true), second: second) }
                let fix = bench.fix(second, east: Double(second) * speed, speed: speed)
                bench.send(.fixDetermined(fix), second: second)
                if isMeantToRest { bench.send(.receiverPowered(isOn: false), second: second) }
            }
            #expect(bench.points.allSatisfy { $0.gapCause == nil }, "none is of ten minutes")
            return bench
        }
        #expect(walked(speed: 1, isMeantToRest: true).points.count >= 58)
        #expect(walked(speed: 1, isMeantToRest: false).points.count < 40, "a lost sky is a gap, and wants a second fix")
        #expect(walked(speed: 14, isMeantToRest: true).points.count == 60)
    }
}
