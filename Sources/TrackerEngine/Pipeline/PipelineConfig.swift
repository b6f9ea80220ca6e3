/// Which rule set judges: the device's own, or the reference's, for fixtures that were recorded elsewhere
/// (spec capture §0).
public enum RuleSet: String, Sendable, CaseIterable {
    case device
    case reference
}

/// What moves the pipeline's thresholds (spec capture §8.5, "accuracy profiles") and nothing else does.
public struct PipelineConfig: Equatable, Sendable {
    public var ruleSet = RuleSet.device
    /// Above it a fix may not claim movement, metres.
    public var maxAccuracyM = 30.0
    /// Below it a fix may re-anchor the track after a gap, metres; never above the ceiling.
    public var recoveryTrustM = 25.0
    /// Heading change that is worth a point, degrees; 0 = off.
    public var bearingChangeDeg = 40.0
    public var heartbeatSeconds = 900.0
    public var persistHeartbeat = false
    /// Stage 5 also rejects a fix that the measured velocities before and at it rule out; the device's rules only.
    public var velocityGate = true

    public init() {}
}

/// Constants of the pipeline; every number is spec capture §8.5 unless said otherwise. Metres, seconds, m/s, degrees.
enum PipelineLimit {
    // Timing.
    static let burst = 0.5
    static let gap = 110.0
    static let recovery = 900.0
    static let hold = 120.0
    static let nlpBypassWindow = 600.0
    static let movingMinimum = 50.0
    static let stall = 45.0
    static let countSpacing = 8.0
    static let stationaryConfirm = 300.0
    // Speeds.
    static let still = 0.3
    static let walk = 0.6
    static let vehicular = 3.0
    static let groundTrust = 1.5
    static let groundDerate = 0.85
    static let virtuallyStopped = 2.0
    static let arrival = 0.5
    static let blackoutPast = 1.0
    static let blackoutRange = 0.3...3.0
    static let sanityKmh = 140.0
    /// Ours, not the specification's: see `displaced`.
    static let displacedCount = 3
    static let displacedSpan = 30.0
    /// Ours: see `contradictsVelocity`. m/s², more than road traffic brakes, starts or corners with over seconds; m/s,
    /// below which a receiver may leave out the course (§2.4); metres.
    static let hardestAcceleration = 4.0
    static let courseless = 0.8
    static let velocitySlack = 20.0
    static let highwayKmh = 45.0
    static let turnFilter = 2.5
    static let turnCapture = 1.5
    static let lift = 0.25
    // Distances.
    static let minimumMove = 10.0
    static let jitter = 15.0
    static let wobble = 40.0
    static let wobbleWithoutSpeed = 80.0
    static let wakeUp = 100.0
    static let recoveryVehicular = 200.0
    static let recoveryStill = 150.0
    static let recoveryLarge = 400.0
    static let immediate = 150.0
    static let confirm = 60.0
    static let persistenceMinimum = 40.0
    static let persistenceSure = 100.0
    static let persistenceAdvance = 5.0
    static let persistenceCount = 2
    static let settleCount = 2
    static let stepWindow = 10.0...80.0
    static let stepCount = 20
    static let legSpeed = 45.0
    static let legSlack = 200.0
    // Accuracy.
    static let highAccuracy = 40.0
    static let mediumAccuracy = 70.0
    static let vehicularAccuracy = 85.0
    static let slowVehicularAccuracy = 50.0
    static let largeRecoveryAccuracy = 80.0
    static let networkAccuracy = 25.0
    static let badAccuracy = 30.0
    static let splitAccuracy = 35.0
    static let resumeAccuracy = 25.0
    static let turnAccuracy = 50.0
    // Turning.
    static let turningDeg = 25.0
    static let turningQ = 2.0
    /// χ² with 2 degrees of freedom (§3).
    static let innovation99 = 9.21
}
