public import TrackerModel

/// Why a transfer did not happen. Equality on the code alone.
public struct BusFailure: ExplainedFailure, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// The bus itself cannot be opened.
        case absent
        case denied
        /// A driver of the kernel has the address.
        case held
        /// The chip did not acknowledge its address.
        case noAnswer
        /// Arbitration lost, timed out, or another transfer error.
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

/// Chips with 8-bit registers behind a two-wire bus. A transfer is synchronous and bounded (100 ms); a failed one had
/// no effect that may be relied on. The bus is opened by the first transfer and again after a failure.
public protocol RegisterBus: AnyObject {
    /// As configured: `/dev/i2c-1` or `unix:PATH`.
    var name: String { get }
    /// 7-bit address of the chip that the next transfer goes to.
    var address: UInt8 { get set }
    /// False for `unix:` buses, which a simulator serves.
    var isRealDevice: Bool { get }

    /// Reads `count` (1…255) bytes starting at `register`. Auto-increment is the chip's matter and part of the number.
    func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8]
    /// Writes 1…32 bytes in one transfer; where they go after the first is the chip's matter.
    func write(_ register: UInt8, _ bytes: [UInt8]) throws(BusFailure)
}

extension RegisterBus {
    public func write(_ register: UInt8, _ value: UInt8) throws(BusFailure) { try write(register, [value]) }
}
