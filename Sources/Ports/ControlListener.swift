public import TrackerModel

/// Who is at the other end of the control socket, by peer credentials.
public struct ControlPeer: Equatable, Sendable {
    public var userID: UInt32
    public init(userID: UInt32) { self.userID = userID }
}

/// One client that may be sent lines later than at once, until it goes away.
public protocol ControlSubscriber: AnyObject {
    /// False once the client is gone: forget it then.
    var isOpen: Bool { get }
    /// Queues one line without its terminator. A client that does not read keeps the newest 256 and is told how many it
    /// lost; it never holds up the loop.
    func push(_ line: [UInt8])
    /// Queues the reply to a request that was answered with `nil`, without its terminator. Replies are never dropped.
    func reply(_ line: [UInt8])
}

/// One line from a client.
public struct ControlRequest {
    public var peer: ControlPeer
    /// Without its terminator.
    public var line: [UInt8]
    /// The client, for operations that turn the connection into a stream.
    public var subscriber: any ControlSubscriber

    public init(peer: ControlPeer, line: [UInt8], subscriber: any ControlSubscriber) {
        self.peer = peer
        self.line = line
        self.subscriber = subscriber
    }
}

/// What the listener says by itself, in the protocol's words.
public struct ControlTexts {
    /// To a line over 1 MiB, before the connection closes.
    public var oversized: [UInt8]
    /// To a subscriber that lost so many lines.
    public var dropped: (Int) -> [UInt8]

    public init(oversized: [UInt8], dropped: @escaping (Int) -> [UInt8]) {
        self.oversized = oversized
        self.dropped = dropped
    }
}

/// The control socket: one JSON object a line, one reply a line (spec api §1).
public protocol ControlListener: AnyObject {
    /// The handler returns the reply to a line, without its terminator; `nil`: the subscriber's `reply` takes it later.
    func listen(_ texts: ControlTexts, _ handler: @escaping (ControlRequest) -> [UInt8]?) throws(ControlFailure)
    func close()
}

public struct ControlFailure: ExplainedFailure, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// A live daemon answers on this socket.
        case inUse
        case cannotBind
        /// Client side: nobody has the socket.
        case unreachable
        /// Client side: whoever has the socket does not answer in time.
        case overdue
        case io
    }
    public var code: Code
    public var cause: String
    public var remedy: String

    public init(code: Code, cause: String, remedy: String) {
        self.code = code
        self.cause = cause
        self.remedy = remedy
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
