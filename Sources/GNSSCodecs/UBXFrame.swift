/// One UBX frame whose checksum is right; valid only while the bytes it was found in are.
struct UBXFrame {
    let messageClass: UInt8
    let messageID: UInt8
    /// Between length and checksum. Numbers in it are little-endian and not aligned.
    let payload: UnsafeRawBufferPointer

    /// The two bytes that begin a frame.
    static let sync: (UInt8, UInt8) = (0xB5, 0x62)
    /// Sync, class, identifier and length.
    static let headerLength = 6
    /// Header and checksum: what a frame has besides its payload.
    static let overhead = 8
    /// Longer payloads are refused (spec capture §2.2): nothing that is used comes near, NAV-SAT of 64 satellites has
    /// 776 bytes.
    static let longestPayload = 1_024

    /// Takes apart what `FrameVerdict` found to be a frame.
    init(whole bytes: UnsafeBufferPointer<UInt8>) {
        messageClass = bytes[2]
        messageID = bytes[3]
        payload = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[Self.headerLength..<bytes.count - 2])
    }

    /// The two bytes after the payload: 8-bit Fletcher over class, identifier, length and payload.
    static func checksum(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt8, UInt8) {
        // 32 bits hold the sums of 1 028 bytes: 1 028 × 1 029 / 2 × 255 < 2^32.
        var (sum, sumOfSums): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            sum &+= UInt32(byte)
            sumOfSums &+= sum
        }
        return (UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sumOfSums))
    }
}

extension UnsafeRawBufferPointer {
    // The names are those of the interface descriptions: U1 one byte unsigned, I4 four bytes signed.
    func u1(_ offset: Int) -> UInt8 { self[offset] }
    func i1(_ offset: Int) -> Int8 { Int8(bitPattern: self[offset]) }
    func u2(_ offset: Int) -> UInt16 { UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
    func i2(_ offset: Int) -> Int16 { Int16(bitPattern: u2(offset)) }
    func u4(_ offset: Int) -> UInt32 { UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    func i4(_ offset: Int) -> Int32 { Int32(bitPattern: u4(offset)) }

    /// Text up to the first NUL; what is not printable ASCII becomes `?`.
    func text(_ range: Range<Int>) -> String {
        let characters = self[range].prefix { $0 != 0 }
        return String(decoding: characters.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
