import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("Reading sentences")
struct NMEASentenceTests {
    /// What a row of the table expects: `nil` for a sentence that is refused whole.
    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        let expected: String?
        var testDescription: String { body }
        init(_ body: String, _ expected: String?) { (self.body, self.expected) = (body, expected) }
    }

    private func read(_ body: String) -> String? {
        var (framer, isComplete) = (NMEAFramer(), false)
        for byte in sentence(body).utf8 where framer.push(byte) == .sentence { isComplete = true }
        #expect(isComplete)
        let sentence = framer.withText { try? $0.sentence($0.kind) }
        func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "-" }
        func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "-" }
        func place(_ value: Coordinate?) -> String { value.map { "\($0.latitude) \($0.longitude)" } ?? "-" }
        return switch sentence {
        case nil: nil
        case .rmc(let rmc):
            "\(text(rmc.timeOfDay)) \(rmc.isActive ? "A" : "V") \(place(rmc.coordinate)) "
                + "\(text(rmc.speedKnots)) \(text(rmc.courseDeg)) \(rmc.date)"
        case .gga(let gga):
            "\(text(gga.timeOfDay)) \(place(gga.coordinate)) q\(text(gga.quality)) n\(text(gga.satellites)) "
                + "h\(text(gga.hdop)) \(text(gga.altitudeM))"
        case .gsa(let gsa): "\(text(gsa.mode)) n\(gsa.satellites) h\(text(gsa.hdop))"
        case .gns(let gns):
            "\(text(gns.timeOfDay)) \(place(gns.coordinate)) \(gns.isFix ? "fix" : "none")"
                + (gns.isEstimated ? " estimated" : "") + (gns.isMock ? " mock" : "")
                + " n\(text(gns.satellites)) h\(text(gns.hdop)) \(text(gns.altitudeM))"
        case .gll(let gll): "\(text(gll.timeOfDay)) \(gll.isActive ? "A" : "V") \(place(gll.coordinate))"
        case .gbs(let gbs): "\(text(gbs.latitudeM)) \(text(gbs.longitudeM)) \(text(gbs.altitudeM))"
        case .gsv(let gsv):
            "\(gsv.number)/\(gsv.total) s\(gsv.signal)"
                + [gsv.satellites.0, gsv.satellites.1, gsv.satellites.2, gsv.satellites.3].compactMap { $0 }.map {
                    let angles = "\(text($0.elevationDeg.map { Int($0) })) \(text($0.azimuthDeg.map { Int($0) }))"
                    return ", \($0.id.constellation) \($0.id.number) \(angles) \(text($0.cn0DBHz.map { Int($0) }))"
                }.joined()
        case .pubx(let pubx):
            "\(text(pubx.timeOfDay)) \(place(pubx.coordinate)) \(pubx.status.map { "\($0)" } ?? "-") a\(text(pubx.horizontalM)) "
                + "v\(text(pubx.speedKmh)) c\(text(pubx.courseDeg)) h\(text(pubx.hdop)) n\(text(pubx.satellites))"
        case .gst(let gst): "\(text(gst.latitudeM)) \(text(gst.longitudeM)) \(text(gst.altitudeM))"
        case .vtg(let vtg): "\(text(vtg.courseDeg)) \(text(vtg.speedKnots))"
        case .zda(let zda): "\(text(zda.timeOfDay)) \(zda.date)\(zda.isFullyResolved ? "" : " leap seconds unknown")"
        case .other: "not read"
        }
    }

    @Test(
        "RMC",
        arguments: [
            Row(
                "GPRMC,122226.000,A,4648.1952,N,00707.6116,E,54.38,245.50,030410,,,A",
                "44546000 A 46.80325333333333 7.12686 54.38 245.5 day(14702)"),
            Row("GPRMC,122226,A,3130.0,S,00000.06,W,0.0,,290224,,", "44546000 A -31.5 -0.001 0.0 - day(19782)"),
            Row("GNRMC,,V,,,,,,,,,,N", "- V - - - absent"),
            Row("GNRMC,000000.00,V,,,,,,,050826,,,N,V", "0 V - - - day(20670)"),
            Row("GPRMC,235960.5,A,0000.0,N,00000.0,E,,,010120,,,A,V", "86400500 A 0.0 0.0 - - day(18262)"),
            Row("GPRMC,120000.999,A,8959.999999999,N,17959.999999999,W,1.,.5,010126,,", rmcFar),
            // Minutes 60 without a fix mean nothing; with one they are damage.
            Row("GPRMC,071732.929,V,8960.0000,N,00000.0000,E,0.00,0.00,111111,,,N", "26252929 V - 0.0 0.0 day(15289)"),
            Row("GPRMC,071732.929,A,8960.0000,N,00000.0000,E,0.00,0.00,111111,,,N", nil),
            // Impossible dates do not cost the position.
            Row("GPRMC,000231.099,A,4829.0005,N,00022.0015,E,,,2208-1,,,A", rmcOddDate),
            Row("GPRMC,000231.099,A,4829.0005,N,00022.0015,E,,,000000,,,A", rmcOddDate),
            Row("GPRMC,000231.099,A,4829.0005,N,00022.0015,E,,,290223,,,A", rmcOddDate),
            Row("GPRMC,000231.099,A,4829.0005,N,00022.0015,E,,,060180,,,A", rmcOddDate),
            // F-01: too few fields; and their neighbours.
            Row("GPRMC,181536.000,A,5936.79K,D", nil),
            Row("GPRMC,122226.000,A,4648.1952,N,00707.6116,E,54.38,245.50,030410", nil),
            Row("GPRMC,122226.000,A,4648.1952,N,00707.6116,E,54.38,245.50,030410,,,A,V,,", nil),
            Row("GPRMC,122226.000,X,4648.1952,N,00707.6116,E,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,242226.000,A,4648.1952,N,00707.6116,E,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,126026.000,A,4648.1952,N,00707.6116,E,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,122261.000,A,4648.1952,N,00707.6116,E,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,1222,A,4648.1952,N,00707.6116,E,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,122226.000,A,4648.1952,,00707.6116,E,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,122226.000,A,4648.1952,N,00707.6116,,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,122226.000,A,4648.1952,E,00707.6116,N,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,122226.000,A,4648.1952,N,,E,54.38,245.50,030410,,,A", nil),
            Row("GPRMC,122226.000,A,4648.1952,N,00707.6116,E,5x.38,245.50,030410,,,A", nil),
            Row("GPRMC,122226.000,A,4648.1952,N,00707.6116,E,54.3.8,245.50,030410,,,A", nil),
        ])
    func rmc(row: Row) { #expect(read(row.body) == row.expected) }

    private static let rmcOddDate = "151099 A 48.48334166666667 0.3666916666666667 - - unbelievable"
    private static let rmcFar =
        "43200999 A \(Double(5_399_999_999_999) / 60e9) -\(Double(10_799_999_999_999) / 60e9) 1.0 0.5 day(20454)"

    @Test(
        "GGA",
        arguments: [
            Row(
                "GPGGA,122227.000,4648.1893,N,00707.5912,E,1,09,0.9,681.6,M,48.0,M,,0000",
                "44547000 46.803155 7.12652 q1 n9 h0.9 681.6"),
            Row("GPGGA,,,,,,0,00,99.99,,,,,,", "- - q0 n0 h99.99 -"),
            Row("GNGGA,074150.799,,,,,0,00,,,M,0.0,M,,0000,", "27710799 - q0 n0 h- -"),
            Row(
                "GPGGA,112257.00,3844.24011,N,00908.43828,W,1,03,10.5,,,,,,",
                "40977000 38.7373351666 -9.140638 q1 n3 h10.5 -"),
            Row(
                "GPGGA,112257.00,3844.24011,N,00908.43828,W,2,12,0.7,-30.4,M,-13.9,M,1.0,0120",
                "40977000 38.7373351666 -9.140638 q2 n12 h0.7 -30.4"),
            // F-05: no leading zero in the longitude, and its neighbours.
            Row(
                "GPGGA,105855.085,4521.3579,N,1026.6634,E,1,4,0.9,10,M,,,,",
                "39535085 45.355965 10.44439 q1 n4 h0.9 10.0"),
            Row("GPGGA,105855.085,521.3579,N,26.6634,W,1,4,0.9,10,M,,,,", "39535085 5.355965 -0.44439 q1 n4 h0.9 10.0"),
            Row(
                "GPGGA,105855.085,1.3579,N,10026.6634,E,1,4,0.9,10,M,,,,",
                "39535085 0.0226316666 100.44439 q1 n4 h0.9 10.0"),
            // F-04: a minus sign inside the field.
            Row("GPGGA,134740.200,3403.130,N,-11814.617,W,1,12,1.0,0.0,M,0.0,M,,", nil),
            Row("GPGGA,134740.200,-3403.130,S,11814.617,W,1,12,1.0,0.0,M,0.0,M,,", nil),
            Row("GPGGA,134740.200,3403.130,N,118-14.617,W,1,12,1.0,0.0,M,0.0,M,,", nil),
            Row("GPGGA,134740.200,3403.130,N,11860.000,W,1,12,1.0,0.0,M,0.0,M,,", nil),
            Row("GPGGA,134740.200,3403.130,N,011814.617,W,1,12,1.0,0.0,M,0.0,M,,", nil),
            Row("GPGGA,134740.200,3403.130,N,.617,W,1,12,1.0,0.0,M,0.0,M,,", nil),
            Row("GPGGA,|19322|1.00,|2037.|72792,N,08704.08478,W,1,04,1.7,-30.40,M,-13.9,M,,", nil),
            Row("GPGGA,122227.000,4648.1893,N,00707.5912,E,1,09,0.9,681.6,M,48.0,M", nil),
        ])
    func gga(row: Row) {
        let text = read(row.body)
        guard let expected = row.expected else {
            #expect(text == nil)
            return
        }
        // The table gives degrees to ten places.
        let parts = (text ?? "refused").split(separator: " "), wanted = expected.split(separator: " ")
        #expect(parts.count == wanted.count)
        for (part, want) in zip(parts, wanted) {
            #expect(part == want || part.hasPrefix(want), "\(part) is not \(want)")
        }
    }

    @Test(
        "GSA, GST, VTG and ZDA",
        arguments: [
            Row("GPGSA,A,3,02,07,04,13,20,10,16,23,08,,,,1.5,0.9,1.2", "3 n9 h0.9"),
            Row("GNGSA,A,2,65,66,73,81,82,,,,,,,,1.6,1.3,0.9,2", "2 n5 h1.3"),
            Row("GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9", "1 n0 h99.9"),
            Row("GPGSA,A,1,,,,,,,,,,,,,,,,", "1 n0 h-"),
            Row("GPGSA,A,3,23,13,07,25,,,,,,,,,,,,,,,,,,,,,09.2,07.2,05.7", "3 n4 h7.2"),
            Row("BDGSA,A,3,02,03,04,,,,,,,,,,2.1,1.1,1.8,1.2", "3 n3 h1.1"),
            Row("GPGSA,A,3,02,07,04", nil),
            Row("GPGST,112257.00,0.387,317.719,3.872,1.791,317.563,10.659,180.746", "317.563 10.659 180.746"),
            Row("GPGST,112257.00,,,,,,,", "- - -"),
            Row("GPGST,112257.00,1,2,3", nil),
            Row("GPVTG,339.1,T,333.5,M,0.1,N,0.1,K,A", "339.1 0.1"),
            Row("GPVTG,,T,,M,,N,,K,N", "- -"),
            Row("GPVTG,54.7,T,34.4,M,5.5,N,10.2,K", "54.7 5.5"),
            Row("GPVTG,54.7,34.4,5.5,10.2", nil),
            Row("GPZDA,112257.00,22,03,2012,,", "40977000 day(15421)"),
            Row("GPZDA,112257.00,,,,,", "40977000 absent"),
            Row("GPZDA,112257.00,31,02,2012,00,00", "40977000 unbelievable"),
            Row("GPZDA,112257.00,22,03,1992,00,00", "40977000 unbelievable"),
        ])
    func others(row: Row) { #expect(read(row.body) == row.expected) }

    @Test(
        "GNS, GLL and GBS",
        arguments: [
            Row(
                "GNGNS,112257.00,3844.24,N,00908.43,W,AN,03,10.5,,,,",
                "40977000 38.73733333333333 -9.1405 fix n3 h10.5 -"),
            Row("GNGNS,120000.00,,,,,NN,00,99.9,,,,", "43200000 - none estimated n0 h99.9 -"),
            Row(
                "GNGNS,120000.00,0030.0,N,00030.0,E,EEN,04,1.2,10.5,39.5,,,V",
                "43200000 0.5 0.5 fix estimated n4 h1.2 10.5"),
            Row("GNGNS,120000.00,0030.0,N,00030.0,E,AANS,04,1.2,10.5,39.5,,", "43200000 0.5 0.5 fix mock n4 h1.2 10.5"),
            Row("GNGNS,120000.00,0030.0,N,00030.0,E,AXN,04,1.2,10.5,39.5,,", nil),
            Row("GNGNS,120000.00,0030.0,N,,,AAN,04,1.2,10.5,39.5,,", nil),
            Row("GNGNS,120000.00,0030.0,N,00030.0,E,AAN,04,1.2,10.5", nil),
            Row("GNGNS,120000.00,0030.0,N,00030.0,E,AAN,04,-1.2,10.5,39.5,,", nil),
            Row("GPGLL,0030.0,S,00030.0,W,112257.00,A,A", "40977000 A -0.5 -0.5"),
            Row("GPGLL,0030.0,N,00030.0,E,112257,A", "40977000 A 0.5 0.5"),
            Row("GPGLL,0030.0,N,00030.0,E,112257.00,A,N", "40977000 V 0.5 0.5"),
            Row("GPGLL,,,,,001901.00,V,N", "1141000 V -"),
            Row("GPGLL,3728.0549,N,12213.8639,W,014413.076,N,V", nil),
            Row("GPGLL,0030.0,N,00030.0,E", nil),
            Row("GPGBS,194907.00,3.0,1.9,4.2,,,,", "3.0 1.9 4.2"),
            Row("GNGBS,194907.00,3.0,1.9,4.2,23,0.0,0.0,0.0,1,1", "3.0 1.9 4.2"),
            Row("GPGBS,194907.00,3.0,1.9,4.2", nil),
        ])
    func positions(row: Row) { #expect(read(row.body) == row.expected) }

    @Test(
        "GSV of every system and numbering",
        arguments: [
            Row(
                "GPGSV,3,1,12,02,46,305,41,15,,,25,33,29,043,18,193,34,332,",
                "1/3 s0, gps 2 46 305 41, gps 15 - - 25, sbas 120 29 43 18, qzss 1 34 332 -"),
            Row("GLGSV,2,2,07,83,30,149,,84,80,313,00,85,22,360,17,1", glonass),
            Row("GAGSV,1,1,00,7", "1/1 s55"),
            Row("GAGSV,1,1,02,33,63,121,35,301,05,010,20,7", "1/1 s55, galileo 33 63 121 35, galileo 1 5 10 20"),
            Row("BDGSV,1,1,02,214,55,153,40,208,01,299,", "1/1 s0, beidou 14 55 153 40, beidou 8 1 299 -"),
            Row("GBGSV,2,2,06,14,55,175,46,40,29,043,18,B", "2/2 s66, beidou 14 55 175 46, beidou 40 29 43 18"),
            Row("PQGSV,1,1,02,02,20,116,,03,,,,0,4", "1/1 s52, beidou 2 20 116 -, beidou 3 - - -"),
            Row("GPGSV,1,1,02,02,20,116,,03,,,,0,4", nil),
            Row("PQGSV,1,1,02,02,20,116,,03,,,,4", "1/1 s52, beidou 2 20 116 -, beidou 3 - - -"),
            Row("QZGSV,1,1,01,193,34,332,,,,,,,,,,,,,", "1/1 s0, qzss 1 34 332 -"),
            Row("GIGSV,1,1,01,05,34,332,30", "1/1 s0, navic 5 34 332 30"),
            Row("GNGSV,1,1,02,401,34,332,30,78,-1,10,22.7", "1/1 s0, beidou 1 34 332 30, glonass 14 -1 10 22"),
            // Numbers that no system has are left out.
            Row("GPGSV,1,1,02,111,34,332,30,00,34,332,30", "1/1 s0"),
            Row("GPGSV,0,0,00", "0/0 s0"),
            Row("GPGSV,1,2,01,02,46,305,41", nil),
            Row("GPGSV,1,1,01,02,96,305,41", nil),
            Row("GPGSV,1,1,01,02,46,361,41", nil),
            Row("GPGSV,1,1,01,02,46,305,141", nil),
            Row("GPGSV,1,1,01,02,46", nil),
        ])
    func satellites(row: Row) { #expect(read(row.body) == row.expected) }

    private static let glonass = "2/2 s49, glonass 19 30 149 -, glonass 20 80 313 -, glonass 21 22 0 17"

    @Test(
        "PUBX,00 and PUBX,04",
        arguments: [
            Row(
                "PUBX,00,103607.00,5330.0,N,00030.0,W,104.461,G3,29,31,0.085,39.63,-0.007,,5.88,7.62,8.09,6,0,0",
                "38167000 53.5 -0.5 threeD a29.0 v0.085 c39.63 h5.88 n6"),
            Row("PUBX,00,081350.00,,,,,,NF,530,3755,0.000,0.00,0.000,,99.99,99.99,99.99,0,0,0", pubxNone),
            Row("PUBX,00,103607.00,5330.0,N,00030.0,W,104.461,XX,29,31,0,0,0,,5.88,7.62,8.09,6,0,0", nil),
            Row("PUBX,00,103607.00,5330.0,N,00030.0,W,104.461,G3,29,31", nil),
            Row(
                "PUBX,04,073731.00,091202,113851.00,1196,15D,1930035,-2660.664,43,",
                "27451000 day(12030) leap seconds unknown"),
            Row("PUBX,04,103607.00,060321,556567.00,2147,18,-384839,-53.623,16", "38167000 day(18692)"),
            Row("PUBX,04,103607.00,060321", nil),
            Row("PUBX,03,23,1,-,014,06,08,000", "not read"),
            Row("PUBX,40,GLL,1,0,0,0,0,0", "not read"),
        ])
    func ublox(row: Row) { #expect(read(row.body) == row.expected) }

    private static let pubxNone = "29630000 - none a530.0 v0.0 c0.0 h99.99 n0"

    @Test("Positions are exact to 1e-9 minute and never go through single precision")
    func exact() {
        for (text, degrees) in [("4807.0380000", 48 + 7.038 / 60), ("4807.123456789", 48 + 7.123456789 / 60)] {
            let angle = Array(text.utf8).withUnsafeBufferPointer { try? NMEAField(bytes: $0).angle() }
            #expect(abs((angle ?? 0) - degrees) < 1e-13)
        }
    }
}
