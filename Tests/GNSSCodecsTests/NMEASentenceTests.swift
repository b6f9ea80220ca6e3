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
        let sentence = Array(body.utf8).withUnsafeBufferPointer { bytes in
            try? NMEASentence(NMEASentence.Kind(address: bytes), body: bytes)
        }
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
        case .gst(let gst): "\(text(gst.latitudeM)) \(text(gst.longitudeM)) \(text(gst.altitudeM))"
        case .vtg(let vtg): "\(text(vtg.courseDeg)) \(text(vtg.speedKnots))"
        case .zda(let zda): "\(text(zda.timeOfDay)) \(zda.date)"
        case .gns(let timeOfDay): text(timeOfDay)
        case .gsv, .other: "not read"
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
        "GSA, GST, VTG, ZDA and GNS",
        arguments: [
            Row("GPGSA,A,3,02,07,04,13,20,10,16,23,08,,,,1.5,0.9,1.2", "3 n9 h0.9"),
            Row("GNGSA,A,2,65,66,73,81,82,,,,,,,,1.6,1.3,0.9,2", "2 n5 h1.3"),
            Row("GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9", "1 n0 h99.9"),
            Row("GPGSA,A,1,,,,,,,,,,,,,,,,", "1 n0 h-"),
            Row("GPGSA,A,3,23,13,07,25,,,,,,,,,,,,,,,,,,,,,09.2,07.2,05.7", "3 n4 h7.2"),
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
            Row("GNGNS,112257.00,3844.24011,N,00908.43828,W,AN,03,10.5,,,,", "40977000"),
            Row("GPGLL,3844.24011,N,00908.43828,W,112257.00,A,A", "not read"),
        ])
    func others(row: Row) { #expect(read(row.body) == row.expected) }

    @Test("Positions are exact to 1e-9 minute and never go through single precision")
    func exact() {
        for (text, degrees) in [("4807.0380000", 48 + 7.038 / 60), ("4807.123456789", 48 + 7.123456789 / 60)] {
            let angle = Array(text.utf8).withUnsafeBufferPointer { try? NMEAField(bytes: $0).angle() }
            #expect(abs((angle ?? 0) - degrees) < 1e-13)
        }
    }
}
