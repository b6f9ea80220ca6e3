import Testing
import TrackerModel

@testable import TrackerEngine

@Suite("One-shot fix")
struct OneShotTests {
    private func fix(_ accuracy: Double, ageMillis: Int64, at millis: Int64) -> TrackFix {
        let instant = Instant(millis: millis - ageMillis)
        return TrackFix(
            time: UTCTime(millis: 1_777_900_000_000 + millis), instant: instant, receivedAt: instant,
            coordinate: Coordinate(latitude: 47, longitude: 8), accuracyM: accuracy, speedMps: 0)
    }

    private func selector(_ accuracy: Double, age: Int64 = 10_000, budget: Int64 = 20_000) -> FixSelector {
        FixSelector(
            accuracyM: accuracy, maximumAgeMillis: age, budgetMillis: budget, requestedAt: Instant(millis: 1_000_000))
    }

    @Test("The published scenario: five waits, then the 30 m fix; a cached fix of 900 s is not chosen (E-235)")
    func published() {
        var selector = selector(35)
        let offers: [(Int64, Double, Int64)] = [
            (100, 10, 900_000), (1_000, -1, 0), (2_000, 1_500, 0), (4_000, 65, 0), (6_000, 50, 0),
        ]
        for (after, accuracy, age) in offers {
            let now = 1_000_000 + after
            #expect(
                selector.offer(fix(accuracy, ageMillis: age, at: now), at: Instant(millis: now)) == .wait, "\(after)")
        }
        let good = fix(30, ageMillis: 0, at: 1_008_000)
        #expect(selector.offer(good, at: Instant(millis: 1_008_000)) == .accept(good))
    }

    @Test("When the time is up the best so far is the answer, on arrival and by the timer")
    func settle() {
        var selector = selector(10, budget: 5_000)
        let best = fix(65, ageMillis: 0, at: 1_004_000)
        _ = selector.offer(best, at: Instant(millis: 1_004_000))
        #expect(selector.expired(at: Instant(millis: 1_004_999)) == .wait)
        #expect(selector.expired(at: Instant(millis: 1_005_000)) == .settle(best))
        #expect(
            selector.offer(fix(80, ageMillis: 0, at: 1_006_000), at: Instant(millis: 1_006_000)) == .settle(best))
        #expect(self.selector(10).expired(at: Instant(millis: 1_020_000)) == .settle(nil))
    }

    private func answers(_ bench: EngineBench) -> [OneShotResult] {
        bench.others.compactMap { if case .oneShotAnswered(_, let result) = $0.action { result } else { nil } }
    }

    @Test("Two requests at once: one fix and one busy (E-233)")
    func concurrent() {
        var bench = EngineBench()
        bench.send(.oneShotRequested(OneShotRequest(id: 1)), second: 0)
        bench.send(.oneShotRequested(OneShotRequest(id: 2)), second: 0)
        #expect(answers(bench) == [.busy])
        bench.send(.fixDetermined(bench.fix(1, east: 0)), second: 1)
        #expect(answers(bench).count == 2)
        guard case .fix = answers(bench).last else { return #expect(Bool(false), "\(answers(bench))") }
    }

    @Test("The deadline is fixed by the request and fires though no fix comes (E-236)")
    func deadline() {
        var bench = EngineBench()
        bench.send(.oneShotRequested(OneShotRequest(id: 1)), second: 100)
        #expect(bench.wakes.last == Instant(millis: 130_000))
        bench.send(.timerFired, second: 129)
        #expect(answers(bench).isEmpty)
        bench.send(.timerFired, second: 130)
        #expect(answers(bench) == [.timeout])
    }

    @Test(
        "After three timeouts the fourth call fails at once; the receiver speaking, its reset or a session closes that (E-234)",
        arguments: [
            CaptureEvent.receiverChanged(.noFix), .receiverReset, .sessionOpened(resumed: nil, isSameBoot: true),
        ])
    func circuit(closing: CaptureEvent) {
        var bench = EngineBench()
        for round in 0..<3 {
            bench.send(.oneShotRequested(OneShotRequest(id: 1, timeoutMillis: 1_000)), second: round * 10)
            bench.send(.timerFired, second: round * 10 + 1)
        }
        bench.send(.oneShotRequested(OneShotRequest(id: 4)), second: 40)
        #expect(answers(bench) == [.timeout, .timeout, .timeout, .circuitOpen])
        bench.send(closing, second: 41)
        bench.send(.oneShotRequested(OneShotRequest(id: 5)), second: 42)
        bench.send(.fixDetermined(bench.fix(43, east: 0)), second: 43)
        #expect(answers(bench).count == 5)
        guard case .fix = answers(bench).last else { return #expect(Bool(false), "\(answers(bench))") }
    }

    @Test("Valid fixes close the circuit too, though the receiver's state did not change")
    func validFix() {
        var bench = EngineBench()
        for round in 0..<3 {
            bench.send(.oneShotRequested(OneShotRequest(id: 1, timeoutMillis: 1_000)), second: round * 10)
            bench.send(.fixDetermined(bench.fix(round * 10, east: 0, timed: false)), second: round * 10)
            bench.send(.timerFired, second: round * 10 + 1)
        }
        bench.send(.fixDetermined(bench.fix(40, east: 0)), second: 40)
        bench.send(.oneShotRequested(OneShotRequest(id: 4)), second: 41)
        #expect(answers(bench).count == 4 && !answers(bench).contains(.circuitOpen))
    }

    @Test("A success forgets the failures before it")
    func success() {
        var bench = EngineBench()
        for round in 0..<6 {
            bench.send(.oneShotRequested(OneShotRequest(id: 1, timeoutMillis: 1_000)), second: round * 10)
            if round == 2 { bench.send(.fixDetermined(bench.fix(20, east: 0)), second: 20) }
            bench.send(.timerFired, second: round * 10 + 1)
        }
        #expect(!answers(bench).contains(.circuitOpen))
    }

    @Test("It feeds the track when a session is open and it may, and never twice")
    func feeding() {
        var fed = EngineBench()
        fed.park(0..<61, at: 0, seed: 2)
        let judged = fed.commits.count
        fed.send(.oneShotRequested(OneShotRequest(id: 1)), second: 90)
        fed.send(.fixDetermined(fed.fix(91, east: 0)), second: 91)
        #expect(fed.commits.count == judged + 1)
        var unfed = EngineBench()
        unfed.park(0..<61, at: 0, seed: 2)
        unfed.send(.oneShotRequested(OneShotRequest(id: 1, feedsTrack: false)), second: 90)
        unfed.send(.fixDetermined(unfed.fix(91, east: 0)), second: 91)
        #expect(unfed.commits.count == judged)
        #expect(answers(unfed).count == 1)
    }

    @Test("A simulated fix under `reject` ends the request with a decision row; without a session it works as well")
    func refused() {
        var config = CaptureConfig()
        config.mockPolicy = .reject
        var bench = EngineBench(config)
        bench.send(.oneShotRequested(OneShotRequest(id: 1)), second: 0)
        var mock = bench.fix(1, east: 0)
        mock.isMock = true
        bench.send(.fixDetermined(mock), second: 1)
        #expect(answers(bench) == [.refused(.mockLocation)])
        #expect(bench.reasons == [.mockLocation])
        bench.send(.sessionClosed, second: 2)
        bench.send(.oneShotRequested(OneShotRequest(id: 2)), second: 3)
        bench.send(.fixDetermined(bench.fix(4, east: 0)), second: 4)
        #expect(answers(bench).count == 2 && bench.points.isEmpty)
    }
}
