public import TrackerModel

/// What the capture plane is told.
public enum CaptureEvent: Equatable, Sendable {
    /// A session is open; `resumed` is the engine state saved with its last fix, `isSameBoot` whether its instants count.
    case sessionOpened(resumed: CaptureState?, isSameBoot: Bool)
    case sessionClosed
    /// The clock of what follows is another one, in the same session: a recording went over a reboot.
    case rebooted
    /// A fix of the receiver; the cadence chooses among them.
    case fixDetermined(TrackFix)
    /// A fix from elsewhere: judged as any other, at once.
    case fixOffered(TrackFix)
    case oneShotRequested(OneShotRequest)
    case receiverChanged(ReceiverState)
    /// The receiver was switched off to save energy, or on.
    case receiverPowered(isOn: Bool)
    /// The receiver was started again: a one-shot is worth trying.
    case receiverReset
    case stillnessRead(StillnessReading)
    /// The accelerometer is off, faulty or was interrupted: what it said before no longer counts.
    case stillnessLost
    /// How far the sensors can be trusted has changed.
    case motionQualityChanged(MotionQuality)
    case stepsCounted(StepReading)
    case activityLabelled(ActivityLabel)
    /// Metres per second, upward or downward, from a barometer, of which no driver exists yet.
    case verticalSpeedRead(Double)
    /// The operator says whether it moves.
    case paceChanged(isMoving: Bool)
    /// The health loop's turn.
    case healthChecked
    /// What the battery, or the operator, allows.
    case powerTierChanged(PowerTier)
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
    /// Sample the accelerometer for steps, or as rarely as rest allows.
    case alertnessChanged(isAlert: Bool)
    case activityChanged(ActivityLabel)
    /// The answer to the request of this id.
    case oneShotAnswered(id: Int64, OneShotResult)
    /// The stored point of this instant, the last, has become a significant stop.
    case markSignificantStop(at: Instant)
    /// No fix for too long: start the receiver again.
    case restartReceiver(silenceMillis: Int64)
    /// A sign of life.
    case beat
    /// The session ends by itself.
    case endSession
    /// A note for people; the part before `:` is a stable name.
    case diagnosed(String)
    /// Call back with `.timerFired` at this time; replaces the earlier wish.
    case wake(at: Instant)
}

/// A judged fix: the decision, and what to store when it was accepted.
public struct Judgement: Equatable, Sendable {
    public var decision: Decision
    /// The fix that was due or refused, as it came; but a velocity that cannot be is no longer in one that was judged.
    public var received: TrackFix
    /// The fix that the rules judged, which may be an earlier one; `nil` when it was refused before.
    public var judged: JudgedFix?
    public var accepted: AcceptedFix?
}

/// What the rules looked at.
public struct JudgedFix: Equatable, Sendable {
    public var fix: TrackFix
    public var movement: MovementStatus
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
    /// What this point adds to it; 0 for the first.
    public var legMM: Int64
    /// Of the receiver since the previous stored point, and its cause if it is a gap.
    public var silenceMillis: Int64
    public var gapCause: GapCause?
    public var activity: ActivityLabel?
    public var isMock: Bool
}
