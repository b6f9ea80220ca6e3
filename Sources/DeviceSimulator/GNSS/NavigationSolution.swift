import TrackerModel
import WireText

/// What a receiver believes in one epoch, before it is put into a protocol.
struct NavigationSolution: Equatable, Sendable {
    /// UTC as the receiver shows it.
    var utc: UTCTime
    /// The second that ends a minute of 61; `utc` is then the last ordinary one.
    var isLeapSecond = false
    var knowsTime = true
    var knowsDate = true
    /// False while the number of leap seconds is a guess.
    var knowsLeapSeconds = true
    /// GPS weeks and milliseconds of the week.
    var gpsWeek = 0
    var weekMillis = 0

    /// NMEA quality: 0 none, 1 GPS, 6 estimated, 7 manual, 8 simulated.
    var quality = 0
    var is3D = true
    /// `nil`: not known at all. Present with quality 0 right after a hot start.
    var position: Coordinate?
    var altitudeM = 480.0
    /// Height of the geoid over the ellipsoid.
    var separationM = 47.9
    var northMps = 0.0
    var eastMps = 0.0
    var downMps = 0.0
    var speedMps = 0.0
    var courseDeg = 0.0
    /// Below walking pace a receiver leaves the course out of its sentences.
    var hasCourse = false
    /// 68 % radius, metres.
    var horizontalAccuracyM = 4_000_000.0
    var verticalAccuracyM = 4_000_000.0
    var speedAccuracyMps = 20.0
    var hdop = 99.99
    /// Signals that go into the solution.
    var satellitesUsed = 0

    /// 0 unknown, 1 none, 2 indicated, 3 several indications (UBX NAV-STATUS spoofDetState).
    var spoofing = 1
    /// 0…255, 255 the strongest.
    var jamming = 5
    /// UBX MON-HW aStatus: 2 well, 3 short, 4 open.
    var antenna = 2

    /// The radius that holds 68 % over the deviation on an axis.
    static let accuracyFactor = 1.509_6
    /// Errors grow so when a receiver tracks cyclically: the makers say that they do and not by how much; an assumption.
    static let cyclicFactor = 1.4

    /// A parked receiver's Doppler shows 0.0…0.3 knots.
    static func speedMps(_ truth: Journey.TrueState, _ draw: ReceiverErrors.Draw) -> Double {
        truth.speedMps == 0 ? min(0.154, abs(draw.speedMps) * 0.6) : max(0, truth.speedMps + draw.speedMps)
    }

    var hasFix: Bool { quality != 0 }

    /// The civil time that is shown; second 60 in a leap second.
    var civil: CivilTime {
        var civil = CivilTime(utc)
        if isLeapSecond { civil.second = 60 }
        return civil
    }
}
