import TrackerModel

/// A decoded sentence. Times are milliseconds of the day; what the receiver left empty is `nil`.
enum NMEASentence {
    case rmc(RMC)
    case gga(GGA)
    case gns(GNS)
    case gll(GLL)
    case gsa(GSA)
    case gsv(GSV)
    case gst(GST)
    case gbs(GBS)
    case vtg(VTG)
    case zda(ZDA)
    case pubx(PUBX)
    case other

    /// Recommended minimum data.
    struct RMC {
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

        /// False when the sentence says that there is no fix.
        var claimsFix: Bool { isActive && mode != UInt8(ascii: "N") }
    }

    /// Fix data.
    struct GGA {
        var timeOfDay: Int?
        var coordinate: Coordinate?
        /// 0 none, 1 autonomous, 2 differential, 4 and 5 RTK, 6 estimated, 7 manual, 8 simulated.
        var quality: Int?
        var satellites: Int?
        var hdop: Double?
        /// Metres above mean sea level.
        var altitudeM: Double?
    }

    /// Fix data of several constellations.
    struct GNS {
        var timeOfDay: Int?
        var coordinate: Coordinate?
        /// At least one constellation has a mode other than N.
        var isFix: Bool
        /// All of those are E.
        var isEstimated: Bool
        /// One of them is M or S.
        var isMock: Bool
        var satellites: Int?
        var hdop: Double?
        /// Metres above mean sea level.
        var altitudeM: Double?
    }

    /// Position and time.
    struct GLL {
        var timeOfDay: Int?
        var coordinate: Coordinate?
        /// Status A and, where there is one, a mode other than N.
        var isActive: Bool
        var mode: UInt8?
    }

    /// Error statistics, 1 σ metres.
    struct GST {
        var timeOfDay: Int?
        var latitudeM: Double?
        var longitudeM: Double?
        var altitudeM: Double?
    }

    /// Expected errors of the solution as its integrity check sees them, 1 σ metres.
    struct GBS {
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

    /// Date and time; also made of `PUBX,04`.
    struct ZDA {
        var timeOfDay: Int?
        var date = DateField.absent
        /// False while the receiver uses its built-in count of leap seconds (`PUBX,04` marks it with D).
        var isFullyResolved = true
    }
}
