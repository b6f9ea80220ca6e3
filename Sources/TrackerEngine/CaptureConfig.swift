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
    public var saveBelowPercent = 30
    public var criticalBelowPercent = 15
    public var survivalBelowPercent = 5
    /// 0 = never.
    public var shutdownPercent = 3

    public init() {}
}
