/// One frame of a recorded log as it stands there, whole or damaged.
public struct RawFrame: Equatable, Sendable {
    public enum Format: String, Sendable {
        case nmea
        case ubx
        case rtcm
    }

    public enum Checksum: String, Sendable {
        case ok
        case wrong
        /// Longer than a frame may be; its end was not looked for.
        case overlong
        /// Another frame began inside it, or a byte came that it cannot contain.
        case cut
    }

    public var format: Format
    /// The address of a sentence (`GPRMC`, `PMTK001`), the name of a UBX message that is read here (`NAV-PVT`), class
    /// and identifier of another (`0A-31`), the number of an RTCM message (`1077`).
    public var kind: String
    /// Of its first byte in the log.
    public var offset: Int64
    /// Bytes from the first to the last that was taken for it, line end not included.
    public var length: Int
    public var checksum: Checksum
    /// The checksum is right and the content is impossible.
    public var isMalformed = false
}
