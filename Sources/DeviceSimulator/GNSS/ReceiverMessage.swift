/// A message that a receiver sends by itself, epoch after epoch, once it is switched on.
enum ReceiverMessage: String, CaseIterable, Sendable {
    case rmc = "RMC"
    case gga = "GGA"
    case gll = "GLL"
    case gns = "GNS"
    case gsa = "GSA"
    case gsv = "GSV"
    case gst = "GST"
    case vtg = "VTG"
    case zda = "ZDA"
    case gbs = "GBS"
    case pubx00 = "PUBX00"
    case pubx04 = "PUBX04"
    case navSOL
    case navPOSLLH
    case navVELNED
    case navTIMEUTC
    case navSTATUS
    case navDOP
    case navPVT
    case navSAT
    case navSVINFO
    case monHW
    case monRF
    case secSIG
    case navEOE

    /// Class and number in the UBX protocol; NMEA sentences have one too, for CFG-MSG (u-blox 8/M8 interface
    /// description, "Message IDs").
    var ubxID: UInt16 {
        switch self {
        case .gga: 0xF000
        case .gll: 0xF001
        case .gsa: 0xF002
        case .gsv: 0xF003
        case .rmc: 0xF004
        case .vtg: 0xF005
        case .gst: 0xF007
        case .zda: 0xF008
        case .gbs: 0xF009
        case .gns: 0xF00D
        case .pubx00: 0xF100
        case .pubx04: 0xF104
        case .navPOSLLH: 0x0102
        case .navSTATUS: 0x0103
        case .navDOP: 0x0104
        case .navSOL: 0x0106
        case .navPVT: 0x0107
        case .navVELNED: 0x0112
        case .navTIMEUTC: 0x0121
        case .navSVINFO: 0x0130
        case .navSAT: 0x0135
        case .navEOE: 0x0161
        case .monHW: 0x0A09
        case .monRF: 0x0A38
        case .secSIG: 0x2709
        }
    }

    var isUBX: Bool { ubxID < 0xF000 }

    /// CFG-MSGOUT-*_UART1 (u-blox M10 SPG 5.10 interface description); `nil`: the M10 has no such message.
    var valueKey: UInt32? {
        switch self {
        case .gga: 0x2091_00BB
        case .gll: 0x2091_00CA
        case .gsa: 0x2091_00C0
        case .gsv: 0x2091_00C5
        case .rmc: 0x2091_00AC
        case .vtg: 0x2091_00B1
        case .gst: 0x2091_00D4
        case .zda: 0x2091_00D9
        case .gbs: 0x2091_00DE
        case .gns: 0x2091_00B6
        case .pubx00: 0x2091_00ED
        case .pubx04: 0x2091_00F7
        case .navPVT: 0x2091_0007
        case .navSAT: 0x2091_0016
        case .navSTATUS: 0x2091_001B
        case .navPOSLLH: 0x2091_002A
        case .navDOP: 0x2091_0039
        case .navVELNED: 0x2091_0043
        case .navTIMEUTC: 0x2091_005C
        case .navEOE: 0x2091_0160
        case .monHW: 0x2091_01B5
        case .monRF: 0x2091_035A
        case .secSIG: 0x2091_0635
        case .navSOL, .navSVINFO: nil
        }
    }

    /// Whether receivers of the family have it.
    func exists(in family: SimulatedFamily) -> Bool {
        switch self {
        case .navPVT, .navSAT, .navEOE: family == .ublox8 || family == .ublox10
        case .navSOL, .navSVINFO: family == .ublox6 || family == .ublox8
        case .monRF, .secSIG: family == .ublox10
        case .monHW: family == .ublox6 || family == .ublox8
        case .gns: family != .ublox6
        case .pubx00, .pubx04: family.speaksUBX
        default: !isUBX || family.speaksUBX
        }
    }

    static func of(ubxID: UInt16, family: SimulatedFamily) -> ReceiverMessage? {
        allCases.first { $0.ubxID == ubxID && $0.exists(in: family) }
    }
}
