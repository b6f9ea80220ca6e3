public import TrackerModel

/// What the fence machine is told.
public enum FenceEvent: Equatable, Sendable {
    /// Once, at the start: the fences that were armed before, each with its newest crossing.
    case restored([ArmedFence])
    /// A fence was armed, or replaced by one of the same id.
    case armed(ArmedFence)
    case removed(id: String)
    /// All of the operator's fences.
    case allRemoved
    /// Every fix of the receiver, whatever the pipeline makes of it.
    case fixDetermined(TrackFix)
    /// Look at the dwells: at the start, when the timer fires, and now and then. `trusted` is the UTC of now; `nil` while
    /// nothing vouches for the clock.
    case dwellsDue(trusted: UTCTime?)
    /// A stop began: watch the circle around it.
    case stationaryArmed(Coordinate, radiusM: Double)
    case stationaryDisarmed
}

/// What the fence machine wants done, in this order.
public enum FenceAction: Equatable, Sendable {
    /// Store, then tell.
    case cross(FenceCrossing)
    /// A fix is wanted soon, to decide by.
    case requestFix
    /// The circle around the stop was left.
    case leaveStationary
    /// Call back with `.dwellsDue` at this time; replaces the earlier wish.
    case wake(at: Instant)
}
