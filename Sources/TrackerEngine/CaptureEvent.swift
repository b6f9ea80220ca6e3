public import TrackerModel

/// What the capture plane is told.
public enum CaptureEvent: Equatable, Sendable {
    /// A session is open; `resumed` is the engine state saved with its last fix, `isSameBoot` whether its instants count.
    case sessionOpened(resumed: CaptureState?, isSameBoot: Bool)
    case sessionClosed
    case fixDetermined(TrackFix)
    case stillnessRead(StillnessReading)
    /// The accelerometer is off, faulty or was interrupted: what it said before no longer counts.
    case stillnessLost
    case batteryRead(BatteryReading)
    case timerFired
    /// A valid fix, judged or not, lies beyond the circle around the stop.
    case stationaryFenceLeft
}

/// What the capture plane wants done, in this order.
public enum CaptureAction: Equatable, Sendable {
    /// Commit decision, point and `state` in one transaction; a point enters the upload queue by it.
    case commit(Judgement, state: CaptureState)
    case motionChanged(MotionState)
    case cadenceChanged(Cadence)
    case powerTierChanged(PowerTier)
    /// Call back with `.timerFired` at this time; replaces the earlier wish.
    case wake(at: Instant)
}

/// A judged fix: the decision, and what to store when it was accepted.
public struct Judgement: Equatable, Sendable {
    public var decision: Decision
    public var accepted: AcceptedFix?
}

/// An accepted fix with what the engine derived from it; the runtime adds identity, zone and battery.
public struct AcceptedFix: Equatable, Sendable {
    public var fix: TrackFix
    /// Trusted; an accepted fix always has one.
    public var time: UTCTime
    public var reason: DecisionReason
    public var movement: MovementStatus
    public var effectiveSpeedMps: Double
    public var odometerMM: Int64
    public var isMock: Bool
}
