public import TrackerModel

/// What the receiver's power machine is told.
public enum ReceiverPowerEvent: Equatable, Sendable {
    /// The tracker starts: nobody knows how long the receiver was off, or whether it is.
    case started
    /// The battery does not allow it: it sleeps, and nothing is wanted of it before `.started`. `isCut`: its supply was
    /// taken away.
    case held(isCut: Bool)
    case demandChanged(ReceiverDemand)
    case stillnessRead(StillnessReading)
    /// The accelerometer is off or faulty.
    case stillnessLost
    /// The first valid frame after a start.
    case spoke
    /// A valid fix. `isUsable`: accurate enough to be judged after a silence; others must do when there is no better one.
    case fixDetermined(isUsable: Bool)
    /// Satellites whose signal the receiver follows, and those whose ephemeris it has, as far as it says so.
    case skyRead(tracked: Int, withEphemeris: Int)
    /// One fix soon, to decide something by.
    case fixWanted
    /// Start it now, whatever failed before.
    case startOrdered
    /// It was told to rest and goes on talking.
    case restRefused
    /// It rested, and began to talk: it must be sent back, with what is planned now.
    case wokeByItself
    case timerFired
}

/// What the machine wants done, in this order.
public enum ReceiverPowerAction: Equatable, Sendable {
    /// Wake it, set it up again, tell it what it may have forgotten.
    case start(ReceiverStartClass)
    /// Send it to rest, so deep. Should it not hear when it is called, it wakes by itself after `wakesAfterMillis`; `nil`:
    /// never.
    case rest(ReceiverRest, wakesAfterMillis: Int64?)
    /// A note for people; the part before `:` is a stable name.
    case diagnosed(String)
}

/// Why a receiver is on, or was started last.
public enum ReceiverPowerReason: String, Sendable {
    /// The tracker started.
    case boot
    case moving
    /// Shaken.
    case woken
    case oneShot
    /// A boundary is near, and the device may be moving.
    case fenceNear
    case externalSupply
    /// It does not rest when it is told to.
    case restRefused
    /// The regular look while still.
    case backstop
    /// The regular look while nobody can say whether it moves.
    case interval
    /// The regular look for the fences alone.
    case fenceDuty
    case fixWanted
    /// The operator's word.
    case ordered
    /// Again, after the wait that followed a search in vain.
    case retry
}
