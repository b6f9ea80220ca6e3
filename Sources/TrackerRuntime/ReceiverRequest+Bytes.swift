import GNSSCodecs

/// Requests as bytes, and the answers that belong to them.
extension ReceiverRequest {
    /// The command in a dialect; empty where the dialect has none.
    func bytes(in dialect: ReceiverDialect) -> [UInt8] {
        switch (self, dialect) {
        case (.identity, _): Self.identityBytes
        case (.port(let baud), .ubx):
            // UART1, 8N1, in UBX+NMEA+RTCM, out UBX+NMEA (u-blox 8 / M8 protocol specification, UBX-CFG-PRT).
            Self.ubx(0x06, 0x00, [1, 0, 0, 0, 0xD0, 0x08, 0, 0] + Self.four(baud) + [0x07, 0, 0x03, 0, 0, 0, 0, 0])
        case (.port(let baud), .ubxValset): Self.valset(0x4052_0001, Self.four(baud))
        case (.port(let baud), .pmtk): Self.nmea("PMTK251,\(baud)")
        case (.port(let baud), .pair): Self.nmea("PAIR864,0,0,\(baud)")
        case (.rate(let hz), .ubx): Self.ubx(0x06, 0x08, Self.two(1_000 / hz) + [1, 0, 1, 0])
        case (.rate(let hz), .ubxValset): Self.valset(0x3021_0001, Self.two(1_000 / hz))
        case (.rate(let hz), .pmtk): Self.nmea("PMTK220,\(1_000 / hz)")
        case (.rate(let hz), .pair): Self.nmea("PAIR050,\(1_000 / hz)")
        case (.message(let message, let every), .ubx):
            Self.ubx(0x06, 0x01, [message.ubxClass, message.ubxID, UInt8(clamping: every)])
        case (.message(let message, let every), .ubxValset):
            Self.valset(message.valsetKey, [UInt8(clamping: every)])
        case (.message(let message, let every), .pair):
            message.pairNumber.map { Self.nmea("PAIR062,\($0),\(every)") } ?? []
        // GLL, RMC, VTG, GGA, GSA, GSV, GRS, GST, then nine unused, ZDA, MCHN (PMTK command packet manual, 314).
        case (.sentences, .pmtk): Self.nmea("PMTK314,0,1,0,1,1,5,0,1,0,0,0,0,0,0,0,0,0,0,0")
        case (.message, .pmtk), (.sentences, .ubx), (.sentences, .ubxValset), (.sentences, .pair): []
        }
    }

    /// Whether a reply says that this request was done; `nil` when it belongs to another one.
    func verdict(of reply: ReceiverReply, in dialect: ReceiverDialect) -> Bool? {
        switch (reply, dialect) {
        case (.ubx(let isAccepted, 0x06, let id), .ubx) where id == ubxID: isAccepted
        case (.ubx(let isAccepted, 0x06, 0x8A), .ubxValset): isAccepted
        case (.mtk(let command, let isAccepted), .pmtk), (.mtk(let command, let isAccepted), .pair):
            command == mtkCommand(in: dialect) ? isAccepted : nil
        default: nil
        }
    }

    private var ubxID: UInt8? {
        switch self {
        case .port: 0x00
        case .message: 0x01
        case .rate: 0x08
        case .identity, .sentences: nil
        }
    }

    private func mtkCommand(in dialect: ReceiverDialect) -> Int? {
        switch self {
        case .port: dialect == .pmtk ? 251 : 864
        case .rate: dialect == .pmtk ? 220 : 50
        case .message: 62
        case .sentences: 314
        case .identity: nil
        }
    }

    /// UBX-MON-VER without payload, PMTK605 and PQTMVERNO: who does not know one drops it as a bad or foreign frame.
    private static let identityBytes = ubx(0x0A, 0x04, []) + nmea("PMTK605") + nmea("PQTMVERNO")

    /// UBX-CFG-VALSET of one key into RAM.
    private static func valset(_ key: UInt32, _ value: [UInt8]) -> [UInt8] {
        ubx(0x06, 0x8A, [0, 1, 0, 0] + four(Int(key)) + value)
    }

    private static func two(_ number: Int) -> [UInt8] { (0..<2).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    private static func four(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }

    /// B5 62, class, id, length, payload and the 8-bit Fletcher sum of all after the sync (spec capture §2.2).
    private static func ubx(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let body = [messageClass, id] + two(payload.count) + payload
        var (a, b): (UInt8, UInt8) = (0, 0)
        for byte in body {
            a &+= byte
            b &+= a
        }
        return [0xB5, 0x62] + body + [a, b]
    }

    private static func nmea(_ body: String) -> [UInt8] {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return Array("$\(body)*\(sum.utf8.count < 2 ? "0" : "")\(sum)\r\n".utf8)
    }
}

/// Numbers of the messages (u-blox 8 / M8 protocol specification; M10 SPG 5.10 interface description, keys for UART1;
/// Quectel LC29H/LC76G GNSS protocol specification, PAIR062).
extension ReceiverMessage {
    fileprivate var ubxClass: UInt8 {
        switch self {
        case .gga, .gll, .gsa, .gst, .gsv, .rmc, .vtg: 0xF0
        case .navPVT: 0x01
        case .monitor: 0x0A
        }
    }

    fileprivate var ubxID: UInt8 {
        switch self {
        case .gga: 0x00
        case .gll: 0x01
        case .gsa: 0x02
        case .gsv: 0x03
        case .rmc: 0x04
        case .vtg: 0x05
        case .gst: 0x07
        case .navPVT: 0x07
        case .monitor: 0x09
        }
    }

    fileprivate var valsetKey: UInt32 {
        switch self {
        case .gga: 0x2091_00BB
        case .gll: 0x2091_00CA
        case .gsa: 0x2091_00C0
        case .gst: 0x2091_00D4
        case .gsv: 0x2091_00C5
        case .rmc: 0x2091_00AC
        case .vtg: 0x2091_00B1
        case .navPVT: 0x2091_0007
        case .monitor: 0x2091_035A
        }
    }

    fileprivate var pairNumber: Int? {
        switch self {
        case .gga: 0
        case .gll: 1
        case .gsa: 2
        case .gsv: 3
        case .rmc: 4
        case .vtg: 5
        case .gst: 8
        case .navPVT, .monitor: nil
        }
    }
}
