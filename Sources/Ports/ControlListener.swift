/// Who is at the other end of the control socket, by peer credentials.
public struct ControlPeer: Equatable, Sendable {
    public var userID: UInt32
    public init(userID: UInt32) { self.userID = userID }
}

/// The control socket: one JSON object a line, one reply a line (spec api §1). Lines over 1 MiB close the connection
/// after an `invalidRequest` reply, which the listener's owner supplies as `oversizedReply`.
public protocol ControlListener: AnyObject {
    /// The handler gets a line without its terminator and returns the reply without one.
    func listen(oversizedReply: [UInt8], _ handler: @escaping (ControlPeer, [UInt8]) -> [UInt8]) throws(ControlFailure)
    func close()
}

public struct ControlFailure: Error, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// A live daemon answers on this socket.
        case inUse
        case cannotBind
        /// Client side: nobody answers.
        case unreachable
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
