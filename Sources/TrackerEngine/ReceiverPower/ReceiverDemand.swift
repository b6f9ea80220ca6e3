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
    /// Somebody waits for a position.
    public var hasOneShot = false
    /// An external supply is known to be there: nothing is saved by resting (spec capture §12.1).
    public var isSupplied = false
    public var fences = Fences.none
    /// Milliseconds between judged fixes, as the cadence is.
    public var intervalMillis: Int64 = 60_000

    public init() {}
}

/// How deep a receiver rests. What is not wired cannot be done: without a supply line all three are its own sleep.
public enum ReceiverRest: String, Sendable {
    /// Back within a second, everything known.
    case standby
    /// Only the backup domain runs.
    case backup
    case off

    /// Spec power §2, column "receiver while still".
    init(_ tier: PowerTier) {
        switch tier {
        case .normal: self = .standby
        case .saver, .critical: self = .backup
        case .survival, .shutdown: self = .off
        }
    }
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
