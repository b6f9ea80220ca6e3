import GNSSCodecs
import Testing
import TrackerModel
import WireText

@Suite("The time of a fix")
struct EpochTimeTests {
    private func times(_ bursts: String..., everyMillis step: Int64 = 1_000) -> [String] {
        var bench = Bench()
        for (index, burst) in bursts.enumerated() {
            bench.feed(burst, atMillis: 1_000 + Int64(index) * step)
            bench.expire(atMillis: 1_000 + Int64(index) * step + 500)
        }
        return bench.fixes.map { $0.time.map(TimeText.iso) ?? "unknown" }
    }

    private func rmc(_ time: String, _ date: String) -> String {
        sentence("GPRMC,\(time),A,3819.167,N,02133.090,E,0,0,\(date),,,A")
    }

    private func gga(_ time: String) -> String {
        sentence("GPGGA,\(time),3819.167,N,02133.090,E,1,09,0.9,10,M,,M,,")
    }

    @Test("F-01: a sentence cut short under a right checksum changes nothing")
    func cutShort() {
        var bench = Bench()
        bench.play([
            "$GPRMC,181535.000,A,5936.7900,N,01803.1200,E,0.10,25.0,270820,,,A*62\r\n",
            "$GPRMC,181536.000,A,5936.79K,D*3A\r\n",
            sentence("GPGGA,181537.000,5936.7900,N,01803.1200,E,1,09,0.9,10,M,,M,,"),
        ])
        #expect(bench.decoder.counters.malformed == 1)
        #expect(
            bench.fixes.map { $0.time.map(TimeText.iso) } == ["2020-08-27T18:15:35.000Z", "2020-08-27T18:15:37.000Z"])
    }

    @Test("F-04: a minus sign inside the longitude refuses the sentence")
    func minusSign() {
        var bench = Bench()
        bench.play(["$GPGGA,134740.200,3403.130,N,-11814.617,W,1,12,1.0,0.0,M,0.0,M,,*5D\r\n"])
        #expect(bench.outputs.isEmpty)
        #expect(bench.decoder.counters.malformed == 1)
    }

    @Test("F-05: a longitude without leading zero is 10.44 degrees east")
    func noLeadingZero() {
        var bench = Bench()
        bench.play(["$GPGGA,105855.085,4521.3579,N,1026.6634,E,1,4,0.9,10,M,,,,*24\r\n"])
        #expect(abs((bench.fixes.first?.coordinate.longitude ?? 0) - 10.444_39) < 1e-9)
    }

    @Test("F-08: status A without a position is no fix")
    func emptyPosition() {
        var bench = Bench()
        bench.play(["$GPRMC,120000.00,A,,,,,,,010126,,,A*62\r\n"])
        #expect(bench.fixes.isEmpty)
        #expect(bench.decoder.counters.noFixEpochs == 1)
    }

    @Test("F-22: an epoch of 23:59:59 joined just after midnight belongs to the day before")
    func beforeMidnight() {
        #expect(
            times(rmc("000000.70", "020126"), gga("235959.00"), everyMillis: 300)
                == ["2026-01-02T00:00:00.700Z", "2026-01-01T23:59:59.000Z"])
        #expect(
            times(rmc("235959.00", "311225"), gga("000000.00"))
                == ["2025-12-31T23:59:59.000Z", "2026-01-01T00:00:00.000Z"])
    }

    @Test("F-23: GGA before RMC at midnight advances the day once")
    func midnightOnce() {
        #expect(
            times(
                "$GPGGA,235901.000,3508.7135,N,13651.8903,E,1,08,1.0,10.1,M,0.0,M,,0000*55\r\n"
                    + "$GPRMC,235901.000,A,3508.7135,N,13651.8903,E,000.00,0.0,010124,,,E*5C\r\n",
                "$GPGGA,000001.000,3508.5373,N,13651.8710,E,1,08,1.0,8.4,M,0.0,M,,0000*6A\r\n"
                    + "$GPRMC,000001.000,A,3508.5373,N,13651.8710,E,000.00,0.0,020124,,,E*5C\r\n"
            ) == ["2024-01-01T23:59:01.000Z", "2024-01-02T00:00:01.000Z"])
    }

    @Test("F-25: midnight to the millisecond is an epoch like any other")
    func midnight() {
        #expect(times(gga("000000.00") + rmc("000000.00", "010126")) == ["2026-01-01T00:00:00.000Z"])
        #expect(
            times(rmc("235959.00", "311225"), gga("000000.00") + rmc("000000.00", "010126"), gga("000001.00")).last
                == "2026-01-01T00:00:01.000Z")
    }

    @Test("F-26: the clock of a receiver without fix is not passed on")
    func notBeforeFix() {
        var bench = Bench()
        bench.play([sentence("GPRMC,000010.00,V,,,,,,,060180,,,N"), sentence("GPRMC,120000.00,V,,,,,,,010126,,,N")])
        #expect(bench.outputs.map { $0 == .noFix(time: nil, at: Instant(millis: 1_000)) } == [true, false])
        #expect(bench.outputs.last == .noFix(time: nil, at: Instant(millis: 2_000)))
    }

    @Test("F-28: a position before the date is kept, its time unknown")
    func beforeDate() {
        #expect(
            times("$GPRMC,235948.00,A,4807.038,N,01131.000,E,0,0,,,,A*5D\r\n", gga("235949.00"))
                == ["unknown", "unknown"])
    }

    @Test(
        "F-29: years 80 to 99 and dates that do not exist are not believed",
        arguments: ["060180", "010199", "000000", "310226", "320126", "011326", "2208-1", "10126"])
    func unbelievable(date: String) {
        #expect(times(rmc("000010.00", date)) == ["unknown"])
        #expect(times(rmc("000010.00", "010126"), rmc("000011.00", date)).last == "unknown")
    }

    @Test("Second 60 is the first of the next minute, at midnight of the next day (E-012)")
    func leapSecond() {
        #expect(
            times(rmc("235959.00", "311216"), rmc("235960.00", "311216"), rmc("000001.00", "010117"))
                == ["2016-12-31T23:59:59.000Z", "2017-01-01T00:00:00.000Z", "2017-01-01T00:00:01.000Z"])
    }

    @Test("A date is carried on for 6 hours, through midnight, and no longer (E-014)")
    func carried() {
        #expect(
            times(rmc("200000.00", "010126"), gga("015900.00"), everyMillis: 21_540_000).last
                == "2026-01-02T01:59:00.000Z")
        #expect(times(rmc("200000.00", "010126"), gga("020100.00"), everyMillis: 21_660_000).last == "unknown")
    }

    @Test("ZDA dates an epoch whose RMC has no date, an RMC date comes first")
    func zda() {
        let zda = sentence("GPZDA,120000.00,02,01,2026,,")
        #expect(times(zda + rmc("120000.00", "") + gga("120000.00")) == ["2026-01-02T12:00:00.000Z"])
        #expect(times(zda + rmc("120000.00", "030126") + gga("120000.00")) == ["2026-01-03T12:00:00.000Z"])
    }

    @Test("Without fix the time is that carried on since the last dated fix")
    func noFixTime() {
        var bench = Bench()
        bench.play([rmc("120000.00", "010126"), sentence("GPRMC,120001.00,V,,,,,,,060180,,,N")])
        #expect(bench.outputs.last == .noFix(time: UTCTime(millis: 1_767_268_801_000), at: Instant(millis: 2_000)))
    }
}
