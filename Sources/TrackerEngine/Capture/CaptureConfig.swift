/// The part of the configuration that the capture plane reads. Ranges are checked by the configuration table; defaults
/// are those of spec api §11.
public struct CaptureConfig: Equatable, Sendable {
    public enum MockPolicy: String, Sendable, CaseIterable {
        /// Store and mark.
        case flag
        case reject
        /// Store unmarked.
        case allow
    }

    /// What makes a moving tracker judge a fix.
    public enum Rule: String, Sendable, CaseIterable {
        /// The tier's interval has passed.
        case interval
        /// The drawn line needs it, or `intervalMillis` has passed.
        case geometry
    }

    public var rule = Rule.interval
    /// Of `geometry`: how far the line may be off, metres.
    public var geometryToleranceM = 10.0
    public var intervalMillis: Int64 = 60_000
    public var vehicularIntervalMillis: Int64 = 12_000
    public var adaptiveCadence = true
    public var turnBurst = true
    public var turnBurstIntervalMillis: Int64 = 4_000
    public var pipeline = PipelineConfig()
    public var deliveryStalenessMillis: Int64 = 60_000
    public var mockPolicy: MockPolicy = .flag
    public var stopTimeoutMillis: Int64 = 300_000
    public var stationaryRadiusM: Double = 150
    public var motionTriggerDelayMillis: Int64 = 0
    public var disableStopDetection = false
    /// End the session when it comes to rest.
    public var stopOnStationary = false
    /// Activity labels count at all; from this confidence on; and `still` from this one on (spec capture §11).
    public var usesActivity = true
    public var activityConfidenceMin = 66
    public var stillConfidenceMin = 100
    /// Steps and the accelerometer's stillness may contradict the receiver (spec capture §8.2, stages 2a and 2b).
    public var usesSteps = true
    public var usesAccelerometerVeto = true
    public var navigationMode = false
    public var navigationIntervalMillis: Int64 = 1_000
    public var oneShotTimeoutMillis: Int64 = 30_000
    /// Without a fix for this long, moving or not, the receiver is taken for dead (spec capture §12.5).
    public var deadMovingMillis: Int64 = 1_800_000
    public var deadStationaryMillis: Int64 = 3_600_000
    public var watchdogThrottleMillis: Int64 = 900_000
    /// Reboots are told by boot ids; false for foreign recordings, where steps of the clock must do.
    public var knowsBoots = true

    public init() {}
}
