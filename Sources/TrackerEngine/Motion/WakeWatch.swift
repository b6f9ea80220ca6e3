import TrackerModel

/// A resting tracker that was shaken is awake for a minute: it looks more often, but moves only on proof (spec
/// capture §11): an accepted moving fix, twenty steps, or a second shaking.
struct WakeWatch {
    /// Shaking this long is a trigger (spec capture §13.4).
    private static let confirmMillis: Int64 = 3_000
    private static let wakeMillis: Int64 = 60_000
    private static let provingSteps = 20

    /// Awake until then.
    private(set) var until: Instant?
    /// Start of the shaking that was answered, so that one shaking is one trigger.
    private var answered: Instant?
    private var stepsAtStart: StepReading?

    /// True when a shaking has lasted long enough to be a trigger, once for each.
    mutating func isTriggered(by reading: StillnessReading) -> Bool {
        guard let since = reading.shakenSince else {
            answered = nil
            return false
        }
        guard answered == nil, reading.instant.millis(since: since) >= Self.confirmMillis else { return false }
        answered = since
        return true
    }

    /// Wakes; returns whether it was awake already.
    mutating func wake(_ now: Instant) -> Bool {
        defer {
            if until == nil { stepsAtStart = nil }
            until = now.advanced(byMillis: Self.wakeMillis)
        }
        return until != nil
    }

    mutating func timerFired(_ now: Instant) {
        if let until, until <= now { sleep() }
    }

    mutating func sleep() {
        until = nil
        stepsAtStart = nil
    }

    /// True when enough steps were made since it woke.
    mutating func hasWalked(_ reading: StepReading) -> Bool {
        guard until != nil else { return false }
        guard let start = stepsAtStart, start.since == reading.since else {
            stepsAtStart = reading
            return reading.total >= Self.provingSteps && reading.instant.millis(since: reading.since) <= Self.wakeMillis
        }
        return reading.total - start.total >= Self.provingSteps
    }
}
