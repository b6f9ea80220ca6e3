/// What the bytes from a possible beginning of a binary frame on turn out to be.
enum FrameVerdict: Equatable {
    /// The first so many bytes are needed to tell.
    case undecided(needed: Int)
    /// A frame with a right checksum, so many bytes long.
    case ubx(length: Int)
    case rtcm(length: Int)
    /// Not a frame: the search goes on with the next byte, so that a frame that begins inside is not lost (F-11).
    case none
    /// The same, and something was wrong with what looked like a frame.
    case badChecksum
    case overlong

    /// - Parameter bytes: not empty.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch bytes[0] {
        case UBXFrame.sync.0: self = Self.ubx(bytes)
        case RTCMFrame.preamble: self = Self.rtcm(bytes)
        default: self = .none
        }
    }

    private static func ubx(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameVerdict {
        guard bytes.count >= 2 else { return .undecided(needed: 2) }
        guard bytes[1] == UBXFrame.sync.1 else { return .none }
        guard bytes.count >= UBXFrame.headerLength else { return .undecided(needed: UBXFrame.headerLength) }
        let payload = Int(bytes[4]) | Int(bytes[5]) << 8
        guard payload <= UBXFrame.longestPayload else { return .overlong }
        let length = payload + UBXFrame.overhead
        guard bytes.count >= length else { return .undecided(needed: length) }
        let sums = UBXFrame.checksum(UnsafeBufferPointer(rebasing: bytes[2..<length - 2]))
        return sums == (bytes[length - 2], bytes[length - 1]) ? .ubx(length: length) : .badChecksum
    }

    private static func rtcm(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameVerdict {
        guard bytes.count >= RTCMFrame.headerLength else {
            // One byte can be enough to see that this is something else.
            if bytes.count == 2, bytes[1] & 0xFC != 0 { return .none }
            return .undecided(needed: bytes.count + 1)
        }
        guard let message = RTCMFrame.messageLength(bytes) else { return .none }
        let length = message + RTCMFrame.overhead
        guard bytes.count >= length else { return .undecided(needed: length) }
        let sum = RTCMFrame.checksum(UnsafeBufferPointer(rebasing: bytes[..<(length - 3)]))
        let declared =
            UInt32(bytes[length - 3]) << 16 | UInt32(bytes[length - 2]) << 8 | UInt32(bytes[length - 1])
        return sum == declared ? .rtcm(length: length) : .none
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The next byte that can begin a binary frame, from `start` on; `count` when there is none.
    func binaryStart(from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(self)
        // Text has no byte from 0x80 on, so many can be passed over at once.
        while index + 32 <= count, raw.hasOnlyText(at: index) { index += 32 }
        while index + 8 <= count {
            if raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
                for place in index..<index + 8 where self[place].beginsBinaryFrame { return place }
            }
            index += 8
        }
        while index < count, !self[index].beginsBinaryFrame { index += 1 }
        return index
    }
}

extension UnsafeRawBufferPointer {
    /// Whether no byte of the 32 from `index` on is above 0x7F.
    @inline(__always)
    fileprivate func hasOnlyText(at index: Int) -> Bool {
        let bytes = loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)
        return (bytes[0] | bytes[1] | bytes[2] | bytes[3]) & 0x8080_8080_8080_8080 == 0
    }
}

extension UInt8 {
    fileprivate var beginsBinaryFrame: Bool { self == UBXFrame.sync.0 || self == RTCMFrame.preamble }
}
