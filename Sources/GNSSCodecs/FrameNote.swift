/// Where a frame with a right checksum lies in the stream, as `tracker decode --raw` lists it.
public struct FrameNote: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case nmea
        case ubx(messageClass: UInt8, messageID: UInt8)
        case rtcm
    }

    public var kind: Kind
    /// Of its first byte, counted from the first byte the decoder was fed.
    public var offset: Int64
    /// Bytes; of a sentence from its first character to the last checksum digit.
    public var length: Int

    public init(kind: Kind, offset: Int64, length: Int) {
        self.kind = kind
        self.offset = offset
        self.length = length
    }
}
