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
        let raw = UnsafeRawBufferPointer(bytes)
        var (sum, sumOfSums, index) = (UInt64(0), UInt64(0), 0)
        while index &+ 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // Every second byte, 16 bits for each. A product has in its highest 16 bits the sum of them, each as often
            // as it counts: in the sum of sums the first of eight bytes counts eight times, the last once.
            let (even, odd) = (word & 0x00FF_00FF_00FF_00FF, word &>> 8 & 0x00FF_00FF_00FF_00FF)
            let weighted = (even &* 0x0008_0006_0004_0002) &>> 48 &+ (odd &* 0x0007_0005_0003_0001) &>> 48
            sumOfSums &+= 8 &* sum &+ weighted
            sum &+= ((even &+ odd) &* 0x0001_0001_0001_0001) &>> 48
            index &+= 8
        }
        for byte in raw[index...] {
            sum &+= UInt64(byte)
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
