/// The kinds of receiver that the bench can be, each with its own command language and habits.
public enum SimulatedFamily: String, CaseIterable, Sendable {
    /// u-blox 5 and 6: UBX without NAV-PVT; a fix is put together from NAV-SOL, POSLLH, VELNED, TIMEUTC, STATUS, DOP.
    case ublox6
    /// u-blox 7 to M8: UBX with NAV-PVT, configured by CFG-PRT, CFG-MSG, CFG-RATE.
    case ublox8
    /// u-blox M10: UBX with NAV-PVT, configured by CFG-VALSET only.
    case ublox10
    /// MediaTek MT33xx: NMEA, configured by PMTK.
    case mtk
    /// Quectel on Airoha chips (LC76G, LC29H): NMEA, configured by PAIR and PQTM.
    case quectel
    /// Speaks NMEA and hears nothing.
    case generic

    var speaksUBX: Bool { self == .ublox6 || self == .ublox8 || self == .ublox10 }

    /// Factory rate of the UART, from the makers' data sheets.
    var defaultBaud: Int {
        switch self {
        case .ublox6, .ublox8, .mtk, .generic: 9_600
        case .ublox10: 38_400
        case .quectel: 115_200
        }
    }

    var nmeaStyle: NMEAStyle {
        switch self {
        case .ublox6: NMEAStyle(talker: "GP", minutePlaces: 5, timePlaces: 2, hasNavigationStatus: false)
        case .ublox8: NMEAStyle(talker: "GN", minutePlaces: 5, timePlaces: 2, hasNavigationStatus: false)
        case .ublox10: NMEAStyle(talker: "GN", minutePlaces: 5, timePlaces: 2, hasNavigationStatus: true)
        case .mtk: NMEAStyle(talker: "GN", minutePlaces: 4, timePlaces: 3, hasNavigationStatus: false)
        case .quectel: NMEAStyle(talker: "GN", minutePlaces: 6, timePlaces: 3, hasNavigationStatus: true)
        case .generic: NMEAStyle(talker: "GP", minutePlaces: 4, timePlaces: 3, hasNavigationStatus: false)
        }
    }

    /// Sends on one constellation or on three.
    var isGPSOnly: Bool { self == .ublox6 || self == .generic }
}

/// How a receiver writes its sentences.
struct NMEAStyle: Sendable {
    var talker: String
    /// Decimals of the minutes of an angle, 4…6.
    var minutePlaces: Int
    /// Decimals of the second, 2 or 3.
    var timePlaces: Int
    /// NMEA 4.10 and later end RMC with a navigation status and GSA with a system number.
    var hasNavigationStatus: Bool
}

/// How much a receiver knows when it starts.
public enum ReceiverStart: String, CaseIterable, Sendable {
    /// Nothing: no time, no date, no position for about half a minute.
    case cold
    /// Time and almanac; the first fix takes about 25 s.
    case warm
    /// Everything: a fix after 1 s; until then the last position, flagged as no fix.
    case hot
}
