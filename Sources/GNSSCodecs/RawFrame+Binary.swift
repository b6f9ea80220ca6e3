extension RawFrame {
    /// A UBX frame; `whole` may be its header only where the rest is not its own.
    init(ubx whole: UnsafeBufferPointer<UInt8>, at offset: Int64, _ checksum: Checksum) {
        self.init(
            format: .ubx, kind: Self.name(messageClass: whole[2], messageID: whole[3]), offset: offset,
            length: whole.count, checksum: checksum)
        guard checksum == .ok, whole[2] == UBXMessage.navigationClass else { return }
        do {
            _ = try UBXMessage(id: whole[3], UBXFrame(whole: whole).payload)
        } catch {
            isMalformed = error == .malformed
        }
    }

    /// An RTCM frame; the first twelve bits of the message are its number (RTCM 10403).
    init(rtcm whole: UnsafeBufferPointer<UInt8>, at offset: Int64) {
        let number = whole.count >= 8 ? String(Int(whole[3]) << 4 | Int(whole[4]) >> 4) : ""
        self.init(format: .rtcm, kind: number, offset: offset, length: whole.count, checksum: .ok)
    }

    private static func name(messageClass: UInt8, messageID: UInt8) -> String {
        names[UInt16(messageClass) << 8 | UInt16(messageID)] ?? hex(messageClass) + "-" + hex(messageID)
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// By class and identifier, as the interface descriptions of u-blox 5 to 10 call them.
    private static let names: [UInt16: String] = [
        0x0102: "NAV-POSLLH", 0x0103: "NAV-STATUS", 0x0104: "NAV-DOP", 0x0106: "NAV-SOL", 0x0107: "NAV-PVT",
        0x0112: "NAV-VELNED", 0x0114: "NAV-HPPOSLLH", 0x0120: "NAV-TIMEGPS", 0x0121: "NAV-TIMEUTC",
        0x0122: "NAV-CLOCK", 0x0130: "NAV-SVINFO", 0x0135: "NAV-SAT", 0x0143: "NAV-SIG", 0x0161: "NAV-EOE",
        0x0213: "RXM-SFRBX", 0x0215: "RXM-RAWX", 0x0400: "INF-ERROR", 0x0401: "INF-WARNING", 0x0402: "INF-NOTICE",
        0x0500: "ACK-NAK", 0x0501: "ACK-ACK", 0x0600: "CFG-PRT", 0x0601: "CFG-MSG", 0x0608: "CFG-RATE",
        0x068A: "CFG-VALSET", 0x068B: "CFG-VALGET", 0x0A04: "MON-VER", 0x0A09: "MON-HW", 0x0A38: "MON-RF",
        0x2709: "SEC-SIG", 0x2800: "HNR-PVT",
    ]
}
