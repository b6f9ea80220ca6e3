/// One period of capture. At most one is open; a crash leaves it open on purpose so that the next start
/// continues it (spec api §3).
public struct Session: Equatable, Sendable {
    /// Bytes of a tag at most (spec api §3).
    public static let longestTag = 256

    /// Random UUID.
    public var id: String
    public var startedAt: UTCTime
    /// `nil` while open.
    public var endedAt: UTCTime?
    /// What the operator called it; at most `longestTag` bytes.
    public var tag: String?
    /// The configuration at its start as JSON, without credentials; `nil` for sessions of versions that kept none.
    public var configSnapshot: String?

    public init(id: String, startedAt: UTCTime, endedAt: UTCTime? = nil) {
        self.id = id
        self.startedAt = startedAt
        self.endedAt = endedAt
    }
}

/// A daemon that captured in a session: the one that opened it, and each that went on with it.
public struct SessionRun: Equatable, Sendable {
    public var bootID: String
    /// UTC as well as it was known then, not before the last point of the run before.
    public var startedAt: UTCTime
    /// Why the run before ended; `nil` for the one that opened the session.
    public var interruption: InterruptionCause?

    public init(bootID: String, startedAt: UTCTime, interruption: InterruptionCause? = nil) {
        self.bootID = bootID
        self.startedAt = startedAt
        self.interruption = interruption
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
