/// Lists the frames in a stream of bytes, damaged ones too; blocks may cut them anywhere.
///
/// What it calls right are the frames that the decoder tells `onFrame`.
public struct RawFrameScanner {
    private var framer = NMEAFramer()
    /// Of the first byte in `pending`.
    private var offset: Int64 = 0
    /// Of the sentence in the framer.
    private var start: Int64 = 0
    /// The beginning of a binary frame that the blocks so far cut off, then the block.
    private var pending: [UInt8] = []

    public init() {}

    /// Takes the next block and calls `emit` for each frame that can be told from it.
    public mutating func scan(_ block: UnsafeBufferPointer<UInt8>, _ emit: (RawFrame) -> Void) {
        pending.append(contentsOf: block)
        scan(isLast: false, emit)
    }

    /// The stream has ended.
    public mutating func finish(_ emit: (RawFrame) -> Void) { scan(isLast: true, emit) }

    private mutating func scan(isLast: Bool, _ emit: (RawFrame) -> Void) {
        let bytes = pending
        let used = bytes.withUnsafeBufferPointer { bytes in
            RawFrameWalk.pieces(of: bytes, isLast: isLast) { piece in
                switch piece {
                case .text(let range): takeText(bytes, range, emit)
                case .ubx(let range): add(RawFrame(ubx: slice(bytes, range), at: place(range), .ok), emit)
                case .rtcm(let range): add(RawFrame(rtcm: slice(bytes, range), at: place(range)), emit)
                case .damagedUBX(let range, let checksum):
                    add(RawFrame(ubx: slice(bytes, range), at: place(range), checksum), emit)
                }
            }
        }
        offset += Int64(used)
        pending.removeFirst(used)
    }

    private func slice(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[range])
    }

    private func place(_ range: Range<Int>) -> Int64 { offset + Int64(range.lowerBound) }

    /// A binary frame, or what looks like one: it ends the sentence that was being read.
    private mutating func add(_ binary: RawFrame, _ emit: (RawFrame) -> Void) {
        if framer.isInside {
            emitCut(address, end: binary.offset, emit)
            _ = framer.push(UBXFrame.sync.0)
        }
        emit(binary)
    }

    private mutating func takeText(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ emit: (RawFrame) -> Void
    ) {
        for index in range {
            let (byte, at) = (bytes[index], offset + Int64(index))
            // A dollar makes the framer forget the sentence that it ends.
            let cut = byte == UInt8(ascii: "$") && framer.isInside ? address : nil
            switch framer.push(byte) {
            case .nothing, .garbage: break
            case .began: start = at
            case .restarted:
                emitCut(cut ?? "", end: at, emit)
                start = at
            case .broken: emitCut(address, end: at, emit)
            case .overlong: emit(sentence(address, end: at, .overlong))
            case .badChecksum: emit(sentence(address, end: at + (byte < 0x20 ? 0 : 1), .wrong))
            case .sentence:
                var whole = sentence(address, end: at + 1, .ok)
                whole.isMalformed = framer.withText { (try? $0.sentence($0.kind)) == nil }
                emit(whole)
            }
        }
    }

    /// A beginning without an address is a byte of something else.
    private func emitCut(_ kind: String, end: Int64, _ emit: (RawFrame) -> Void) {
        if !kind.isEmpty { emit(sentence(kind, end: end, .cut)) }
    }

    private func sentence(_ kind: String, end: Int64, _ checksum: RawFrame.Checksum) -> RawFrame {
        RawFrame(format: .nmea, kind: kind, offset: start, length: Int(end - start), checksum: checksum)
    }

    /// What the framer holds up to its first comma.
    private var address: String {
        framer.withText { text in String(decoding: text.body.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self) }
    }
}
