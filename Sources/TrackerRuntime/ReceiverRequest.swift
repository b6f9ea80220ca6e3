import GNSSCodecs
import TrackerModel

/// What the tracker may ask of a receiver. Nothing is stored in the receiver's non-volatile memory.
enum ReceiverRequest: Equatable {
    /// Model and firmware, asked in every language that it may understand.
    case identity
    /// The speed of its UART, bit/s.
    case port(baud: Int)
    case rate(hz: Int)
    /// One message once in so many epochs; 0 is never.
    case message(ReceiverMessage, every: Int)
    /// All NMEA sentences at once, where the language has no other way.
    case sentences
    /// To track in cycles, with pauses between two fixes, or without a break.
    case cyclic(Bool)

    /// The part of the configuration that `status` names when it failed.
    var name: String {
        switch self {
        case .identity: "identity"
        case .port: "speed"
        case .rate: "rate"
        case .message(let message, _): message.rawValue
        case .sentences: "sentences"
        case .cyclic: "cyclic tracking"
        }
    }
}

/// The messages whose rate is set.
enum ReceiverMessage: String {
    case gga = "GGA"
    case gll = "GLL"
    case gsa = "GSA"
    case gst = "GST"
    case gsv = "GSV"
    case rmc = "RMC"
    case vtg = "VTG"
    case navPVT = "NAV-PVT"
    /// Spoofing (E-019); NAV-PVT does not tell.
    case navStatus = "NAV-STATUS"
    /// Antenna and jamming: MON-HW, from u-blox 9 on MON-RF.
    case monitor = "MON-HW"
}

/// The languages that receivers take commands in.
enum ReceiverDialect: Equatable {
    /// u-blox UBX-CFG-PRT, -RATE, -MSG: generations 5 to 9.
    case ubx
    /// u-blox UBX-CFG-VALSET: from generation 9 on, the only way from 10 on.
    case ubxValset
    /// MediaTek MT33xx.
    case pmtk
    /// Airoha AG33xx, in Quectel LC and newer L modules.
    case pair

    /// The language of a receiver; `nil` for one that is not known to take commands.
    init?(_ identity: ReceiverIdentity) {
        switch identity.family {
        case .ublox: self = identity.protocolVersion ?? 0 >= Self.valsetOnly ? .ubxValset : .ubx
        case .mtk: self = .pmtk
        case .quectel: self = .pair
        case .generic: return nil
        }
    }

    /// u-blox M10, protocol version 34, has no UBX-CFG-MSG any more (M10 SPG 5.10 interface description).
    private static let valsetOnly = 3_400
    /// u-blox 9, protocol version 27, understands UBX-CFG-VALSET too.
    private static let valset = 2_700

    /// What to speak after this was refused.
    func fallback(for identity: ReceiverIdentity) -> ReceiverDialect? {
        self == .ubx && identity.protocolVersion ?? 0 >= Self.valset ? .ubxValset : nil
    }
}
