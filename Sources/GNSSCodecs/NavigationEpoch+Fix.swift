import TrackerModel

extension NavigationEpoch {
    /// Metres per second of one knot (spec capture §2.2).
    private static let knotMps = 0.514_444
    /// Below this speed a course is noise (spec capture §2.4).
    private static let slowestCourseMps = 0.8
    /// Radius that holds 68 % of a circular error, in σ of one axis (spec capture §3).
    private static let sigmasOf68Percent = 1.5096
    /// The same for a one-dimensional range error times HDOP: 1.5096 / √2.
    private static let hdopFactor = 1.0675

    /// True when the receiver says that it has a position and none of its sentences denies it (spec capture §2.4
    /// row 1), and the position is really there (F-08).
    var hasFix: Bool {
        if let rmc, !NMEASentence.rmc(rmc).claimsFix { return false }
        if let gga, !NMEASentence.gga(gga).claimsFix { return false }
        // An empty quality field confirms nothing: then RMC must.
        guard rmc != nil || gga?.quality != nil else { return false }
        return position != nil
    }

    private var position: Coordinate? { gga?.coordinate ?? rmc?.coordinate }

    /// The solution; call only where `hasFix`.
    func fix(time: UTCTime?, config: GNSSDecoderConfig) -> TrackFix? {
        guard let position else { return nil }
        let mode = mode
        let speedMps = speedKnots.flatMap { $0 >= 0 ? $0 * Self.knotMps : nil }
        var fix = TrackFix(
            time: time, instant: firstByteAt.advanced(byMillis: -config.outputLatencyMillis), receivedAt: lastByteAt,
            coordinate: position, accuracyM: accuracyM(mode: mode, uereM: config.uereM))
        fix.speedMps = speedMps
        fix.courseDeg = courseDeg(at: speedMps)
        if mode == .threeD {
            fix.altitudeM = gga?.altitudeM
            fix.verticalAccuracyM = gst?.altitudeM.flatMap { $0 > 0 ? $0 : nil }
        }
        fix.provider = isDeadReckoning ? .deadReckoning : .gnss
        fix.isMock = isMock
        fix.mode = mode
        fix.satellitesUsed = satellitesUsed
        fix.hdop = hdop.flatMap { $0 > 0 && $0 < 99 ? $0 : nil }
        return fix
    }

    /// GSA says it; without GSA a fix with an altitude is taken for 3-D, one without for 2-D.
    private var mode: FixMode {
        switch gsa?.mode {
        case 3: .threeD
        case 2: .twoD
        default: gga?.altitudeM != nil ? .threeD : .twoD
        }
    }

    private var satellitesUsed: Int? { gga?.satellites ?? gsa.flatMap { $0.satellites > 0 ? $0.satellites : nil } }

    private var hdop: Double? { gga?.hdop ?? gsa?.hdop }

    private var isDeadReckoning: Bool { gga?.quality == 6 || rmc?.mode == UInt8(ascii: "E") }

    private var isMock: Bool {
        if let quality = gga?.quality, quality == 7 || quality == 8 { return true }
        return rmc?.mode == UInt8(ascii: "M") || rmc?.mode == UInt8(ascii: "S")
    }

    /// From RMC, which is active here, else from a VTG that says itself that it is valid.
    private var speedKnots: Double? { rmc?.speedKnots ?? validVTG?.speedKnots }

    private func courseDeg(at speedMps: Double?) -> Double? {
        guard let speedMps, speedMps >= Self.slowestCourseMps, let course = rmc?.courseDeg ?? validVTG?.courseDeg
        else { return nil }
        if course == 360 { return 0 }
        return (0..<360).contains(course) ? course : nil
    }

    private var validVTG: NMEASentence.VTG? {
        guard let vtg, let mode = vtg.mode, mode != UInt8(ascii: "N") else { return nil }
        return vtg
    }

    /// The 68 % radius (spec capture §3) with the floors and the refusal of §2.5; NaN when nothing tells it.
    private func accuracyM(mode: FixMode, uereM: Double) -> Double {
        if let hdop, hdop > 20 { return .nan }
        var radius: Double
        if let north = gst?.latitudeM, let east = gst?.longitudeM, north > 0, east > 0 {
            radius = Self.sigmasOf68Percent * ((north * north + east * east) / 2).squareRoot()
        } else if let hdop, hdop > 0 {
            radius = Self.hdopFactor * hdop * uereM
        } else {
            return .nan
        }
        if mode == .twoD { radius = max(radius, 15) }
        if let satellitesUsed, satellitesUsed < 4 { radius = max(radius, 25) }
        return min(max(radius, 1), 10_000)
    }
}
