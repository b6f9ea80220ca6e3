/// RTCM 3 frames: `D3`, six zero bits, 10 bits of length, the message and CRC-24Q (RTCM 10403). They are recognised to
/// be skipped whole; corrections are of no use here.
enum RTCMFrame {
    static let preamble: UInt8 = 0xD3
    static let headerLength = 3
    /// Header and CRC.
    static let overhead = 6

    /// 0…1 023; `nil` where the six bits are not zero.
    static func messageLength(_ header: UnsafeBufferPointer<UInt8>) -> Int? {
        header[1] & 0xFC == 0 ? Int(header[1]) << 8 | Int(header[2]) : nil
    }

    /// CRC-24Q: polynomial 0x1864CFB, initial value 0.
    static func checksum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            bytes.reduce(0) { crc, byte in (crc << 8 & 0xFF_FFFF) ^ table[Int(UInt8(crc >> 16) ^ byte)] }
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 16) { crc, _ in
            crc & 0x80_0000 != 0 ? (crc << 1 & 0xFF_FFFF) ^ 0x86_4CFB : crc << 1
        }
    }
}
