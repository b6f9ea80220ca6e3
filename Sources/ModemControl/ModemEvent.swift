public import TrackerModel

/// What happens to the modem.
public enum ModemEvent: Equatable, Sendable {
    /// Somebody wants the link, or nobody does any more.
    case wanted(Bool)
    /// To `ModemAction.openPort`.
    case portOpened
    /// To `ModemAction.openPort`, or later: it cannot be opened, or it went away.
    case portLost
    case received([UInt8])
    /// What the program that owns it says of it; `nil`: it has none.
    case told(ManagedModem?)
    /// The default route over the modem came or went.
    case routeChanged(isUp: Bool)
    /// An upload got an answer of the endpoint, or none at all.
    case exchanged(isAnswered: Bool)
    case timerFired
}

/// What is to be done, in order.
public enum ModemAction: Equatable, Sendable {
    case powerOn
    case powerOff
    /// Off, and on again as soon as the hardware allows.
    case powerCycle
    /// Answered by `portOpened` or `portLost`.
    case openPort
    case closePort
    case write([UInt8])
    /// Ask the program that owns it to.
    case reconnect
    case reset
    /// `report` is not what it was.
    case changed
    /// What was done about a lost link, for the log: `reconnect`, `reset`, `power cycle`.
    case escalated(ModemRemedy)
    /// Call `timerFired` then; replaces an earlier one.
    case wake(at: Instant)
}

/// What can be done about a lost link, mildest first.
public enum ModemRemedy: String, Equatable, Sendable {
    case reconnect
    case reset
    case powerCycle = "power cycle"
}
