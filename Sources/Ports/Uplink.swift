/// One request, complete. A broker's uplink sends `body` to the topic of `url` and takes name and password from the
/// headers; the rest is for HTTP.
public struct UplinkRequest: Equatable, Sendable {
    public var url: String
    /// POST, PUT or PATCH.
    public var method: String
    /// In order; names and values carry no CR or LF.
    public var headers: [Header]
    public var body: [UInt8]
    public var connectTimeoutSec: Int
    /// The whole exchange at most.
    public var totalTimeoutSec: Int
    /// Compress the body if that is worth it, and say so in the request.
    public var gzipsBody = false
    /// Tell how the connection came about: `UplinkReport.connection`.
    public var isExplained = false

    public struct Header: Equatable, Sendable {
        public var name: String
        public var value: String
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(
        url: String, method: String, headers: [Header], body: [UInt8], connectTimeoutSec: Int, totalTimeoutSec: Int
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.connectTimeoutSec = connectTimeoutSec
        self.totalTimeoutSec = totalTimeoutSec
    }
}

/// How an exchange ended.
public enum UplinkResult: Equatable, Sendable {
    /// The server answered: status, `Retry-After` and `Date` verbatim if present, the start of the body (≤ 4 096 bytes).
    /// A broker's confirmation is 200, its refusal of the credential 401 or 403.
    case answered(status: Int, retryAfter: String?, date: String?, body: [UInt8])
    /// There was no answer: offline, name, TLS, refused, timed out, cut. One sentence for the operator.
    case failed(UplinkFailure)
}

/// An exchange and what it cost.
public struct UplinkReport: Equatable, Sendable {
    public var result: UplinkResult
    /// Request lines, headers and bodies; without the cost of TLS and TCP.
    public var bytesUp: Int64
    public var bytesDown: Int64
    /// `nil` where nobody asked.
    public var connection: UplinkConnection?

    public init(
        _ result: UplinkResult, bytesUp: Int64 = 0, bytesDown: Int64 = 0, connection: UplinkConnection? = nil
    ) {
        self.result = result
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
        self.connection = connection
    }
}

/// How a connection came about: milliseconds since its beginning, `nil` for a step that was not reached or not taken.
public struct UplinkConnection: Equatable, Sendable {
    public var nameMillis: Int64?
    public var connectMillis: Int64?
    public var tlsMillis: Int64?
    public var answerMillis: Int64?
    /// The address and port at the other end.
    public var remote: String?
    /// Version, cipher and certificate dates in the TLS library's words.
    public var tlsFacts: [String]

    public init(
        nameMillis: Int64? = nil, connectMillis: Int64? = nil, tlsMillis: Int64? = nil, answerMillis: Int64? = nil,
        remote: String? = nil, tlsFacts: [String] = []
    ) {
        self.nameMillis = nameMillis
        self.connectMillis = connectMillis
        self.tlsMillis = tlsMillis
        self.answerMillis = answerMillis
        self.remote = remote
        self.tlsFacts = tlsFacts
    }
}

public struct UplinkFailure: Error, Equatable, Sendable {
    public enum Code: String, Sendable {
        case name
        case connect
        case tls
        case timeout
        case cut
        case badRequest
        /// A file of `TLSFiles` cannot be used; nothing was tried.
        case tlsFiles
    }
    public var code: Code
    public var cause: String
    /// The endpoint itself said so: the way to it is all right.
    public var isAnswer: Bool

    public init(code: Code, cause: String, isAnswer: Bool = false) {
        self.code = code
        self.cause = cause
        self.isAnswer = isAnswer
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// One bounded exchange at a time. HTTP redirects within the same origin are followed, at most three, with method, body
/// and headers as they are; others are the answer.
public protocol Uplink: AnyObject {
    /// Starts the exchange; `finished` is called once on the loop thread, never from inside `start`.
    /// The caller keeps to one exchange at a time.
    func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void)
    /// Ends the worker; an exchange in flight is abandoned and its `finished` is not called.
    func close()
}
