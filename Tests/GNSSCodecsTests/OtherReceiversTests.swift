import GNSSCodecs
import TestKit
import Testing
import TrackerModel
import WireText

@Suite("Receivers that send something else")
struct OtherReceiversTests {
    private static let place = "4807.038,N,01131.000,E"
    private static let zda = sentence("GNZDA,120000.00,01,12,2026,,")
    private static func rmc(_ second: Int, place: String = place, speed: String = "10.0") -> String {
        sentence("GPRMC,1200\(second < 10 ? "0" : "")\(second).00,A,\(place),\(speed),084.4,011226,,,A")
    }

    @Test("GNS alone gives fixes")
    func gns() throws {
        var bench = Bench()
        bench.play((0..<8).map { sentence("GNGNS,12000\($0).00,\(Self.place),AAN,09,0.9,545.4,46.9,,,V") })
        #expect(bench.fixes.count == 8)
        let fix = try #require(bench.fixes.last)
        #expect(fix.altitudeM == 545.4 && fix.satellitesUsed == 9 && fix.hdop == 0.9 && fix.mode == .threeD)
        #expect(abs(fix.accuracyM - 4.80375) < 1e-9)
    }

    @Test("E-031: GNS knows no fix of its constellations, RMC has one")
    func otherConstellation() {
        #expect(
            onlyFix(
                of: "GNRMC,120000.00,A,\(Self.place),10.0,084.4,010126,,,A",
                "GNGNS,120000.00,,,,,NN,00,99.99,,,,") != nil)
        #expect(onlyFix(of: "GNGNS,120000.00,\(Self.place),NN,00,99.9,,,,") == nil)
        #expect(onlyFix(of: "GNGNS,120000.00,\(Self.place),NNA,05,1.0,,,,") != nil)
    }

    @Test("GNS of dead reckoning and of a simulator are marked (E-017, E-018)")
    func gnsModes() {
        #expect(onlyFix(of: "GNGNS,120000.00,\(Self.place),EEN,05,1.0,,,,")?.provider == .deadReckoning)
        #expect(onlyFix(of: "GNGNS,120000.00,\(Self.place),AEN,05,1.0,,,,")?.provider == .gnss)
        #expect(onlyFix(of: "GNGNS,120000.00,\(Self.place),SN,05,1.0,,,,")?.isMock == true)
    }

    @Test("GLL and GSA alone give fixes, a void GLL none")
    func gll() throws {
        var bench = Bench()
        let gsa = sentence("GPGSA,A,3,02,07,04,13,20,,,,,,,,1.5,0.9,1.2")
        bench.play((0..<8).map { sentence("GPGLL,\(Self.place),12000\($0).00,A,A") + gsa })
        #expect(bench.fixes.count == 8)
        let fix = try #require(bench.fixes.last)
        #expect(fix.mode == .threeD && fix.satellitesUsed == 5 && fix.hdop == 0.9 && fix.altitudeM == nil)
        bench.play([sentence("GPGLL,,,,,120010.00,V,N") + gsa], fromMillis: 20_000)
        #expect(bench.outputs.last?.isNoFix == true)
    }

    @Test("A GLL of another time is no epoch of a receiver that sends RMC and GGA")
    func gllBeside() {
        var bench = Bench()
        bench.play(
            (0..<8).map { Self.rmc($0) + sentence("GPGLL,\(Self.place),12000\($0 + 1).00,A") })
        #expect(bench.outputs.filter { $0.fix != nil || $0.isNoFix }.count == 8)
    }

    @Test("GBS gives the accuracy where there is no GST, before HDOP")
    func gbs() {
        var bench = Bench()
        bench.play((0..<4).map { Self.rmc($0) + sentence("GPGBS,12000\($0).00,3.0,4.0,4.2,,,,") })
        #expect(bench.fixes.count == 4)
        #expect(bench.fixes.dropFirst().allSatisfy { abs($0.accuracyM - 15) < 1e-9 })
        var both = Bench()
        let gga = sentence("GPGGA,120000.00,\(Self.place),1,08,0.9,545.4,M,46.9,M,,")
        both.feed(
            sentence("GPGBS,120000.00,3.0,4.0,4.2,,,,") + sentence("GPGST,120000.00,,,,,30.0,40.0,65") + gga,
            atMillis: 0)
        both.finish()
        #expect(both.fixes.first.map { abs($0.accuracyM - 1.5096 * 35.355_339_059) < 1e-6 } == true)
    }

    @Test("PUBX,00 alone gives fixes, PUBX,04 their date once the leap seconds are known")
    func pubx() throws {
        func burst(_ second: Int, leap: String) -> String {
            sentence("PUBX,04,12000\(second).00,011226,216000.00,2447,\(leap),-384839,-53.623,16")
                + sentence("PUBX,00,12000\(second).00,\(Self.place),104.4,G3,2.9,3.1,36.0,39.6,0,,0.9,1.2,1,6,0,0")
        }
        var bench = Bench()
        bench.play([burst(0, leap: "18D"), burst(1, leap: "18")])
        #expect(bench.fixes.map { $0.time.map(TimeText.iso) } == [nil, "2026-12-01T12:00:01.000Z"])
        let fix = try #require(bench.fixes.last)
        #expect(fix.speedMps == 10 && fix.courseDeg == 39.6 && fix.accuracyM == 2.9 && fix.altitudeM == nil)
        #expect(fix.mode == .threeD && fix.satellitesUsed == 6)
    }

    @Test("HDOP and satellites of the last GGA hold for 5 s, and not over a loss of fix")
    func carried() {
        var bench = Bench()
        let gga = sentence("GPGGA,120000.00,\(Self.place),1,08,0.9,545.4,M,46.9,M,,")
        bench.play([gga + Self.rmc(0)] + (1...8).map { Self.rmc($0) })
        #expect(bench.fixes.map { $0.accuracyM.isNaN } == [false, false, false, false, false, false, true, true, true])
        #expect(bench.fixes[3].satellitesUsed == 8 && bench.fixes[3].hdop == 0.9)
        var lost = Bench()
        lost.play([gga + Self.rmc(0), sentence("GPRMC,120001.00,V,,,,,,,011226,,,N"), Self.rmc(2)])
        #expect(lost.fixes.last?.accuracyM.isNaN == true)
    }

    @Test("F-20: a frozen position with moving time and speed is told once for each episode")
    func frozen() {
        var bench = Bench()
        bench.play((0..<59).map { Self.rmc($0) })
        #expect(bench.diagnostics == ["gnss_position_frozen"])
        var resting = Bench()
        resting.play((0..<59).map { Self.rmc($0, speed: "1.9") })
        #expect(resting.diagnostics.isEmpty)
        var moving = Bench()
        moving.play((0..<59).map { Self.rmc($0, place: "4807.0\($0 + 10),N,01131.000,E") })
        #expect(moving.diagnostics.isEmpty)
    }

    @Test("E-010: a receiver whose time stands still gives one fix and one diagnostic")
    func stalled() {
        var bench = Bench()
        bench.play((0..<60).map { _ in Self.rmc(0) })
        #expect(bench.fixes.count == 1)
        #expect(bench.diagnostics == ["gnss_time_stalled"])
    }

    @Test("E-012: the epoch of the leap second is kept and the one that follows is its duplicate")
    func leapSecond() {
        var bench = Bench()
        bench.play(
            [
                "235959.00,A,\(Self.place),1,2,311216", "235960.00,A,\(Self.place),1,2,311216",
                "000000.00,A,\(Self.place),1,2,010117", "000001.00,A,\(Self.place),1,2,010117",
            ]
            .map { sentence("GPRMC,\($0),,,A") })
        #expect(
            bench.fixes.map { $0.time.map(TimeText.iso) } == [
                "2016-12-31T23:59:59.000Z", "2017-01-01T00:00:00.000Z", "2017-01-01T00:00:01.000Z",
            ])
        #expect(bench.decoder.counters.duplicateEpochs == 1 && bench.diagnostics.isEmpty)
    }

    @Test("E-028: ten epochs a second are ten fixes")
    func tenHertz() {
        var bench = Bench()
        for tenth in 0..<50 {
            let time = "12000\(tenth / 10).\(tenth % 10)0"
            bench.feed(
                sentence("GNRMC,\(time),A,\(Self.place),10.0,084.4,011226,,,A")
                    + sentence("GNGGA,\(time),\(Self.place),1,08,0.9,545.4,M,46.9,M,,"),
                atMillis: 1_000 + Int64(tenth) * 100)
        }
        #expect(bench.fixes.count == 50)
        #expect(bench.fixes.compactMap { $0.time?.millis }.sorted() == bench.fixes.compactMap { $0.time?.millis })
    }

    @Test("E-025: a hot start that shows the last position before it has a fix gives none")
    func hotStart() {
        var bench = Bench()
        bench.play(
            (0..<5).map {
                sentence("GPGGA,12000\($0).00,\(Self.place),0,00,99.9,545.4,M,46.9,M,,")
                    + sentence("GPRMC,12000\($0).00,V,\(Self.place),0.0,0.0,011226,,,N")
            })
        #expect(bench.fixes.isEmpty)
    }

    @Test(
        "E-032, E-034, E-041, E-042: positions at the edges reach the boundary as they are",
        arguments: [
            ("0000.000,N,00000.000,E", false), ("9000.000,N,00000.000,E", true), ("9000.001,N,00000.000,E", false),
            ("0000.001,N,18000.000,W", true), ("0000.001,S,18000.001,W", false), ("8959.999,S,17959.999,E", true),
        ])
    func edges(place: String, isValid: Bool) {
        #expect(onlyFix(of: "GPRMC,120000.00,A,\(place),10.0,084.4,011226,,,A")?.coordinate.isValid == isValid)
    }

    @Test("E-033, E-035, E-038: letters for numbers refuse the sentence, errors of 0 say nothing")
    func notNumbers() {
        #expect(onlyFix(of: "GPGGA,120000.00,nan,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,") == nil)
        #expect(onlyFix(of: "GPGGA,120000.00,\(Self.place),1,08,inf,545.4,M,46.9,M,,") == nil)
        #expect(
            onlyFix(of: "GPGST,120000.00,,,,,0.0,0.0,0.0", "GPGGA,120000.00,\(Self.place),1,08,,545.4,M,46.9,M,,")
                .map { $0.accuracyM.isNaN && $0.verticalAccuracyM == nil } == true)
    }

    @Test("E-040: a course of 360 is 0")
    func fullCircle() {
        #expect(onlyFix(of: "GPRMC,120000.00,A,\(Self.place),10.0,360.0,011226,,,A")?.courseDeg == 0)
    }

    @Test("E-001: one flipped bit in 50 sentences costs at most the epochs it is in")
    func flippedBits() {
        var random = SeededRandom(seed: 11)
        let bursts = (0..<50).map { second in
            Array(
                (Self.rmc(second, place: "4807.0\(second + 10),N,01131.000,E")
                    + sentence(
                        "GPGGA,1200\(second < 10 ? "0" : "")\(second).00,4807.0\(second + 10),N,01131.000,E,1,08,0.9,5,M,4,M,,"
                    )).utf8)
        }
        var clean = Bench(), damaged = Bench()
        for (second, burst) in bursts.enumerated() {
            clean.feed(String(decoding: burst, as: UTF8.self), atMillis: Int64(second) * 1_000)
            clean.expire(atMillis: Int64(second) * 1_000 + 500)
            var bytes = burst
            if second % 25 == 7 { bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << 3 }
            var outputs: [GNSSOutput] = []
            damaged.decoder.feed(bytes, at: Instant(millis: Int64(second) * 1_000)) { outputs.append($0) }
            damaged.take(outputs)
            damaged.expire(atMillis: Int64(second) * 1_000 + 500)
        }
        let whole = Set(clean.fixes.map { "\($0.coordinate) \(String(describing: $0.time))" })
        let seen = damaged.fixes.map { "\($0.coordinate) \(String(describing: $0.time))" }
        #expect(clean.fixes.count == 50 && seen.count >= 48)
        #expect(seen.allSatisfy { whole.contains($0) })
    }
}
