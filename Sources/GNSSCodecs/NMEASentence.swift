import TrackerModel

/// A decoded sentence. Times are milliseconds of the day; what the receiver left empty is `nil`.
enum NMEASentence {
    case rmc(RMC)
    case gga(GGA)
    case gsa(GSA)
    case gst(GST)
    case vtg(VTG)
    case zda(ZDA)
    /// GNS: only its time is used, to see an epoch begin.
    case gns(timeOfDay: Int?)
    case gsv
    case other

    /// False when this RMC or GGA says that there is no fix.
    var claimsFix: Bool {
        switch self {
        case .rmc(let rmc): rmc.isActive && rmc.mode != UInt8(ascii: "N")
        case .gga(let gga): gga.quality != 0
        default: true
        }
    }

    /// Recommended minimum data.
    struct RMC {
        /// The two letters before `RMC`.
        var talker: UInt16
        var timeOfDay: Int?
        /// Status A; V and an empty field are not.
        var isActive: Bool
        var coordinate: Coordinate?
        var speedKnots: Double?
        var courseDeg: Double?
        var date: DateField
        /// NMEA 2.3: A, D, E, F, M, N, P, R, S. The navigational status of 4.1 is not read: receivers that do not
        /// provide it send V with a good fix.
        var mode: UInt8?
    }

    /// Fix data.
    struct GGA {
        /// The two letters before `GGA`; some receivers send one for each constellation.
        var talker: UInt16
        var timeOfDay: Int?
        var coordinate: Coordinate?
        /// 0 none, 1 autonomous, 2 differential, 4 and 5 RTK, 6 estimated, 7 manual, 8 simulated.
        var quality: Int?
        var satellites: Int?
        var hdop: Double?
        /// Metres above mean sea level.
        var altitudeM: Double?
    }

    /// Active satellites; one sentence for each constellation.
    struct GSA {
        /// 1 none, 2 2-D, 3 3-D.
        var mode: Int?
        var satellites: Int
        var hdop: Double?
    }

    /// Error statistics, 1 σ metres.
    struct GST {
        var timeOfDay: Int?
        var latitudeM: Double?
        var longitudeM: Double?
        var altitudeM: Double?
    }

    /// Course and speed over ground.
    struct VTG {
        var courseDeg: Double?
        var speedKnots: Double?
        var mode: UInt8?
    }

    /// Date and time.
    struct ZDA {
        var timeOfDay: Int?
        var date: DateField
    }
}
