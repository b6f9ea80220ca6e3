/// Makes the checksums in a stream right, where something looks like a sentence or a frame.
enum Checksums {
    static func repair(_ stream: inout [UInt8]) {
        var at = 0
        while at < stream.count {
            switch stream[at] {
            case UInt8(ascii: "$"), UInt8(ascii: "!"): at = repairSentence(&stream, at)
            case 0xB5: at = repairUBX(&stream, at)
            case 0xD3: at = repairRTCM(&stream, at)
            default: at += 1
            }
        }
    }

    /// NMEA 0183: the exclusive or of what is between `$` and `*`, as two hexadecimal digits.
    private static func repairSentence(_ stream: inout [UInt8], _ start: Int) -> Int {
        var (at, sum): (Int, UInt8) = (start + 1, 0)
        while at < stream.count, (0x20...0x7E).contains(stream[at]), stream[at] != UInt8(ascii: "$") {
            if stream[at] == UInt8(ascii: "*") {
                guard at + 2 < stream.count else { return stream.count }
                let digits = Array("0123456789ABCDEF".utf8)
                (stream[at + 1], stream[at + 2]) = (digits[Int(sum >> 4)], digits[Int(sum & 15)])
                return at + 3
            }
            sum ^= stream[at]
            at += 1
        }
        return at
    }

    /// u-blox protocol: B5 62, class, id, length in two bytes, payload, and the 8-bit Fletcher sum from the class on.
    private static func repairUBX(_ stream: inout [UInt8], _ start: Int) -> Int {
        guard start + 7 < stream.count, stream[start + 1] == 0x62 else { return start + 1 }
        let end = start + 6 + Int(stream[start + 4]) + Int(stream[start + 5]) << 8
        guard end + 1 < stream.count else { return start + 2 }
        var (a, b): (UInt8, UInt8) = (0, 0)
        for byte in stream[start + 2..<end] {
            a &+= byte
            b &+= a
        }
        (stream[end], stream[end + 1]) = (a, b)
        return end + 2
    }

    /// RTCM 10403: D3, length in 10 bits, payload, CRC-24Q over all before it.
    private static func repairRTCM(_ stream: inout [UInt8], _ start: Int) -> Int {
        guard start + 5 < stream.count else { return start + 1 }
        let end = start + 3 + Int(stream[start + 1] & 3) << 8 + Int(stream[start + 2])
        guard end + 2 < stream.count else { return start + 1 }
        var crc: UInt32 = 0
        for byte in stream[start..<end] {
            crc ^= UInt32(byte) << 16
            for _ in 0..<8 {
                crc <<= 1
                if crc & 0x1_00_00_00 != 0 { crc ^= 0x1_86_4C_FB }
            }
        }
        (stream[end], stream[end + 1], stream[end + 2]) = (
            UInt8(crc >> 16 & 0xFF), UInt8(crc >> 8 & 0xFF), UInt8(crc & 0xFF)
        )
        return end + 3
    }
}
