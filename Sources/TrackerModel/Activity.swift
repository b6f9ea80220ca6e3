/// What the carrier of the device is doing, as the activity classifier names it (spec capture §13.5).
public enum Activity: String, Sendable, CaseIterable {
    case inVehicle
    case onBicycle
    case onFoot
    case walking
    case running
    case still
    case tilting
    case unknown

    /// A label that may wake the tracker or end a stop.
    public var isMovement: Bool {
        switch self {
        case .inVehicle, .onBicycle, .onFoot, .walking, .running: true
        case .still, .tilting, .unknown: false
        }
    }
}

/// A label with how sure the classifier is and since when.
public struct ActivityLabel: Equatable, Sendable {
    public var activity: Activity
    /// 33, 66 or 100.
    public var confidence: Int
    /// When the activity began.
    public var since: Instant

    public init(activity: Activity, confidence: Int, since: Instant) {
        self.activity = activity
        self.confidence = confidence
        self.since = since
    }
}

/// Steps counted without interruption since `since`.
public struct StepReading: Equatable, Sendable {
    /// When the last sample behind this reading was taken.
    public var instant: Instant
    /// Start of the unbroken count; a gap in the samples begins a new one.
    public var since: Instant
    public var total: Int

    public init(instant: Instant, since: Instant, total: Int) {
        self.instant = instant
        self.since = since
        self.total = total
    }
}
