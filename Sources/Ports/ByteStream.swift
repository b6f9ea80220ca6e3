public import TrackerModel

/// Why a serial device could not be opened, or was lost. Equality on the code alone.
public struct ByteStreamFailure: ExplainedFailure, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// The path does not exist: not plugged in, wrong name.
        case absent
        /// Exists, but this user may not open it.
        case denied
        /// Another process holds it.
        case busy
        /// Exists, but is no serial device, or the baud rate is not supported.
        case unsuitable
        /// It was open and went away.
        case unplugged
        /// Anything else the system said; see `cause`.
        case io
    }

    public var code: Code
    /// The call and the system's words.
    public var cause: String
    /// What to do, one sentence for the operator.
    public var remedy: String

    public init(code: Code, cause: String, remedy: String) {
        self.code = code
        self.cause = cause
        self.remedy = remedy
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// A serial line to a receiver.
///
/// `open` either succeeds or throws; afterwards bytes arrive through the handler until `close` or `.lost`. After
/// `.lost` the stream is closed and may be opened again. Nothing arrives after `close`.
public protocol ByteStream: AnyObject {
    /// The path as the operator wrote it; where the operator wrote none, the one chosen last.
    var name: String { get }
    /// True for a device of the machine, false for a pseudo-terminal: simulated time is refused with real devices.
    var isRealDevice: Bool { get }

    /// When the bytes came that are being told, where that was before now; else `nil`.
    var arrivedAt: Instant? { get }
    /// Bytes that come may be kept back until then, as they belong together; in the past when none are.
    var restsUntil: Instant { get }

    /// Where the receiver may be now, most likely first, each under the most lasting name it has. Looked up by every
    /// call; empty when nothing was found and the operator named nothing.
    var candidates: [String] { get }
    /// The path of the next `open`, one of `candidates`.
    func choose(_ path: String)

    /// Takes the line for this process alone, raw, 8N1.
    /// - Parameter baud: bits per second.
    func open(baud: Int, _ handler: @escaping (ByteStreamEvent) -> Void) throws(ByteStreamFailure)
    /// Changes the speed of the open line; what was received at the old one and not read yet is discarded.
    /// - Parameter baud: bits per second.
    func setBaud(_ baud: Int) throws(ByteStreamFailure)
    /// Sends all bytes or throws; a full output buffer waits up to 1 s.
    func write(_ bytes: [UInt8]) throws(ByteStreamFailure)
    func close()
}

extension ByteStream {
    public var arrivedAt: Instant? { nil }
    public var restsUntil: Instant { .zero }
}

public enum ByteStreamEvent {
    /// What one read returned, never empty.
    case bytes([UInt8])
    case lost(ByteStreamFailure)
}
