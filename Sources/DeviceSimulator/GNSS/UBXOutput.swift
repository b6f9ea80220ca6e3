import CLinux
import Glibc
import TrackerModel
import WireText

/// A solution in the frames of a u-blox. Layouts from the interface descriptions of u-blox 6 (GPS.G6-SW-10018), M8
/// (UBX-13003221) and M10 (UBX-21035062).
struct UBXOutput: Sendable {
    let family: SimulatedFamily
    let solution: NavigationSolution
    let satellites: [SatelliteSky.Satellite]
    /// Since the receiver started.
    let uptimeMillis: Int
    /// Start-up to the first fix; 0 before it.
    let firstFixMillis: Int
    /// Of the satellites that it uses.
    let hasEphemeris: Bool

    /// The frame of one message; empty for what is no UBX.
    func bytes(_ message: ReceiverMessage) -> [UInt8] {
        let payload: PayloadWriter
        switch message {
        case .navPVT: payload = navPVT
        case .navSOL: payload = navSOL
        case .navPOSLLH: payload = navPOSLLH
        case .navVELNED: payload = navVELNED
        case .navTIMEUTC: payload = navTIMEUTC
        case .navSTATUS: payload = navSTATUS
        case .navDOP: payload = navDOP
        case .navSAT: payload = navSAT
        case .navSVINFO: payload = navSVINFO
        case .navEOE: payload = epochStart
        case .monHW: payload = monHW
        case .monRF: payload = monRF
        case .secSIG: payload = secSIG
        default: return []
        }
        return UBXFrame.bytes(message.ubxID, payload.bytes)
    }

    private var navPVT: PayloadWriter {
        var out = epochStart
        civilTime(&out)
        let known = (solution.knowsDate ? 1 : 0) | (solution.knowsTime ? 2 : 0)
        let resolved = solution.knowsDate && solution.knowsTime && solution.knowsLeapSeconds ? 4 : 0
        out.u1(known | resolved)
        out.u4(solution.knowsTime ? 30 : 0xFFFF_FFFF)
        // Nanoseconds that are added to the whole second.
        out.i4(solution.civil.millis * 1_000_000)
        out.u1(fixType)
        out.u1(solution.hasFix ? 1 : 0)
        // Date and time confirmed by a second source, as far as that is available.
        out.u1(solution.knowsDate && solution.knowsTime ? 0xE0 : 0x20)
        out.u1(solution.satellitesUsed)
        position(&out)
        out.u4(millimetres(solution.horizontalAccuracyM))
        out.u4(millimetres(solution.verticalAccuracyM))
        for speed in [solution.northMps, solution.eastMps, solution.downMps, solution.speedMps] {
            out.i4(millimetres(speed))
        }
        out.i4(Int(solution.courseDeg * 1e5))
        out.u4(millimetres(solution.speedAccuracyMps))
        out.u4(solution.hasCourse ? 150_000 : 18_000_000)
        out.u2(Int(min(99.99, solution.hdop * 1.8) * 100))
        // The place of the last fix is marked as invalid.
        out.u1(solution.hasFix ? 0 : 1)
        out.zeros(13)
        return out
    }

    private var navPOSLLH: PayloadWriter {
        var out = epochStart
        position(&out)
        out.u4(millimetres(solution.horizontalAccuracyM))
        out.u4(millimetres(solution.verticalAccuracyM))
        return out
    }

    private var navVELNED: PayloadWriter {
        var out = epochStart
        for speed in [solution.northMps, solution.eastMps, solution.downMps] { out.i4(Int((speed * 100).rounded())) }
        let vertical = solution.downMps * solution.downMps
        out.u4(Int(((solution.speedMps * solution.speedMps + vertical).squareRoot() * 100).rounded()))
        out.u4(Int((solution.speedMps * 100).rounded()))
        out.i4(Int(solution.courseDeg * 1e5))
        out.u4(Int(solution.speedAccuracyMps * 100))
        out.u4(solution.hasCourse ? 150_000 : 18_000_000)
        return out
    }

    private var navTIMEUTC: PayloadWriter {
        var out = epochStart
        out.u4(solution.knowsTime ? 30 : 0xFFFF_FFFF)
        out.i4(solution.civil.millis * 1_000_000)
        civilTime(&out)
        // Time of week and week number are known before the leap seconds are.
        let gps = (solution.knowsTime ? 1 : 0) | (solution.knowsDate ? 2 : 0)
        out.u1(gps | (gps == 3 && solution.knowsLeapSeconds ? 4 : 0))
        return out
    }

    private var navSTATUS: PayloadWriter {
        var out = epochStart
        out.u1(fixType)
        out.u1((solution.hasFix ? 1 : 0) | weekFlags)
        out.u1(0)
        out.u1(solution.spoofing << 3)
        out.u4(firstFixMillis)
        out.u4(uptimeMillis)
        return out
    }

    private var navDOP: PayloadWriter {
        var out = epochStart
        // Geometric, position, time, vertical, horizontal, northing, easting.
        for factor in [2.0, 1.8, 1.1, 1.5, 1, 0.7, 0.7] { out.u2(Int(min(99.99, solution.hdop * factor) * 100)) }
        return out
    }

    private var navSOL: PayloadWriter {
        var out = epochStart
        out.i4(0)
        out.i2(solution.gpsWeek)
        out.u1(fixType)
        out.u1((solution.hasFix ? 1 : 0) | weekFlags)
        let earth = EarthCentred(solution)
        for metres in earth.position { out.i4(Int((metres * 100).rounded())) }
        out.u4(Int(solution.horizontalAccuracyM * 100))
        for speed in earth.velocity { out.i4(Int((speed * 100).rounded())) }
        out.u4(Int(solution.speedAccuracyMps * 100))
        out.u2(Int(min(99.99, solution.hdop * 1.8) * 100))
        out.u1(0)
        out.u1(solution.satellitesUsed)
        out.u4(0)
        return out
    }

    private var navSAT: PayloadWriter {
        var out = epochStart
        out.u1(1)
        out.u1(satellites.count)
        out.u2(0)
        for satellite in satellites {
            out.u1(satellite.system.rawValue)
            out.u1(satellite.number)
            out.u1(satellite.signal)
            out.i1(satellite.elevationDeg)
            out.i2(satellite.azimuthDeg)
            out.i2(0)
            // Quality 4 (code locked) or 7, used, healthy; bit 11: its ephemeris is there.
            let quality = satellite.signal == 0 ? 1 : satellite.isUsed ? 0x1F : 0x14
            out.u4(satellite.isUsed && hasEphemeris ? quality | 0x800 : quality)
        }
        return out
    }

    private var navSVINFO: PayloadWriter {
        var out = epochStart
        out.u1(satellites.count)
        out.u1(family == .ublox6 ? 2 : 4)
        out.u2(0)
        for (channel, satellite) in satellites.enumerated() {
            out.u1(channel)
            // GPS from 1, Galileo from 211, GLONASS from 65 (NAV-SVINFO numbering).
            let base = satellite.system == .gps ? 0 : satellite.system == .galileo ? 210 : 64
            out.u1(base + satellite.number)
            out.u1(satellite.isUsed ? 0x0D : 0)
            out.u1(satellite.signal == 0 ? 1 : satellite.isUsed ? 7 : 4)
            out.u1(satellite.signal)
            out.i1(satellite.elevationDeg)
            out.i2(satellite.azimuthDeg)
            out.i4(0)
        }
        return out
    }

    /// 60 bytes from u-blox 7 on, 68 before; the antenna and the jamming indicator are what the model fills.
    private var monHW: PayloadWriter {
        var out = PayloadWriter()
        out.zeros(16)
        out.u2(95)
        out.u2(4_000)
        out.u1(solution.antenna)
        out.u1(solution.antenna == 4 ? 0 : 1)
        out.u1(1)
        out.u1(0)
        out.u4(0)
        let pins = family == .ublox6 ? 25 : 17
        out.zeros(pins)
        out.u1(solution.jamming)
        out.zeros(2 + 12)
        return out
    }

    private var monRF: PayloadWriter {
        var out = PayloadWriter()
        out.u1(0)
        out.u1(1)
        out.u2(0)
        out.u1(0)
        // Jamming state: 1 well, 2 warning, 3 critical.
        out.u1(solution.jamming >= 200 ? 3 : solution.jamming >= 100 ? 2 : 1)
        out.u1(solution.antenna)
        out.u1(solution.antenna == 4 ? 0 : 1)
        out.u4(0)
        out.u4(0)
        out.u2(95)
        out.u2(4_000)
        out.u1(solution.jamming)
        out.zeros(7)
        return out
    }

    /// Version 1: jamming detection and state, spoofing detection and state.
    private var secSIG: PayloadWriter {
        var out = PayloadWriter()
        out.u1(1)
        out.zeros(3)
        out.u1(1 | (solution.jamming >= 200 ? 3 : 1) << 1)
        out.zeros(3)
        out.u1(1 | solution.spoofing << 1)
        out.zeros(3)
        return out
    }

    // MARK: Parts

    private var epochStart: PayloadWriter {
        var out = PayloadWriter()
        out.u4(solution.weekMillis)
        return out
    }

    private func civilTime(_ out: inout PayloadWriter) {
        let civil = solution.civil
        out.u2(civil.year)
        for part in [civil.month, civil.day, civil.hour, civil.minute, civil.second] { out.u1(part) }
    }

    /// Degrees of 1e-7, heights over the ellipsoid and the sea in millimetres.
    private func position(_ out: inout PayloadWriter) {
        out.i4(Int(((solution.position?.longitude ?? 0) * 1e7).rounded()))
        out.i4(Int(((solution.position?.latitude ?? 0) * 1e7).rounded()))
        out.i4(millimetres(solution.altitudeM + solution.separationM))
        out.i4(millimetres(solution.altitudeM))
    }

    private var fixType: Int { solution.hasFix ? (solution.quality == 6 ? 1 : solution.is3D ? 3 : 2) : 0 }
    private var weekFlags: Int { (solution.knowsDate ? 4 : 0) | (solution.knowsTime ? 8 : 0) }
    private func millimetres(_ metres: Double) -> Int { Int((metres * 1_000).rounded()) }
}
