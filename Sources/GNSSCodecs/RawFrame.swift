/// One frame of a recorded log as it stands there, whole or damaged.
public struct RawFrame: Equatable, Sendable {
    public enum Checksum: String, Sendable {
        case ok
        case wrong
        /// Longer than a frame may be; its end was not looked for.
        case overlong
        /// Another frame began inside it, or a byte came that it cannot contain.
        case cut
    }

    /// `nmea`, …
    public var format: String
    /// The address of a sentence: `GPRMC`, `PMTK001`.
    public var kind: String
    /// Of its first byte in the log.
    public var offset: Int64
    /// Bytes from the first to the last that was taken for it, line end not included.
    public var length: Int
    public var checksum: Checksum
    /// The checksum is right and the content is impossible.
    public var isMalformed: Bool
}

/// Lists the frames in a stream of bytes; blocks may cut them anywhere.
public struct RawFrameScanner {
    private var framer = NMEAFramer()
    private var offset: Int64 = 0
    private var start: Int64 = 0

    public init() {}

    /// Takes the next block and calls `emit` for each frame that ends in it.
    public mutating func scan(_ block: UnsafeBufferPointer<UInt8>, _ emit: (RawFrame) -> Void) {
        for byte in block {
            // A dollar makes the framer forget the sentence that it ends.
            let cut = byte == UInt8(ascii: "$") && framer.isInside ? address : nil
            switch framer.push(byte) {
            case .nothing, .garbage: break
            case .began: start = offset
            case .restarted:
                emit(frame(cut ?? "", end: offset, .cut))
                start = offset
            case .broken: emit(frame(address, end: offset, .cut))
            case .overlong: emit(frame(address, end: offset, .overlong))
            case .badChecksum: emit(frame(address, end: offset + (byte < 0x20 ? 0 : 1), .wrong))
            case .sentence:
                var whole = frame(address, end: offset + 1, .ok)
                whole.isMalformed = framer.sentence().1 == nil
                emit(whole)
            }
            offset += 1
        }
    }

    private func frame(_ kind: String, end: Int64, _ checksum: RawFrame.Checksum) -> RawFrame {
        RawFrame(
            format: "nmea", kind: kind, offset: start, length: Int(end - start), checksum: checksum, isMalformed: false)
    }

    /// What the framer holds up to its first comma.
    private var address: String {
        framer.withBody { body in String(decoding: body.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self) }
    }
}
