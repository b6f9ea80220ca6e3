import CAllocationCount
import DeviceSimulator
import TrackerEngine
import TrackerModel
import WireText

/// The capture engine alone: days of one fix and one stillness reading a second, made before the clock runs.
///
/// `engine` judges at the default tiers; `pipeline` judges every fix, so that what it costs more is the pipeline's share
/// (which cannot be reached from outside the engine).
struct EngineBench {
    private static let dayMillis: Int64 = 86_400_000
    /// After this the engine's rings are full: what is allocated later is not paid once.
    private static let warmUp = 7_200

    private let fixes: [TrackFix]
    private let readings: [StillnessReading]
    private var engine: CaptureEngine
    private var actions: [CaptureAction] = []
    private var decisions: [Decision] = []
    private var points = 0

    init(everyFix: Bool) {
        var config = CaptureConfig()
        if everyFix {
            config.intervalMillis = 1
            config.vehicularIntervalMillis = 1
            config.turnBurst = false
        }
        let day = TrackScenario.day
        fixes = Array(SimulatedTrack(day, everyMillis: 1_000, seed: 1).prefix(Int(Self.dayMillis / 1_000)))
        readings = fixes.map { day.stillness(at: $0.instant.seconds(since: .zero)) }
        engine = CaptureEngine(config)
        actions.reserveCapacity(64)
        decisions.reserveCapacity(fixes.count + 64)
        engine.handle(.sessionOpened(resumed: nil, isSameBoot: true), at: .zero, into: &actions)
    }

    /// - Parameter days: the day again and again, each 24 h after the one before it.
    mutating func run(days: Int) -> JSONObject {
        let start = Usage.cpuNanos
        var allocated = allocation_count()
        for day in 0..<days {
            decisions.removeAll(keepingCapacity: true)
            for index in fixes.indices {
                if day == 0, index == Self.warmUp { allocated = allocation_count() }
                step(index, shiftMillis: Int64(day) * Self.dayMillis)
            }
        }
        let nanos = Usage.cpuNanos - start
        let late = allocation_count() - allocated
        return [
            "fixes": .int(Int64(fixes.count * days)), "cpuNanos": .int(nanos),
            "decisions": .int(Int64(decisions.count)), "points": .int(Int64(points)),
            "allocations": .int(Int64(late)), "countsAllocations": .bool(DecodeBench.countsAllocations()),
            "peakRSSKiB": .int(Usage.peakRSSKiB),
        ]
    }

    private mutating func step(_ index: Int, shiftMillis: Int64) {
        var reading = readings[index]
        reading.instant = reading.instant.advanced(byMillis: shiftMillis)
        reading.stillSince = reading.stillSince?.advanced(byMillis: shiftMillis)
        reading.shakenSince = reading.shakenSince?.advanced(byMillis: shiftMillis)
        var fix = fixes[index]
        fix.instant = fix.instant.advanced(byMillis: shiftMillis)
        fix.receivedAt = fix.instant
        fix.time = fix.time?.advanced(byMillis: shiftMillis)
        handle(.stillnessRead(reading), at: reading.instant)
        handle(.fixDetermined(fix), at: fix.instant)
        handle(.timerFired, at: fix.instant)
    }

    private mutating func handle(_ event: CaptureEvent, at now: Instant) {
        actions.removeAll(keepingCapacity: true)
        engine.handle(event, at: now, into: &actions)
        for action in actions {
            guard case .commit(let judgement, _) = action else { continue }
            decisions.append(judgement.decision)
            if judgement.accepted != nil { points += 1 }
        }
    }
}
