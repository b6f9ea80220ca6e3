import GNSSCodecs
import Testing
import TrackerModel

@Suite("Epochs")
struct EpochTests {
    private static func rmc(_ time: String, talker: String = "GP", status: String = "A") -> String {
        sentence(
            "\(talker)RMC,\(time),\(status),4807.038,N,01131.000,E,10.0,084.4,010126,,,\(status == "A" ? "A" : "N")")
    }

    private static func gga(_ time: String, talker: String = "GP", quality: Int = 1) -> String {
        sentence("\(talker)GGA,\(time),4807.038,N,01131.000,E,\(quality),08,0.9,545.4,M,46.9,M,,")
    }

    private static func gst(_ time: String) -> String { sentence("GPGST,\(time),,,,,3.0,4.0,6.5") }
    private static let gsa2D = sentence("GPGSA,A,2,02,07,04,13,20,,,,,,,,1.5,0.9,1.2")
    private static let vtg = sentence("GPVTG,054.7,T,034.4,M,10.0,N,18.5,K,A")

    private static func time(_ second: Int) -> String { "1200" + (second < 10 ? "0" : "") + "\(second).00" }

    @Test("RMC and GGA of one time close an epoch at once, in either order")
    func closesAtOnce() {
        var bench = Bench()
        #expect(bench.feed(Self.rmc("120000.00"), atMillis: 0).isEmpty)
        #expect(bench.feed(Self.gga("120000.00"), atMillis: 40).count == 1)
        #expect(bench.decoder.deadline == .never)
        #expect(bench.feed(Self.gga("120001.00") + Self.rmc("120001.00"), atMillis: 1_000).count == 1)
    }

    @Test("A lone RMC is closed 150 ms after its first byte")
    func deadline() {
        var bench = Bench()
        bench.feed(Self.rmc("120000.00"), atMillis: 1_000)
        #expect(bench.decoder.deadline == Instant(millis: 1_150))
        #expect(bench.expire(atMillis: 1_149).isEmpty)
        #expect(bench.expire(atMillis: 1_150).count == 1)
        #expect(bench.decoder.deadline == .never)
    }

    @Test("A slow line may finish its burst: the deadline waits for 50 ms of silence, at most 900 ms")
    func slowLine() {
        var bench = Bench()
        bench.feed(Self.gga("120000.00"), atMillis: 0)
        for at in stride(from: Int64(40), to: 400, by: 40) {
            #expect(bench.expire(atMillis: at).isEmpty)
            bench.feed(sentence("GPGSV,1,1,01,02,46,305,"), atMillis: at)
        }
        #expect(bench.feed(Self.rmc("120000.00"), atMillis: 410).compactMap(\.fix?.speedMps).count == 1)
        bench.feed(Self.gga("120001.00"), atMillis: 1_000)
        bench.feed(sentence("IIMTW,11.1,C"), atMillis: 1_890)
        #expect(bench.decoder.deadline == Instant(millis: 1_900))
    }

    @Test("Another time closes the epoch before it")
    func newTime() {
        var bench = Bench()
        bench.feed(Self.rmc("120000.00"), atMillis: 0)
        #expect(bench.feed(Self.rmc("120000.10"), atMillis: 100).count == 1)
    }

    @Test("A receiver without GGA is believed after five epochs and closed at once")
    func rmcOnly() {
        var bench = Bench()
        bench.play((0..<5).map { Self.rmc(Self.time($0)) })
        #expect(bench.feed(Self.rmc(Self.time(5)), atMillis: 6_000).count == 1)
        #expect(bench.fixes.count == 6)
    }

    @Test("GST is awaited once it was seen in one of the last five epochs")
    func awaitsGST() {
        var bench = Bench()
        bench.play([Self.rmc(Self.time(0)) + Self.gga(Self.time(0)) + Self.gst(Self.time(0))])
        #expect(bench.feed(Self.rmc(Self.time(1)) + Self.gga(Self.time(1)), atMillis: 2_000).isEmpty)
        #expect(bench.feed(Self.gst(Self.time(1)), atMillis: 2_050).first?.fix?.verticalAccuracyM == 6.5)
        bench.play((2..<8).map { Self.rmc(Self.time($0)) + Self.gga(Self.time($0)) }, fromMillis: 3_000)
        #expect(bench.feed(Self.rmc(Self.time(8)) + Self.gga(Self.time(8)), atMillis: 9_000).count == 1)
    }

    @Test(
        "GSA counts wherever a receiver puts it",
        arguments: [["rmc", "gga", "gsa", "vtg"], ["gga", "gsa", "rmc", "vtg"], ["gsa", "vtg", "gga", "rmc"]])
    func gsaAnywhere(order: [String]) {
        var bench = Bench()
        bench.play(
            (0..<6).map { second in
                order.map { kind in
                    switch kind {
                    case "rmc": Self.rmc(Self.time(second))
                    case "gga": Self.gga(Self.time(second))
                    case "gsa": Self.gsa2D
                    default: Self.vtg
                    }
                }.joined()
            })
        #expect(bench.fixes.count == 6)
        #expect(bench.fixes.dropFirst().allSatisfy { $0.mode == .twoD && $0.satellitesUsed == 8 })
        #expect(bench.fixes.map(\.instant.millis) == (0..<6).map { 1_000 + $0 * 1_000 })
    }

    @Test("One GGA for each constellation is one epoch")
    func constellations() {
        var bench = Bench()
        bench.play(
            (0..<4).map {
                Self.gga(Self.time($0)) + Self.gga(Self.time($0), talker: "GL") + Self.rmc(Self.time($0), talker: "GN")
            })
        #expect(bench.fixes.count == 4)
        #expect(bench.fixes.allSatisfy { $0.time != nil })
        #expect(bench.decoder.counters.duplicateEpochs == 0)
    }

    @Test("A repeated time is one fix and duplicates (E-010)")
    func duplicates() {
        var bench = Bench()
        bench.play((0..<10).map { _ in Self.rmc("120000.00") + Self.gga("120000.00") })
        #expect(bench.fixes.count == 1)
        #expect(bench.decoder.counters.duplicateEpochs == 9)
    }

    @Test("A sentence that comes too late for its epoch is no second fix")
    func latecomer() {
        var bench = Bench()
        bench.feed(Self.rmc("120000.00"), atMillis: 0)
        bench.expire(atMillis: 150)
        bench.feed(Self.gga("120000.00"), atMillis: 400)
        bench.expire(atMillis: 900)
        #expect(bench.outputs.count == 1)
        #expect(bench.decoder.counters.duplicateEpochs == 0)
    }

    @Test("ZDA or GST ahead of the others belong to the epoch they precede, those of another time do not")
    func ahead() throws {
        var bench = Bench()
        bench.feed(Self.gst("120000.00") + sentence("GPZDA,120000.00,02,01,2026,,"), atMillis: 1_000)
        bench.feed(Self.gga("120000.00"), atMillis: 1_040)
        bench.expire(atMillis: 1_300)
        let fix = try #require(bench.fixes.first)
        #expect(fix.verticalAccuracyM == 6.5 && fix.instant == Instant(millis: 1_000))
        #expect(fix.time == UTCTime(millis: 1_767_355_200_000))
        bench.feed(Self.gst("115959.00") + Self.gga("120001.00"), atMillis: 2_000)
        bench.expire(atMillis: 2_300)
        #expect(bench.fixes.last?.verticalAccuracyM == nil)
    }

    @Test("Epochs without time are told apart by their repeated sentence")
    func withoutTime() {
        var bench = Bench()
        bench.play((0..<3).map { _ in sentence("GNRMC,,V,,,,,,,,,,N") + sentence("GNGGA,,,,,,0,00,99.99,,,,,,") })
        #expect(bench.outputs == (1...3).map { .noFix(time: nil, at: Instant(millis: $0 * 1_000)) })
        #expect(bench.decoder.counters.noFixEpochs == 3)
    }

    @Test("F-02: a lost fix is heard at once, even where the clock stands still")
    func lostFix() {
        let void = "$GPRMC,120001.00,V,,,,,,,010126,,,N*7B\r\n"
        for fixTime in ["120000.00", "120001.00"] {
            var bench = Bench()
            bench.play([Self.rmc(fixTime)] + Array(repeating: void, count: 600))
            #expect(bench.outputs.count == 601)
            #expect(bench.outputs.dropFirst().allSatisfy { $0.isNoFix })
            #expect(bench.decoder.counters.noFixEpochs == 600)
        }
    }

    @Test("Sentences of other equipment between them do not disturb epochs")
    func instrumentBus() {
        var bench = Bench()
        bench.play(
            (0..<4).map {
                Self.gga(Self.time($0)) + sentence("IIMTW,11.1,C") + "$SDDBT,no checksum\r\n" + Self.rmc(Self.time($0))
            })
        #expect(bench.fixes.count == 4)
    }
}
