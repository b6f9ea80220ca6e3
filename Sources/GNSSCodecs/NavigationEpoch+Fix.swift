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

    /// True when the receiver says that it has a position and none of RMC and GGA denies it (spec capture §2.4 row 1),
    /// and the position is really there (F-08). GNS, PUBX and GLL, in this order, are asked only where those are
    /// missing: the modes of GNS are of the constellations it knows, others may have the fix (E-031).
    @inline(__always)
    var hasFix: Bool {
        if let rmc, !rmc.claimsFix { return false }
        if gga?.quality == 0 { return false }
        if rmc == nil, gga?.quality == nil {
            // An empty quality field confirms nothing: then another sentence must.
            if let gns {
                guard gns.isFix else { return false }
            } else if let status = pubx.status {
                guard status.isFix else { return false }
            } else {
                guard let gll, gll.isActive else { return false }
            }
        }
        return position != nil
    }

    @inline(__always)
    var position: Coordinate? {
        gga?.coordinate ?? rmc?.coordinate ?? gns?.coordinate ?? pubx.coordinate ?? gll?.coordinate
    }

    /// The solution; call only where `hasFix`. It changes nothing: it is mutating, and what it asks for is inlined, so
    /// that the epoch, which is large, is not copied for it.
    /// - Parameter carried: completed from this epoch, and completes it.
    mutating func fix(
        at position: Coordinate, time: UTCTime?, config: GNSSDecoderConfig, carried: inout CarriedQuality
    ) -> TrackFix {
        carried.take(mode: ownMode, hdop: ownHDOP, satellites: ownSatellites, at: firstByteAt)
        let (hdop, satellites) = (carried.hdop, carried.satellites)
        // Nobody says it: three satellites give no height.
        let mode = carried.mode ?? (altitudeM != nil && satellites ?? 4 >= 4 ? .threeD : .twoD)
        let speedMps = speedMps
        var fix = TrackFix(
            time: time, instant: firstByteAt.advanced(byMillis: -config.outputLatencyMillis), receivedAt: lastByteAt,
            coordinate: position,
            accuracyM: accuracyM(mode: mode, hdop: hdop, satellites: satellites, config))
        fix.speedMps = speedMps
        fix.courseDeg = courseDeg(at: speedMps)
        if mode == .threeD {
            fix.altitudeM = altitudeM
            fix.verticalAccuracyM = positive(gst.altitudeM) ?? positive(gbs.altitudeM) ?? positive(pubx.verticalM)
        }
        fix.provider = isDeadReckoning ? .deadReckoning : .gnss
        fix.isMock = isMock
        fix.mode = mode
        fix.satellitesUsed = satellites
        fix.hdop = known(hdop)
        fix.pdop = known(gsa.pdop)
        fix.vdop = known(gsa.vdop ?? pubx.vdop)
        return fix
    }

    private func positive(_ value: Double?) -> Double? { value.flatMap { $0 > 0 ? $0 : nil } }
    private func known(_ dilution: Double?) -> Double? { dilution.flatMap { $0 > 0 && $0 < 99 ? $0 : nil } }

    /// As GSA says it, or PUBX.
    @inline(__always)
    private var ownMode: FixMode? {
        switch gsa.mode {
        case 3: return .threeD
        case 2: return .twoD
        default: break
        }
        switch pubx.status {
        case .threeD: return .threeD
        case .twoD: return .twoD
        default: return nil
        }
    }

    @inline(__always)
    private var altitudeM: Double? { gga?.altitudeM ?? gns?.altitudeM }

    /// A GGA that counts fewer than a fix needs counts only its own constellation, or not at all: then the others are
    /// asked too.
    @inline(__always)
    private var ownSatellites: Int? {
        if let satellites = gga?.satellites, satellites >= 4 { return satellites }
        let listed = gsa.satellites > 0 ? gsa.satellites : -1
        let counted = max(gga?.satellites ?? -1, max(gns?.satellites ?? -1, pubx.satellites ?? -1))
        let most = max(counted, listed)
        return most < 0 ? nil : most
    }

    /// 0 is how some receivers write that they do not know.
    @inline(__always)
    private var ownHDOP: Double? {
        positive(gga?.hdop) ?? positive(gns?.hdop) ?? positive(pubx.hdop) ?? positive(gsa.hdop)
    }

    @inline(__always)
    private var isDeadReckoning: Bool {
        if gga?.quality == 6 || rmc?.mode == UInt8(ascii: "E") || pubx.status == .deadReckoning { return true }
        guard rmc == nil, gga == nil else { return false }
        return gns?.isEstimated ?? (gll?.mode == UInt8(ascii: "E"))
    }

    @inline(__always)
    private var isMock: Bool {
        if let quality = gga?.quality, quality == 7 || quality == 8 { return true }
        if (rmc?.mode).isMock || (gll?.mode).isMock { return true }
        return gns?.isMock ?? false
    }

    /// Not negative. From RMC, which is active here, else from a VTG that says itself that it is valid, else from PUBX.
    @inline(__always)
    var speedMps: Double? {
        let knots = rmc?.speedKnots ?? (isVTGValid ? vtg.speedKnots : nil)
        let given = knots.map { $0 * Self.knotMps } ?? pubx.speedKmh.map { $0 / 3.6 }
        return given.flatMap { $0 >= 0 ? $0 : nil }
    }

    @inline(__always)
    private func courseDeg(at speedMps: Double?) -> Double? {
        guard let speedMps, speedMps >= Self.slowestCourseMps,
            let course = rmc?.courseDeg ?? (isVTGValid ? vtg.courseDeg : nil) ?? pubx.courseDeg
        else { return nil }
        if course == 360 { return 0 }
        return (0..<360).contains(course) ? course : nil
    }

    @inline(__always)
    private var isVTGValid: Bool { vtg.mode != nil && vtg.mode != UInt8(ascii: "N") }

    /// The 68 % radius (spec capture §3) with the floors and the refusal of §2.5; NaN when nothing tells it. PUBX has
    /// what UBX calls hAcc, the first source of §3; GBS is of the same kind as GST.
    @inline(__always)
    private func accuracyM(mode: FixMode, hdop: Double?, satellites: Int?, _ config: GNSSDecoderConfig) -> Double {
        if let hdop, hdop > 20 { return .nan }
        var radius: Double
        if let horizontal = positive(pubx.horizontalM) {
            radius = horizontal * config.hAccScale
        } else if let sigma = sigma(gst.latitudeM, gst.longitudeM) ?? sigma(gbs.latitudeM, gbs.longitudeM) {
            radius = Self.sigmasOf68Percent * sigma
        } else if let hdop, hdop > 0 {
            radius = Self.hdopFactor * hdop * config.uereM
        } else {
            return .nan
        }
        if mode == .twoD { radius = max(radius, 15) }
        if let satellites, satellites < 4 { radius = max(radius, 25) }
        return min(max(radius, 1), 10_000)
    }

    private func sigma(_ north: Double?, _ east: Double?) -> Double? {
        guard let north, let east, north > 0, east > 0 else { return nil }
        return ((north * north + east * east) / 2).squareRoot()
    }
}

extension UInt8? {
    /// Mode M, entered by hand, or S, simulated.
    fileprivate var isMock: Bool { self == UInt8(ascii: "M") || self == UInt8(ascii: "S") }
}
