import DeviceSimulator
import TestKit
import Testing
import TrackerModel

@testable import TrackerEngine

/// What holds for whatever the engine is told.
@Suite("Properties of the capture engine")
struct EnginePropertyTests {
    private static let configs: [CaptureConfig] = {
        var short = CaptureConfig()
        short.intervalMillis = 1_000
        short.vehicularIntervalMillis = 1_000
        var geometry = CaptureConfig()
        geometry.rule = .geometry
        var reference = CaptureConfig()
        reference.pipeline.ruleSet = .reference
        var recorded = CaptureConfig()
        recorded.knowsBoots = false
        return [CaptureConfig(), short, geometry, reference, recorded]
    }()

    @Test("The same input gives the same actions, whatever it is (A-12)", arguments: 1...20 as ClosedRange<UInt64>)
    func repeatable(seed: UInt64) {
        let config = Self.configs[Int(seed) % Self.configs.count]
        func actions() -> [CaptureAction] {
            var events = WildEvents(seed: seed, isWild: false)
            var engine = CaptureEngine(config)
            var actions: [CaptureAction] = []
            for _ in 0..<1_500 {
                let (event, now) = events.next()
                engine.handle(event, at: now, into: &actions)
            }
            return actions
        }
        let first = actions()
        #expect(first == actions(), "seed \(seed)")
        #expect(first.count > 100, "seed \(seed)")
    }

    @Test(
        "Timers that fire at any other time between change no decision", arguments: 1...10 as ClosedRange<UInt64>)
    func splitTime(seed: UInt64) {
        for noise in [TrackNoise(), TrackNoise().withoutDoppler()] {
            let track = SimulatedTrack(.mixed, noise, everyMillis: 1_000, seed: seed)
            let config = Self.configs[Int(seed) % 4]
            #expect(
                judged(track, config, splitBy: nil) == judged(track, config, splitBy: seed),
                "seed \(seed), speed \(noise.dopplerMps != nil)")
        }
    }

    /// Decisions on a track; `splitBy`: with so seeded needless calls of the timer between the fixes.
    private func judged(_ track: SimulatedTrack, _ config: CaptureConfig, splitBy seed: UInt64?) -> [Judgement] {
        var random = SeededRandom(seed: seed ?? 0)
        var engine = CaptureEngine(config)
        var actions: [CaptureAction] = []
        var wake = Instant.never
        var judgements: [Judgement] = []
        func send(_ event: CaptureEvent, _ now: Instant) {
            actions.removeAll(keepingCapacity: true)
            engine.handle(event, at: now, into: &actions)
            for action in actions {
                if case .commit(let judgement, _) = action { judgements.append(judgement) }
                if case .wake(let at) = action { wake = at }
            }
        }
        func fire(until now: Instant) {
            while wake <= now {
                let due = wake
                wake = .never
                send(.timerFired, due)
            }
        }
        send(.sessionOpened(resumed: nil, isSameBoot: true), .zero)
        for fix in track {
            if seed != nil, Int.random(in: 0..<4, using: &random) == 0 {
                let between = fix.instant.advanced(byMillis: -Int64.random(in: 1...999, using: &random))
                fire(until: between)
                if between > .zero { send(.timerFired, between) }
            }
            fire(until: fix.instant)
            send(.fixDetermined(fix), fix.instant)
        }
        return judgements
    }

    /// Every decision is about a fix that came, none is told twice, and way is only ever added.
    @Test(
        "Whatever comes in whatever order, nothing traps, decisions are about fixes, and the odometer never falls",
        arguments: 1...200 as ClosedRange<UInt64>)
    func wild(seed: UInt64) {
        var events = WildEvents(seed: seed, isWild: true)
        var engine = CaptureEngine(Self.configs[Int(seed) % Self.configs.count])
        var actions: [CaptureAction] = []
        var open: [FixKey: Int] = [:]
        var saved: CaptureState?
        var odometer: Int64 = 0
        for step in 0..<400 {
            var (event, now) = events.next()
            if case .sessionOpened(_, let isSameBoot) = event {
                event = .sessionOpened(resumed: saved, isSameBoot: isSameBoot)
                odometer = saved?.odometerMM ?? 0
            }
            if let fix = event.fix { open[FixKey(fix), default: 0] += 1 }
            let wasOpen = engine.isOpen
            actions.removeAll(keepingCapacity: true)
            engine.handle(event, at: now, into: &actions)
            if event.opensSession || actions.contains(.diagnosed("Reboot Boundary")) {
                // What was judged before no longer counts: a one-shot that is under way may bring its fix again.
                for key in open.keys { open[key] = max(1, open[key] ?? 0) }
            }
            var commits = 0
            for case .commit(let judgement, let state) in actions {
                commits += 1
                saved = state
                #expect(state.odometerMM >= odometer, "seed \(seed), step \(step)")
                odometer = state.odometerMM
                check(judgement, &open, seed, step)
            }
            if case .fixOffered = event, wasOpen { #expect(commits >= 1, "seed \(seed), step \(step)") }
        }
    }

    private func check(_ judgement: Judgement, _ open: inout [FixKey: Int], _ seed: UInt64, _ step: Int) {
        let key = FixKey(judgement.decision)
        // A fix that was held for the first point may become it later.
        if judgement.decision.reason == .initHeld {
            #expect(open[key] != nil, "seed \(seed), step \(step): \(judgement.decision)")
        } else {
            #expect(open[key] ?? 0 > 0, "seed \(seed), step \(step): \(judgement.decision)")
            open[key, default: 0] -= 1
        }
        guard let accepted = judgement.accepted else { return }
        #expect(accepted.fix.coordinate.isValid && accepted.fix.accuracyM.isFinite, "seed \(seed), step \(step)")
        #expect(accepted.legMM >= 0 && accepted.effectiveSpeedMps.isFinite, "seed \(seed), step \(step)")
    }
}

/// What a decision tells of its fix.
private struct FixKey: Hashable {
    var nanos: Int64
    var millis: Int64?
    var latitudeE7: Int32?

    init(_ fix: TrackFix) {
        nanos = fix.instant.nanos
        millis = fix.time?.millis
        latitudeE7 = fix.coordinate.isValid ? fix.coordinate.latitudeE7 : nil
    }

    init(_ decision: Decision) {
        nanos = decision.instant.nanos
        millis = decision.time?.millis
        latitudeE7 = decision.latitudeE7
    }
}

extension CaptureEvent {
    fileprivate var fix: TrackFix? {
        switch self {
        case .fixDetermined(let fix), .fixOffered(let fix): fix
        default: nil
        }
    }

    fileprivate var opensSession: Bool {
        if case .sessionOpened = self { true } else { false }
    }
}
