import TestKit
import Testing
import TrackerGeo
import TrackerModel

@testable import TrackerEngine

/// Drives an engine second by second and keeps what it did.
struct EngineBench {
    var engine: CaptureEngine
    var commits: [Judgement] = []
    var transitions: [(second: Int, state: MotionState)] = []
    var wakes: [Instant] = []
    /// The other actions, with their second.
    var others: [(second: Int, action: CaptureAction)] = []
    var state: CaptureState?
    private let frame = LocalFrame(origin: Coordinate(latitude: 47, longitude: 8))

    init(_ config: CaptureConfig = CaptureConfig(), resuming saved: CaptureState? = nil, isSameBoot: Bool = true) {
        engine = CaptureEngine(config)
        send(.sessionOpened(resumed: saved, isSameBoot: isSameBoot), second: 0)
    }

    var points: [AcceptedFix] { commits.compactMap(\.accepted) }
    var reasons: [DecisionReason] { commits.map(\.decision.reason) }

    mutating func send(_ event: CaptureEvent, second: Int) {
        var actions: [CaptureAction] = []
        engine.handle(event, at: Instant(millis: Int64(second) * 1_000), into: &actions)
        for action in actions {
            switch action {
            case .commit(let judgement, let state):
                commits.append(judgement)
                self.state = state
            case .motionChanged(let state): transitions.append((second, state))
            case .wake(let at): wakes.append(at)
            default: others.append((second, action))
            }
        }
    }

    func fix(
        _ second: Int, east: Double, north: Double = 0, accuracy: Double = 5, speed: Double? = 0, timed: Bool = true
    ) -> TrackFix {
        let instant = Instant(millis: Int64(second) * 1_000)
        return TrackFix(
            time: timed ? UTCTime(millis: 1_777_900_000_000 + Int64(second) * 1_000) : nil, instant: instant,
            receivedAt: instant, coordinate: frame.position(east: east, north: north), accuracyM: accuracy,
            speedMps: speed, courseDeg: (speed ?? 0) > 1 ? 90 : nil)
    }

    /// Parked noise: 4 m per axis, speed below the still limit.
    mutating func park(_ seconds: Range<Int>, at east: Double, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for second in seconds {
            let e = Double.random(in: -7...7, using: &random)
            let n = Double.random(in: -7...7, using: &random)
            send(.fixDetermined(fix(second, east: east + e, north: n, speed: 0.1)), second: second)
            send(.timerFired, second: second)
        }
    }

    mutating func drive(_ seconds: Range<Int>, from east: Double, speed: Double) {
        for second in seconds {
            let position = east + Double(second - seconds.lowerBound) * speed
            send(.fixDetermined(fix(second, east: position, speed: speed)), second: second)
        }
    }
}

@Suite("Capture engine")
struct CaptureEngineTests {
    @Test("Two parked hours are exactly one point (A-01)", arguments: 1...20)
    func parked(seed: Int) {
        var bench = EngineBench()
        bench.park(0..<7_200, at: 0, seed: UInt64(seed))
        #expect(bench.points.count == 1, "seed \(seed)")
        #expect(bench.reasons.first == .initial)
        let allowed: Set<DecisionReason> = [
            .heuristicGate, .heartbeatSkipped, .departureHeld, .driftSuppressed, .sigmaGateOutlier,
        ]
        #expect(Set(bench.reasons.dropFirst()).isSubset(of: allowed), "\(Set(bench.reasons))")
    }

    @Test("A drive is moving from its first judged fixes and stationary 300 s after its end")
    func drive() throws {
        var bench = EngineBench()
        bench.park(0..<600, at: 0, seed: 3)
        bench.drive(600..<1_200, from: 0, speed: 14)
        bench.park(1_200..<2_000, at: 8_400, seed: 4)
        #expect(bench.transitions.map(\.state) == [.moving, .stopPending, .stationary])
        let seconds = bench.transitions.map(\.second)
        #expect(seconds[0] <= 660 && (1_200...1_213).contains(seconds[1]))
        #expect((300...301).contains(seconds[2] - seconds[1]))
        let driven = Double(try #require(bench.points.last).odometerMM) / 1_000
        #expect(abs(driven - 8_400) < 100)
        #expect((45...52).contains(bench.points.count { $0.reason == .vehicular }))
    }

    @Test("Shaking wakes a resting tracker: the next fix is judged at once and the short interval holds for a minute")
    func wake() {
        var bench = EngineBench()
        bench.park(0..<300, at: 0, seed: 5)
        let judged = bench.commits.count
        let shaken = StillnessReading(
            instant: Instant(millis: 304_000), rmsG: 0.1, stillSince: nil, shakenSince: Instant(millis: 300_500))
        bench.send(.stillnessRead(shaken), second: 304)
        #expect(bench.engine.cadence == Cadence(tier: .vehicular, intervalMillis: 12_000))
        bench.send(.fixDetermined(bench.fix(305, east: 60, speed: 8)), second: 305)
        #expect(bench.commits.count == judged + 1)
        #expect(bench.transitions.map(\.state) == [.moving])
        #expect(bench.wakes.contains(Instant(millis: 364_000)))
    }

    @Test("A still accelerometer stops a moving tracker, but not against measured speed (F-38)")
    func stillLabel() {
        let still = StillnessReading(
            instant: Instant(millis: 100_000), rmsG: 0.005, stillSince: Instant(millis: 80_000), shakenSince: nil)
        var smooth = EngineBench()
        smooth.drive(0..<100, from: 0, speed: 25)
        smooth.send(.stillnessRead(still), second: 100)
        #expect(smooth.engine.motionState == .moving)
        var silent = EngineBench()
        silent.drive(0..<80, from: 0, speed: 25)
        silent.send(.stillnessRead(still), second: 100)
        #expect(silent.engine.motionState == .stopPending)
    }

    @Test("A position that wanders 300 m under a still accelerometer stores nothing (E-072)")
    func veto() {
        var bench = EngineBench()
        for second in 0..<3_600 {
            let instant = Instant(millis: Int64(second) * 1_000)
            bench.send(
                .stillnessRead(.init(instant: instant, rmsG: 0.004, stillSince: .zero, shakenSince: nil)),
                second: second)
            let wander = second > 600 ? min(300, Double(second - 600) * 0.5) : 0
            bench.send(.fixDetermined(bench.fix(second, east: wander, accuracy: 20, speed: 0.1)), second: second)
        }
        #expect(bench.points.count == 1)
    }

    @Test(
        "The boundary refuses with its reason and a decision row",
        arguments: [
            ("accuracy", DecisionReason.invalidCoordinates), ("null island", .invalidCoordinates),
            ("stale", .staleFix), ("no time", .timeUnresolved), ("mock", .mockLocation), ("nan", .invalidCoordinates),
        ])
    func boundary(what: String, reason: DecisionReason) {
        var config = CaptureConfig()
        config.mockPolicy = .reject
        var bench = EngineBench(config)
        var fix = bench.fix(100, east: 0)
        switch what {
        case "accuracy": fix.accuracyM = .nan
        case "null island": fix.coordinate = Coordinate(latitude: 0, longitude: 0)
        case "stale": fix.instant = Instant(millis: 39_999)
        case "no time": fix.time = nil
        case "mock": fix.isMock = true
        default: fix.coordinate.latitude = .nan
        }
        bench.send(.fixDetermined(fix), second: 100)
        #expect(bench.reasons == [reason])
        #expect(bench.points.isEmpty)
    }

    @Test("A fix of exactly 60 s passes, poles and the date line pass, beyond them not (E-034, E-043)")
    func boundaryEdges() {
        var bench = EngineBench()
        var fix = bench.fix(100, east: 0)
        fix.instant = Instant(millis: 40_000)
        bench.send(.fixDetermined(fix), second: 100)
        #expect(bench.reasons == [.initial])
        #expect(Coordinate(latitude: 90, longitude: -180).isValid)
        #expect(!Coordinate(latitude: 90.000001, longitude: 0).isValid)
        #expect(!Coordinate(latitude: 0, longitude: -180.000001).isValid)
    }

    @Test("A cold start waits for 25 m, and takes the best of 30 s when none comes (E-026)")
    func coldStart() {
        var bench = EngineBench()
        for (second, accuracy) in [(0, 500.0), (5, 65), (10, 50), (20, 30), (30, 40)] {
            bench.send(.fixDetermined(bench.fix(second, east: 0, accuracy: accuracy)), second: second)
        }
        #expect(bench.reasons == [.initHeld, .initHeld, .initHeld, .initHeld, .initial])
        #expect(bench.points.first?.fix.accuracyM == 30)
    }

    @Test("A restart in the same boot continues: no second Init, the odometer carried")
    func restart() throws {
        var first = EngineBench()
        first.drive(0..<120, from: 0, speed: 14)
        let saved = try #require(first.state)
        var second = EngineBench(resuming: saved)
        #expect(second.engine.wasSeenMoving)
        second.drive(125..<200, from: 125 * 14, speed: 14)
        #expect(!second.reasons.contains(.initial))
        #expect(second.engine.motionState == .moving)
        #expect(try #require(second.points.last).odometerMM > saved.odometerMM)
    }

    @Test("After a reboot the first fix is judged against the stored point by UTC (E-127, E-128)")
    func reboot() throws {
        var first = EngineBench()
        first.drive(0..<120, from: 0, speed: 14)
        let saved = try #require(first.state)
        var second = EngineBench(resuming: saved, isSameBoot: false)
        var fix = second.fix(5, east: 2_000, speed: 14)
        fix.time = UTCTime(millis: 1_777_900_000_000 + 180_000)
        second.send(.fixDetermined(fix), second: 5)
        #expect(second.reasons == [.vehicular])
    }
}
