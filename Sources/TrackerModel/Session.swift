/// One period of capture. At most one is open; a crash leaves it open on purpose so that the next start
/// continues it (spec api §3).
public struct Session: Equatable, Sendable {
    /// Random UUID.
    public var id: String
    public var startedAt: UTCTime
    /// `nil` while open.
    public var endedAt: UTCTime?

    public init(id: String, startedAt: UTCTime, endedAt: UTCTime? = nil) {
        self.id = id
        self.startedAt = startedAt
        self.endedAt = endedAt
    }
}

/// Why a session was found open at the start (spec api §3).
public enum InterruptionCause: String, Sendable {
    /// The daemon ended without saying so; the board went on.
    case crash
    /// The service was stopped and started.
    case restart
    /// The same, with another version of the program.
    case update
    /// The board was restarted in order.
    case reboot
    /// The board lost its power.
    case powerCut
}
