public import TrackerModel

/// One position, asked for by a person or a program (spec capture §4.3).
public struct OneShotRequest: Equatable, Sendable {
    /// What the answer is told by.
    public var id: Int64
    /// Good enough at or under, metres; `nil`: the recovery trust of the accuracy profile.
    public var accuracyM: Double?
    /// `nil`: as configured.
    public var timeoutMillis: Int64?
    /// The fix is judged for the track as well, when a session is open.
    public var feedsTrack: Bool

    public init(id: Int64, accuracyM: Double? = nil, timeoutMillis: Int64? = nil, feedsTrack: Bool = true) {
        self.id = id
        self.accuracyM = accuracyM
        self.timeoutMillis = timeoutMillis
        self.feedsTrack = feedsTrack
    }
}

public enum OneShotResult: Equatable, Sendable {
    case fix(TrackFix)
    /// No usable fix within the time.
    case timeout
    /// Another request is under way; requests are never queued.
    case busy
    /// Three requests in a row timed out: asking again is pointless until the receiver changes.
    case circuitOpen
    /// The receiver's fix may not be used: simulated, or too old.
    case refused(DecisionReason)
}

/// At most one request at a time, and none while the circuit is open. It only answers; `deadline` says when `timerFired`
/// must be called.
struct OneShotMachine {
    private static let failuresToOpen = 3
    /// Spec capture §4.1.
    private static let maximumAgeMillis: Int64 = 5_000

    private let timeoutMillis: Int64
    private let accuracyM: Double
    private var inFlight: (request: OneShotRequest, location: LocationRequest)?
    private var failures = 0

    init(_ config: CaptureConfig) {
        timeoutMillis = config.oneShotTimeoutMillis
        accuracyM = config.pipeline.recoveryTrustM
    }

    var deadline: Instant { inFlight?.location.selector.deadline ?? .never }

    /// Takes a request; returns the answer when there is no need to wait.
    mutating func take(_ request: OneShotRequest, _ now: Instant) -> OneShotResult? {
        if inFlight != nil { return .busy }
        if failures >= Self.failuresToOpen { return .circuitOpen }
        let selector = FixSelector(
            accuracyM: request.accuracyM ?? accuracyM, maximumAgeMillis: Self.maximumAgeMillis,
            budgetMillis: request.timeoutMillis ?? timeoutMillis, requestedAt: now)
        inFlight = (request, LocationRequest(selector))
        return nil
    }

    /// A valid fix; returns the request that it answers, and how.
    mutating func offer(_ fix: TrackFix, _ now: Instant) -> (request: OneShotRequest, result: OneShotResult)? {
        guard let answer = inFlight?.location.offer(fix, at: now) else {
            // There are valid fixes: asking is worth it again.
            failures = 0
            return nil
        }
        return finish(answer)
    }

    mutating func timerFired(_ now: Instant) -> (request: OneShotRequest, result: OneShotResult)? {
        guard let answer = inFlight?.location.selector.expired(at: now) else { return nil }
        return finish(answer)
    }

    /// The boundary refused a fix. Simulated and stale ones end the request, for the next will be no better.
    mutating func refused(_ reason: DecisionReason) -> (request: OneShotRequest, result: OneShotResult)? {
        guard reason == .mockLocation || reason == .staleFix, let request = inFlight?.request else { return nil }
        inFlight = nil
        return (request, .refused(reason))
    }

    /// The receiver speaks again, was reset, or a session began: asking is worth it again.
    mutating func closeCircuit() { failures = 0 }

    private mutating func finish(
        _ answer: FixSelector.Answer
    ) -> (request: OneShotRequest, result: OneShotResult)? {
        guard let request = inFlight?.request else { return nil }
        switch answer {
        case .wait: return nil
        case .accept(let fix), .settle(let fix?):
            failures = 0
            inFlight = nil
            return (request, .fix(fix))
        case .settle(nil):
            failures += 1
            inFlight = nil
            return (request, .timeout)
        }
    }
}
