/// Takes recorded bytes apart into text and binary frames, in the order and by the rules of the decoder.
enum RawFrameWalk {
    enum Piece {
        /// Bytes that belong to no binary frame; a sentence may go on from one such piece to the next.
        case text(Range<Int>)
        /// A frame with a right checksum.
        case ubx(Range<Int>)
        case rtcm(Range<Int>)
        /// Looks like a UBX frame and is none; its bytes follow as text, or as what else begins inside.
        case damagedUBX(Range<Int>, RawFrame.Checksum)
    }

    /// Calls `visit` with one piece after the other, up to the first beginning of a frame that goes on beyond these
    /// bytes.
    /// - Parameter isLast: nothing follows, so that such a beginning is none.
    /// - Returns: how many bytes were decided on; begin the next call with the rest.
    static func pieces(
        of bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, _ visit: (Piece) -> Void
    ) -> Int {
        var (index, textStart) = (0, 0)
        func endText() {
            if index > textStart { visit(.text(textStart..<index)) }
            textStart = index
        }
        while index < bytes.count {
            index = bytes.binaryStart(from: index)
            guard index < bytes.count else { break }
            let rest = UnsafeBufferPointer(rebasing: bytes[index...])
            switch FrameVerdict(rest) {
            case .ubx(let length):
                endText()
                visit(.ubx(index..<index + length))
                index += length
                textStart = index
            case .rtcm(let length):
                endText()
                visit(.rtcm(index..<index + length))
                index += length
                textStart = index
            case .undecided where !isLast:
                endText()
                return index
            case .badChecksum:
                endText()
                let length = Int(rest[4]) + Int(rest[5]) << 8 + UBXFrame.overhead
                visit(.damagedUBX(index..<index + length, .wrong))
                index += 1
            case .overlong:
                endText()
                visit(.damagedUBX(index..<index + UBXFrame.headerLength, .overlong))
                index += 1
            case .none, .undecided: index += 1
            }
        }
        endText()
        return bytes.count
    }
}
