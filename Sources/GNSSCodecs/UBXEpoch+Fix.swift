import TrackerModel

extension UBXEpoch {
    /// Below this speed a course is noise (spec capture §2.4).
    private static let slowestCourseMps = 0.8
    /// Beyond this a course is not used (spec capture §2.4).
    private static let worstCourseAccuracyDeg = 25.0
    /// From here on the speed is not known (spec capture §2.4).
    private static let unknownSpeedAccuracyMps = 10.0
    /// An accuracy the receiver does not know.
    private static let unknownAccuracy = UInt32.max

    /// The receiver says that it has a position (spec capture §2.4 row 1), and the position is really there.
    var hasFix: Bool { isFixOK && (1...4).contains(fixType) && coordinate != nil }

    /// The solution; `nil` without a fix.
    func fix(time: UTCTime?, config: GNSSDecoderConfig) -> TrackFix? {
        guard hasFix, let coordinate else { return nil }
        var fix = TrackFix(
            time: time, instant: firstByteAt.advanced(byMillis: -config.outputLatencyMillis), receivedAt: lastByteAt,
            coordinate: coordinate, accuracyM: accuracyM(scale: config.hAccScale))
        let motion = motion
        fix.speedMps = motion.speedMps
        fix.speedAccuracyMps = motion.speedMps == nil ? nil : motion.speedAccuracyMps
        if let speed = motion.speedMps, speed >= Self.slowestCourseMps,
            motion.courseAccuracyDeg ?? 0 <= Self.worstCourseAccuracyDeg
        {
            fix.courseDeg = motion.courseDeg
            fix.courseAccuracyDeg = motion.courseAccuracyDeg
        }
        if fixType != 2, let height = heightM {
            fix.altitudeM = height.altitude
            fix.verticalAccuracyM = height.accuracy
        }
        fix.provider = fixType == 1 ? .deadReckoning : fixType == 4 ? .gnssDeadReckoning : .gnss
        fix.mode = fixType == 2 ? .twoD : .threeD
        fix.satellitesUsed = satellites
        fix.hdop = hdop.flatMap { $0 > 0 && $0 < 99 ? $0 : nil }
        return fix
    }

    private var fixType: UInt8 { pvt?.fixType ?? sol?.gpsFix ?? status?.gpsFix ?? 0 }

    private var isFixOK: Bool { (pvt?.flags ?? sol?.flags ?? status?.flags ?? 0) & 1 != 0 }

    private var satellites: Int? { (pvt?.satellites ?? sol?.satellites).map(Int.init) }

    private var hdop: Double? { dop.map { Double($0.hdopE2) / 100 } }

    private var coordinate: Coordinate? {
        if let precise = precisePosition, !precise.isInvalid {
            return Coordinate(
                latitude: Double(precise.latitudeE9) / 1e9, longitude: Double(precise.longitudeE9) / 1e9)
        }
        if let pvt {
            return pvt.isPositionInvalid
                ? nil : Coordinate(latitudeE7: pvt.latitudeE7, longitudeE7: pvt.longitudeE7)
        }
        if let position {
            return Coordinate(latitudeE7: position.latitudeE7, longitudeE7: position.longitudeE7)
        }
        return sol.flatMap(UBXCartesian.init)?.coordinate
    }

    /// Above mean sea level; `nil` when its accuracy is not above 0 or unknown (spec capture §2.4).
    private var heightM: (altitude: Double, accuracy: Double)? {
        if let precise = precisePosition, !precise.isInvalid {
            return Self.height(precise.heightMSLTenthMM, accuracy: precise.vAccTenthMM, unitsPerMetre: 1e4)
        }
        if let pvt { return Self.height(Int64(pvt.heightMSLMM), accuracy: pvt.vAccMM, unitsPerMetre: 1e3) }
        return position.flatMap { Self.height(Int64($0.heightMSLMM), accuracy: $0.vAccMM, unitsPerMetre: 1e3) }
    }

    private static func height(
        _ height: Int64, accuracy: UInt32, unitsPerMetre: Double
    ) -> (altitude: Double, accuracy: Double)? {
        guard accuracy > 0, accuracy != unknownAccuracy else { return nil }
        return (Double(height) / unitsPerMetre, Double(accuracy) / unitsPerMetre)
    }

    /// The 68 % radius (spec capture §3) with the floors and the refusal of §2.5; NaN when nothing tells it. NAV-SOL
    /// alone gives only a spherical error, which is no smaller than the horizontal one.
    private func accuracyM(scale: Double) -> Double {
        if let hdop, hdop > 20 { return .nan }
        let reported: Double?
        if let precise = precisePosition, !precise.isInvalid {
            reported = Self.metres(precise.hAccTenthMM, perMetre: 1e4)
        } else if let pvt {
            reported = Self.metres(pvt.hAccMM, perMetre: 1e3)
        } else if let position {
            reported = Self.metres(position.hAccMM, perMetre: 1e3)
        } else {
            reported = sol.flatMap { Self.metres($0.pAccCM, perMetre: 1e2) }
        }
        guard var radius = reported.map({ $0 * scale }) else { return .nan }
        if fixType == 2 { radius = max(radius, 15) }
        if let satellites, satellites < 4 { radius = max(radius, 25) }
        return min(max(radius, 1), 10_000)
    }

    private static func metres(_ accuracy: UInt32, perMetre: Double) -> Double? {
        accuracy > 0 && accuracy != unknownAccuracy ? Double(accuracy) / perMetre : nil
    }

    private struct Motion {
        var speedMps: Double?
        var speedAccuracyMps: Double?
        var courseDeg: Double?
        var courseAccuracyDeg: Double?
    }

    private var motion: Motion {
        var motion = Motion()
        if let pvt {
            motion.speedMps = Double(pvt.groundSpeedMMS) / 1e3
            motion.speedAccuracyMps = Double(pvt.sAccMMS) / 1e3
            motion.courseDeg = Double(pvt.headingE5) / 1e5
            motion.courseAccuracyDeg = Double(pvt.headAccE5) / 1e5
        } else if let velocity {
            motion.speedMps = Double(velocity.groundSpeedCMS) / 1e2
            motion.speedAccuracyMps = Double(velocity.sAccCMS) / 1e2
            motion.courseDeg = Double(velocity.headingE5) / 1e5
            motion.courseAccuracyDeg = Double(velocity.headAccE5) / 1e5
        } else if let sol, let cartesian = UBXCartesian(sol) {
            motion.speedMps = cartesian.speedMps
            motion.speedAccuracyMps = Double(sol.sAccCMS) / 1e2
            motion.courseDeg = cartesian.courseDeg
        }
        if let accuracy = motion.speedAccuracyMps, accuracy >= Self.unknownSpeedAccuracyMps { motion.speedMps = nil }
        if let speed = motion.speedMps, speed < 0 { motion.speedMps = nil }
        // 0 is no accuracy: not reported.
        if motion.speedAccuracyMps == 0 { motion.speedAccuracyMps = nil }
        if motion.courseAccuracyDeg == 0 { motion.courseAccuracyDeg = nil }
        if let course = motion.courseDeg {
            let turned = course.truncatingRemainder(dividingBy: 360)
            let positive = turned < 0 ? turned + 360 : turned
            motion.courseDeg = positive < 360 ? positive : 0
        }
        return motion
    }
}
