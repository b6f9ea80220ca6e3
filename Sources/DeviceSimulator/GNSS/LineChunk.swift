public import TrackerModel

/// Bytes on the wire of a UART.
public struct LineChunk: Equatable, Sendable {
    /// When the start bit of the first byte left, in receiver time.
    public var startedAt: Instant
    /// Bits per second.
    public var baud: Int
    public var bytes: [UInt8]
}
