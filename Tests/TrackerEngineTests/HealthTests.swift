import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("Supervision, stops and stragglers in the engine")
struct HealthTests {
    private func deaths(_ bench: EngineBench) -> [Int] {
        bench.others.compactMap { if case .restartReceiver = $0.action { $0.second } else { nil } }
    }

    private func watch(_ bench: inout EngineBench, _ seconds: Range<Int>) {
        for second in stride(from: seconds.lowerBound, to: seconds.upperBound, by: 120) {
            bench.send(.healthChecked, second: second)
        }
    }

    @Test("Five parked hours with fixes are never taken for a dead receiver (E-134)")
    func alive() {
        var bench = EngineBench()
        for second in stride(from: 0, to: 18_000, by: 60) {
            bench.send(.fixDetermined(bench.fix(second, east: 0)), second: second)
            bench.send(.healthChecked, second: second)
        }
        #expect(deaths(bench).isEmpty)
        #expect(bench.others.count { $0.action == .beat } == 300)
    }

    @Test(
        "Without a fix: dead after 60 min at rest and 30 moving, twice that in power save, again every 15 min (E-133, E-135)"
    )
    func dead() {
        var resting = EngineBench()
        resting.send(.fixDetermined(resting.fix(0, east: 0)), second: 0)
        watch(&resting, 0..<6_000)
        #expect(deaths(resting) == [3_720, 4_680, 5_640])
        #expect(resting.others.contains { $0.action == .diagnosed("receiver_power_cycle_failed") })
        var moving = EngineBench()
        moving.drive(0..<61, from: 0, speed: 14)
        watch(&moving, 120..<2_160)
        #expect(deaths(moving) == [1_920])
        #expect(!moving.others.contains { $0.action == .diagnosed("receiver_power_cycle_failed") })
        var saving = EngineBench()
        saving.send(.powerTierChanged(.saver), second: 80)
        saving.send(.fixDetermined(saving.fix(0, east: 0)), second: 80)
        watch(&saving, 120..<7_500)
        #expect(deaths(saving) == [7_320])
    }

    @Test("A receiver that we switched off is not dead")
    func off() {
        var bench = EngineBench()
        bench.send(.receiverPowered(isOn: false), second: 10)
        watch(&bench, 0..<9_000)
        #expect(deaths(bench).isEmpty)
        bench.send(.receiverPowered(isOn: true), second: 9_000)
        watch(&bench, 9_000..<12_000)
        #expect(deaths(bench).isEmpty)
    }

    @Test("Ten minutes at one place make the last stored point a significant stop, once")
    func significantStop() {
        var bench = EngineBench()
        bench.drive(0..<120, from: 0, speed: 14)
        bench.park(120..<2_400, at: 1_666, seed: 31)
        let marks = bench.others.filter { if case .markSignificantStop = $0.action { true } else { false } }
        #expect(marks.count == 1)
        #expect((700...790).contains(marks.first?.second ?? 0), "\(marks)")
        #expect(marks.first?.action == bench.points.last.map { .markSignificantStop(at: $0.fix.instant) })
        bench.drive(2_400..<2_500, from: 1_666, speed: 14)
        bench.park(2_500..<3_300, at: 3_050, seed: 32)
        #expect(bench.others.count { if case .markSignificantStop = $0.action { true } else { false } } == 2)
    }

    @Test("Traffic lights are no significant stops")
    func lights() {
        var bench = EngineBench()
        for round in 0..<10 {
            let start = round * 300
            bench.drive(start..<(start + 200), from: Double(round) * 2_800, speed: 14)
            bench.park((start + 200)..<(start + 300), at: Double(round) * 2_800 + 2_786, seed: UInt64(round))
        }
        #expect(!bench.others.contains { if case .markSignificantStop = $0.action { true } else { false } })
    }

    @Test("Twenty stops an hour are at most forty transitions (E-104)")
    func manyStops() {
        var bench = EngineBench()
        for round in 0..<20 {
            let start = round * 180
            bench.drive(start..<(start + 120), from: Double(round) * 1_680, speed: 14)
            bench.park((start + 120)..<(start + 180), at: Double(round) * 1_680 + 1_666, seed: UInt64(round))
        }
        #expect((20...40).contains(bench.transitions.count), "\(bench.transitions.count)")
    }

    @Test("Stragglers are told and dropped before they can turn or time anything (E-130)")
    func straggler() {
        var bench = EngineBench()
        bench.drive(0..<60, from: 0, speed: 14)
        let points = bench.points.count
        for second in [50, 51, 52, 53] {
            bench.send(.fixDetermined(bench.fix(second, east: Double(second) * 14, speed: 14)), second: 60)
        }
        #expect(bench.reasons.suffix(4) == [.outOfOrder, .outOfOrder, .outOfOrder, .outOfOrder])
        #expect(bench.points.count == points)
    }

    @Test("A recording that goes over a reboot is judged on by UTC; the reference begins anew (E-129)")
    func rebooted() {
        for ruleSet in RuleSet.allCases {
            var config = CaptureConfig()
            config.pipeline.ruleSet = ruleSet
            var bench = EngineBench(config)
            bench.drive(0..<100, from: 0, speed: 14)
            bench.send(.rebooted, second: 100)
            for second in 3..<40 {
                var fix = bench.fix(second, east: 1_400 + 14 * Double(second), speed: 14)
                fix.time = fix.time?.advanced(byMillis: 100_000)
                bench.send(.fixDetermined(fix), second: second)
            }
            #expect(bench.others.contains { $0.action == .diagnosed("Reboot Boundary") })
            #expect(bench.reasons.count { $0 == .initial } == (ruleSet == .device ? 1 : 2), "\(ruleSet)")
            let total = Double(bench.points.last?.odometerMM ?? 0) / 1_000
            #expect(ruleSet == .reference || abs(total - 1_900) < 60, "\(total)")
        }
    }

    @Test("A point from a later time than now, before a reboot, is no anchor")
    func future() {
        var first = EngineBench()
        first.drive(0..<100, from: 0, speed: 14)
        var second = EngineBench(resuming: first.state, isSameBoot: false)
        var fix = second.fix(5, east: 9_000, speed: 14)
        fix.time = UTCTime(millis: 1_777_000_000_000)
        second.send(.fixDetermined(fix), second: 5)
        #expect(second.reasons == [.initial])
        #expect(second.points.first?.odometerMM == first.state?.odometerMM)
    }

    @Test("Navigation mode judges every fix; power saving ends it")
    func navigation() {
        var config = CaptureConfig()
        config.navigationMode = true
        var bench = EngineBench(config)
        #expect(bench.engine.cadence == Cadence(tier: .navigation, intervalMillis: 1_000))
        bench.drive(0..<60, from: 0, speed: 14)
        #expect(bench.commits.count == 60)
    }

    @Test("An offered fix is judged at once, as any other (E-044)")
    func offered() {
        var bench = EngineBench()
        bench.drive(0..<60, from: 0, speed: 14)
        let judged = bench.commits.count
        bench.send(.fixOffered(bench.fix(65, east: 910, speed: 14)), second: 65)
        var bad = bench.fix(66, east: 0)
        bad.coordinate = Coordinate(latitude: 0, longitude: 0)
        bench.send(.fixOffered(bad), second: 66)
        #expect(bench.commits.count == judged + 2)
        #expect(bench.reasons.suffix(2) == [.vehicular, .invalidCoordinates])
    }
}
