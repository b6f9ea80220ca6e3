/// A navigation satellite system.
public enum Constellation: String, Sendable, CaseIterable {
    case gps
    case sbas
    case galileo
    case beidou
    case qzss
    case glonass
    case navic
}

/// One satellite as the receiver reports it.
public struct SatelliteInView: Equatable, Sendable {
    public var constellation: Constellation
    /// Number within its system (GPS 1…32, SBAS 120…158, Galileo 1…36, …), not the receiver's own numbering.
    public var number: Int
    /// Degrees above the horizon, −90…90; `nil` when unknown.
    public var elevationDeg: Int?
    /// Degrees clockwise from north, 0…359; `nil` when unknown.
    public var azimuthDeg: Int?
    /// Carrier to noise density, dBHz; `nil` when it is not tracked.
    public var cn0DBHz: Int?
    /// Takes part in the solution.
    public var isUsed: Bool
    /// The receiver has its ephemeris, and says so (UBX-NAV-SAT).
    public var hasEphemeris = false

    public init(
        constellation: Constellation, number: Int, elevationDeg: Int? = nil, azimuthDeg: Int? = nil,
        cn0DBHz: Int? = nil, isUsed: Bool = false
    ) {
        self.constellation = constellation
        self.number = number
        self.elevationDeg = elevationDeg
        self.azimuthDeg = azimuthDeg
        self.cn0DBHz = cn0DBHz
        self.isUsed = isUsed
    }
}

/// The sky of one cycle: all satellites in view, and the dilutions of precision that go with them.
public struct SkyView: Equatable, Sendable {
    public var satellites: [SatelliteInView]
    public var pdop: Double?
    public var hdop: Double?
    public var vdop: Double?

    public init(satellites: [SatelliteInView], pdop: Double? = nil, hdop: Double? = nil, vdop: Double? = nil) {
        self.satellites = satellites
        self.pdop = pdop
        self.hdop = hdop
        self.vdop = vdop
    }
}

/// The antenna's supply as the receiver measures it.
public enum AntennaState: String, Sendable {
    case ok
    case open
    case short
    case off
}

/// What the receiver says about its own condition; `nil` is *not reported*.
public struct ReceiverHealth: Equatable, Sendable {
    public var antenna: AntennaState?
    /// Continuous-wave interference, 0 none … 255 strong (UBX-MON-HW jamInd, MON-RF).
    public var jamming: Int?
    /// UBX-NAV-STATUS spoofDetState or SEC-SIG: 0 unknown, 1 none, 2 indicated, 3 several indications.
    public var spoofing: Int?

    public init(antenna: AntennaState? = nil, jamming: Int? = nil, spoofing: Int? = nil) {
        self.antenna = antenna
        self.jamming = jamming
        self.spoofing = spoofing
    }
}

/// Who made the receiver, as far as commands to it differ.
public enum ReceiverFamily: String, Sendable {
    case ublox
    case mtk
    case quectel
    case generic
}

/// What the receiver says it is.
public struct ReceiverIdentity: Equatable, Sendable {
    public var family: ReceiverFamily
    /// `NEO-M8N`, `L76`, …; `nil` when it does not say.
    public var model: String?
    public var firmware: String?
    /// u-blox protocol version in hundredths (18.00 is 1800), which decides between CFG-* and CFG-VALSET.
    public var protocolVersion: Int?

    public init(family: ReceiverFamily, model: String? = nil, firmware: String? = nil, protocolVersion: Int? = nil) {
        self.family = family
        self.model = model
        self.firmware = firmware
        self.protocolVersion = protocolVersion
    }
}
