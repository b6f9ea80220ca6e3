import GNSSCodecs
import Testing
import TrackerModel

@Suite("From sentences to a fix")
struct FixTests {
    private static let rmc = "GPRMC,120000.00,A,4807.038,N,01131.000,E,10.0,084.4,010126,,,A"
    private static let gga = "GPGGA,120000.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
    private static let gsa3D = "GPGSA,A,3,02,07,04,13,20,10,16,23,08,,,,1.5,0.9,1.2"
    private static let gsa2D = "GPGSA,A,2,02,07,04,,,,,,,,,,1.5,0.9,1.2"

    private func rmc(speed: String = "10.0", course: String = "084.4", mode: String = "A") -> String {
        "GPRMC,120000.00,A,4807.038,N,01131.000,E,\(speed),\(course),010126,,,\(mode)"
    }

    private func gga(
        quality: String = "1", satellites: String = "08", hdop: String = "0.9", altitude: String = "545.4"
    ) -> String {
        "GPGGA,120000.00,4807.038,N,01131.000,E,\(quality),\(satellites),\(hdop),\(altitude),M,46.9,M,,"
    }

    @Test("RMC, GGA and GSA make one fix")
    func complete() throws {
        let fix = try #require(onlyFix(of: Self.gga, Self.gsa3D, Self.rmc))
        #expect(fix.time == UTCTime(millis: 1_767_268_800_000))
        #expect(abs(fix.coordinate.latitude - 48.1173) < 1e-9 && abs(fix.coordinate.longitude - 11.516_666_667) < 1e-9)
        #expect(abs(fix.accuracyM - 1.0675 * 0.9 * 5) < 1e-9)
        #expect(fix.altitudeM == 545.4)
        #expect(abs((fix.speedMps ?? 0) - 5.14444) < 1e-9)
        #expect(fix.courseDeg == 84.4)
        #expect(fix.mode == .threeD && fix.satellitesUsed == 8 && fix.hdop == 0.9)
        #expect(fix.provider == .gnss && !fix.isMock)
    }

    @Test("Every talker is read (E-015)", arguments: ["GP", "GL", "GA", "GB", "GN", "GQ", "GI", "BD", "QZ", "II"])
    func talkers(talker: String) {
        #expect(onlyFix(of: talker + Self.gga.dropFirst(2), talker + Self.rmc.dropFirst(2))?.altitudeM == 545.4)
    }

    @Test("Row 1: void, mode N and quality 0 are no fix, whatever the other sentence says")
    func noFix() {
        #expect(onlyFix(of: Self.gga, "GPRMC,120000.00,V,4807.038,N,01131.000,E,10.0,084.4,010126,,,A") == nil)
        #expect(onlyFix(of: Self.gga, rmc(mode: "N")) == nil)
        #expect(onlyFix(of: gga(quality: "0"), Self.rmc) == nil)
        #expect(onlyFix(of: gga(quality: "")) == nil)
    }

    @Test("An empty quality denies nothing that RMC affirms")
    func emptyQuality() { #expect(onlyFix(of: gga(quality: ""), Self.rmc) != nil) }

    @Test("The navigational status of NMEA 4.1 does not void a fix")
    func navigationalStatus() { #expect(onlyFix(of: Self.rmc + ",V") != nil) }

    @Test("Row 2: estimated positions are dead reckoning (E-017)")
    func deadReckoning() {
        #expect(onlyFix(of: gga(quality: "6"), Self.rmc)?.provider == .deadReckoning)
        #expect(onlyFix(of: Self.gga, rmc(mode: "E"))?.provider == .deadReckoning)
    }

    @Test("Row 3: manual and simulated positions are marked (E-018)", arguments: ["7", "8"], ["M", "S"])
    func mock(quality: String, mode: String) {
        #expect(onlyFix(of: gga(quality: quality), Self.rmc)?.isMock == true)
        #expect(onlyFix(of: Self.gga, rmc(mode: mode))?.isMock == true)
    }

    @Test("GST comes before HDOP and is the 68 % radius of its two axes")
    func gst() throws {
        let fix = try #require(onlyFix(of: Self.gga, Self.rmc, "GPGST,120000.00,9,9,9,9,3.0,4.0,6.5"))
        // The first epoch of a receiver closes with RMC and GGA; GST is awaited from the second on.
        #expect(abs(fix.accuracyM - 1.0675 * 0.9 * 5) < 1e-9)
        let awaited = try #require(
            onlyFix(of: "GPGST,120000.00,9,9,9,9,3.0,4.0,6.5", Self.gga, Self.rmc))
        #expect(abs(awaited.accuracyM - 1.5096 * 3.535_533_905_9) < 1e-9)
        #expect(awaited.verticalAccuracyM == 6.5)
    }

    @Test("HDOP is multiplied with the configured range error")
    func uere() throws {
        let fix = try #require(onlyFix(of: gga(hdop: "2.0"), Self.rmc, config: GNSSDecoderConfig(uereM: 3)))
        #expect(abs(fix.accuracyM - 6.405) < 1e-9)
    }

    @Test(
        "HDOP over 20, 99.99, 0 and absent say nothing about accuracy (E-016)", arguments: ["20.1", "99.99", "0.0", ""])
    func unknownAccuracy(hdop: String) throws {
        let fix = try #require(onlyFix(of: gga(hdop: hdop), Self.rmc))
        #expect(fix.accuracyM.isNaN)
        #expect(fix.hdop == (hdop == "20.1" ? 20.1 : nil))
    }

    @Test("A 2-D fix has no altitude and at least 15 m (E-021)")
    func twoD() throws {
        let fix = try #require(onlyFix(of: Self.gga, Self.gsa2D, Self.rmc))
        #expect(fix.mode == .twoD && fix.altitudeM == nil && fix.accuracyM == 15)
    }

    @Test("Without GSA an altitude makes a fix 3-D")
    func inferredMode() {
        #expect(onlyFix(of: Self.gga, Self.rmc)?.mode == .threeD)
        #expect(onlyFix(of: gga(altitude: ""), Self.rmc)?.mode == .twoD)
        #expect(onlyFix(of: Self.rmc)?.mode == .twoD)
    }

    @Test("Fewer than 4 satellites give at least 25 m (E-022)")
    func fewSatellites() {
        #expect(onlyFix(of: gga(satellites: "03"), Self.rmc)?.accuracyM == 25)
        #expect(onlyFix(of: gga(satellites: "04"), Self.rmc)?.accuracyM ?? 99 < 5)
    }

    @Test("Satellites and HDOP come from GSA where GGA is silent")
    func fromGSA() throws {
        let fix = try #require(
            onlyFix(of: Self.gsa3D.replacing("GPGSA", with: "GPGSA"), gga(satellites: "", hdop: ""), Self.rmc))
        #expect(fix.satellitesUsed == 9 && fix.hdop == 0.9)
    }

    @Test("A receiver error below 1 m is 1 m (E-036)")
    func floor() { #expect(onlyFix(of: "GPGST,120000.00,,,,,0.01,0.02,0.03", Self.gga, Self.rmc)?.accuracyM == 1) }

    @Test(
        "Course needs its field and 0.8 m/s (E-039)",
        arguments: [
            ("0.4", "084.4", nil), ("1.55", "084.4", nil), ("1.56", "084.4", 84.4), ("10", "", nil), ("", "084.4", nil),
            ("10", "360.0", 0), ("10", "0.0", 0), ("10", "400.0", nil), ("10", "-5.0", nil),
        ] as [(String, String, Double?)])
    func course(speed: String, course: String, expected: Double?) {
        #expect(onlyFix(of: Self.gga, rmc(speed: speed, course: course))?.courseDeg == expected)
    }

    @Test("Speed 0 is a measurement, an empty or negative field is none")
    func speed() {
        #expect(onlyFix(of: Self.gga, rmc(speed: "0.0"))?.speedMps == 0)
        #expect(onlyFix(of: Self.gga, rmc(speed: ""))?.speedMps == nil)
        #expect(onlyFix(of: Self.gga, rmc(speed: "-1.0"))?.speedMps == nil)
    }

    @Test("VTG counts only where it says itself that it is valid (E-037)")
    func vtg() {
        #expect(onlyFix(of: Self.gga, "GPVTG,054.7,T,034.4,M,10.0,N,18.5,K,A")?.courseDeg == 54.7)
        #expect(onlyFix(of: Self.gga, "GPVTG,054.7,T,034.4,M,10.0,N,18.5,K,N")?.speedMps == nil)
        #expect(onlyFix(of: Self.gga, "GPVTG,054.7,T,034.4,M,10.0,N,18.5,K")?.speedMps == nil)
    }

    @Test("The instant of a fix is its first byte less the latency, receipt its last byte")
    func instants() throws {
        var bench = Bench(GNSSDecoderConfig(outputLatencyMillis: 80))
        let text = sentence(Self.gga) + sentence(Self.rmc)
        bench.feed(String(text.prefix(20)), atMillis: 1_000)
        bench.feed(String(text.dropFirst(20).prefix(80)), atMillis: 1_030)
        bench.feed(String(text.dropFirst(100)), atMillis: 1_060)
        let fix = try #require(bench.fixes.first)
        #expect(fix.instant == Instant(millis: 920))
        #expect(fix.receivedAt == Instant(millis: 1_060))
    }
}
