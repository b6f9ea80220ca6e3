public import TrackerModel

/// What the tracker wants of its receiver at present (spec power §3, "never off", and §2).
public struct ReceiverDemand: Equatable, Sendable {
    public enum Motion: Sendable {
        case resting
        /// Shaken a moment ago: worth a look.
        case woken
        /// Moving, or about to stop.
        case moving
    }

    public enum Fences: Sendable {
        case none
        /// None of their boundaries is within 500 m.
        case far
        case near
    }

    public var motion = Motion.resting
    public var tier = PowerTier.normal
    public var hasSession = false
    /// The session has stored a point.
    public var hasPoint = false
    /// The last judged fix was a point under way: where it stands, if it stands, is not known.
    public var wasSeenMoving = false
    /// Somebody waits for a position.
    public var hasOneShot = false
    /// An external supply is known to be there: nothing is saved by resting (spec capture §12.1).
    public var isSupplied = false
    public var fences = Fences.none
    /// A line of ours switches its supply.
    public var hasSupplyLine = false
    /// Milliseconds between judged fixes, as the cadence is.
    public var intervalMillis: Int64 = 60_000

    public init() {}
}

/// What a receiver that rests still draws its supply for.
public enum ReceiverRest: String, Sendable {
    /// Its processor: it hears, and keeps all that it was told.
    case standby
    /// Its clock and its memory of the sky.
    case backup
    /// Nothing: the supply is taken away. What it knows of the sky then hangs on a supply of its own (V_BCKP).
    case off
}

/// How much a receiver still knows when it starts, by the time it was off (spec power §3).
public enum ReceiverStartClass: String, Sendable, CaseIterable {
    /// Less than two hours.
    case hot
    /// Less than four days, and a position is known.
    case warm
    case cold

    /// How long it may search, milliseconds (spec power §3).
    public var limitMillis: Int64 {
        switch self {
        case .hot: 60_000
        case .warm: 120_000
        case .cold: 300_000
        }
    }

    /// The time to a first fix before one was measured, milliseconds: u-blox M8 data sheet (UBX-13003366, §1.3), hot 1 s
    /// and cold 26 to 29 s, and a second for the line.
    var typicalMillis: Double {
        switch self {
        case .hot: 2_000
        case .warm: 28_000
        case .cold: 30_000
        }
    }
}
