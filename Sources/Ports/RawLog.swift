public import TrackerModel

/// Keeps what the receiver sent, byte for byte, for later. Best effort: a failing disk costs the log, never a point.
public protocol RawLog: AnyObject {
    /// Takes what one read returned and when it was read.
    func append(_ bytes: [UInt8], at instant: Instant)
    /// Writes back what is held.
    func flush()
}
