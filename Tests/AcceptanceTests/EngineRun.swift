import DeviceSimulator
import TrackerEngine
import TrackerGeo
import TrackerModel

/// A simulated track through the capture engine, with timers kept, and all that came of it.
struct EngineRun {
    private(set) var judgements: [Judgement] = []
    private(set) var transitions: [(at: Double, state: MotionState)] = []
    private(set) var cadences: [(at: Double, cadence: Cadence)] = []
    private var engine: CaptureEngine
    private var wake: Instant?
    private var actions: [CaptureAction] = []

    /// - Parameters:
    ///   - withAccelerometer: a reading each second, as the scenario has it.
    ///   - copies: how often each fix is delivered.
    init(_ track: SimulatedTrack, _ config: CaptureConfig, withAccelerometer: Bool = false, copies: Int = 1) {
        engine = CaptureEngine(config)
        engine.handle(.sessionOpened(resumed: nil, isSameBoot: true), at: .zero, into: &actions)
        var second = 0.0
        for fix in track {
            while withAccelerometer, second <= fix.instant.seconds(since: .zero) {
                let reading = track.scenario.stillness(at: second)
                send(.stillnessRead(reading), at: reading.instant)
                second += 1
            }
            for _ in 0..<copies { send(.fixDetermined(fix), at: fix.instant) }
        }
    }

    private mutating func send(_ event: CaptureEvent, at now: Instant) {
        while let due = wake, due <= now {
            wake = nil
            handle(.timerFired, at: due)
        }
        handle(event, at: now)
    }

    private mutating func handle(_ event: CaptureEvent, at now: Instant) {
        actions.removeAll(keepingCapacity: true)
        engine.handle(event, at: now, into: &actions)
        for action in actions {
            switch action {
            case .commit(let judgement, _): judgements.append(judgement)
            case .motionChanged(let state): transitions.append((now.seconds(since: .zero), state))
            case .cadenceChanged(let cadence): cadences.append((now.seconds(since: .zero), cadence))
            case .wake(let at): wake = at
            default: break
            }
        }
    }

    var points: [AcceptedFix] { judgements.compactMap(\.accepted) }
    var reasons: [DecisionReason] { judgements.map(\.decision.reason) }
    var decisions: [Decision] { judgements.map(\.decision) }

    func count(_ reason: DecisionReason) -> Int { judgements.count { $0.decision.reason == reason } }

    func count(stored reason: DecisionReason) -> Int {
        judgements.count { $0.decision.reason == reason && $0.accepted != nil }
    }

    /// Points stored between two times.
    func points(from: Double, until: Double) -> [AcceptedFix] {
        points.filter { $0.fix.instant.second >= from && $0.fix.instant.second < until }
    }
}

extension Instant {
    /// Seconds since boot.
    var second: Double { seconds(since: .zero) }
}

extension CaptureConfig {
    /// Every fix is judged, whatever its spacing: what the published figures were measured with.
    static func everyFix(_ ruleSet: RuleSet = .device) -> CaptureConfig {
        var config = CaptureConfig()
        config.intervalMillis = 1
        config.vehicularIntervalMillis = 1
        config.adaptiveCadence = false
        config.turnBurst = false
        config.pipeline.ruleSet = ruleSet
        return config
    }
}
