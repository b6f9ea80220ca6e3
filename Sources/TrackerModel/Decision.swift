/// What became of a fix: stored, folded into the state without being stored, or dropped.
public enum Verdict: String, Sendable {
    case accept = "ACCEPT"
    case skip = "SKIP"
    case reject = "REJECT"
}

/// Why. The raw value is the stable wire string (spec capture §9).
public enum DecisionReason: String, Sendable, CaseIterable {
    case initial = "Init"
    case burst = "Burst"
    case nlpFallback = "NLP Fallback"
    case impossibleSpeed = "Impossible Speed"
    case poorAccuracy = "Poor Accuracy"
    case recoveryConfirmed = "Recovery Confirmed"
    case recoveryReset = "Recovery Reset"
    case recoveryHeld = "Recovery Held"
    case sigmaGateOutlier = "Sigma Gate Outlier"
    case sigmaForcedReset = "Sigma Forced Reset"
    case sigmaJunkFail = "Sigma Junk Fail"
    case vehicular = "Vehicular"
    case movingWalking = "Moving/Walking"
    case bearingChange = "Bearing Change"
    case arrival = "Arrival"
    case stationaryRecovery = "Stationary Recovery"
    case blackoutArrival = "Blackout Arrival"
    case walkArrival = "Walk Arrival"
    case heartbeat = "15-Min Heartbeat"
    case heuristicGate = "Heuristic Gate"
    case originSet = "Origin Set"
    case departureHeld = "Departure Held"
    case driftSuppressed = "Drift Suppressed"
    case heartbeatSkipped = "HeartBeat Skipped"
    case initHeld = "Init Held"
    case invalidCoordinates = "Invalid Coordinates"
    case mockLocation = "Mock Location"
    case staleFix = "Stale Fix"
    case timeUnresolved = "Time Unresolved"
    case outOfOrder = "Out Of Order"
    case sessionClosed = "Session Closed"
}

/// One judged fix, as the decision log keeps it: every fix that reached the engine has exactly one.
public struct Decision: Equatable, Sendable {
    public var time: UTCTime?
    public var instant: Instant
    /// 1e-7 degree; `nil` when the position itself was invalid.
    public var latitudeE7: Int32?
    public var longitudeE7: Int32?
    /// Millimetres; `nil` when unknown.
    public var accuracyMM: Int64?
    public var verdict: Verdict
    public var reason: DecisionReason
    /// Distance to the last stored point, millimetres.
    public var distanceMM: Int64?
    /// Effective speed, mm/s.
    public var speedMMps: Int64?
    public var motion: MotionState
    public var evidence = DecisionEvidence()

    public init(
        time: UTCTime?, instant: Instant, latitudeE7: Int32?, longitudeE7: Int32?, accuracyMM: Int64?, verdict: Verdict,
        reason: DecisionReason, distanceMM: Int64?, speedMMps: Int64?, motion: MotionState
    ) {
        self.time = time
        self.instant = instant
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7
        self.accuracyMM = accuracyMM
        self.verdict = verdict
        self.reason = reason
        self.distanceMM = distanceMM
        self.speedMMps = speedMMps
        self.motion = motion
    }
}

/// The four states of the motion machine (spec capture §11).
public enum MotionState: String, Sendable {
    case stopped
    case moving
    case stopPending
    case stationary
}
