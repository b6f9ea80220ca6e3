import Testing
import TrackerModel

@testable import GNSSCodecs

@Suite("Finding sentences in bytes")
struct NMEAFramerTests {
    private static let rmc = "GPRMC,120000.00,A,4807.038,N,01131.000,E,10.0,084.4,010126,,,A"

    private func counters(of bytes: [UInt8]) -> GNSSCounters {
        var decoder = GNSSDecoder(config: GNSSDecoderConfig())
        decoder.feed(bytes, at: .zero) { _ in }
        decoder.finish { _ in }
        return decoder.counters
    }

    private func counters(of text: String) -> GNSSCounters { counters(of: Array(text.utf8)) }

    @Test(
        "Line ends of every kind, and none, end a sentence (E-003)",
        arguments: ["\r\n", "\r", "\n", "", "\n\n", " \r\n"])
    func lineEnds(end: String) {
        let seen = counters(of: sentence(Self.rmc, end: end) + sentence(Self.rmc, end: end))
        #expect(seen.rmc == 2)
        #expect(seen.checksumErrors == 0 && seen.resyncs == 0)
    }

    @Test("Lower-case checksum digits are read")
    func lowerCase() {
        let upper = sentence("GPGGA,000001.000,4658.157,N,01003.420,E,1,00,0.0,1027.000,M,0.0,M,,,")
        #expect(upper.contains("*7D"))
        #expect(counters(of: upper.replacing("*7D", with: "*7d")).gga == 1)
    }

    @Test("Noise before the dollar is counted and does no harm")
    func noise() {
        let seen = counters(of: [0xFF, 0x00, 0x41] + Array(sentence(Self.rmc).utf8))
        #expect(seen.rmc == 1)
        #expect(seen.garbageBytes == 3)
    }

    @Test("A wrong, cut or missing checksum drops the sentence and only it (E-001)", arguments: ["*00", "*4", "*", ""])
    func checksum(end: String) {
        let seen = counters(of: "$" + Self.rmc + end + "\r\n" + sentence(Self.rmc))
        #expect(seen.checksumErrors == 1)
        #expect(seen.rmc == 1)
    }

    @Test("A dollar inside a sentence begins another one", arguments: [1, 10, 40, 63, 64, 65])
    func restart(length: Int) {
        let whole = sentence(Self.rmc)
        let seen = counters(of: String(whole.prefix(length)) + whole)
        #expect(seen.resyncs == 1)
        #expect(seen.rmc == 1)
    }

    @Test("120 characters are a sentence, 121 are overlong (E-004)")
    func longest() {
        let full = "PXXXX," + String(repeating: "x", count: 110)
        #expect(counters(of: sentence(full)).sentences == 1)
        let seen = counters(of: sentence(full + "x") + sentence(Self.rmc))
        #expect(seen.overlong == 1)
        #expect(seen.rmc == 1)
    }

    @Test("F-07: 300 bytes of junk in a sentence leave the next one unharmed")
    func overlongJunk() {
        let seen = counters(
            of: "$GPGGA," + String(repeating: "9", count: 300) + "*00\r\n"
                + "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n")
        #expect(seen.gga == 1)
        #expect(seen.overlong == 1)
        #expect(seen.epochsWithFix == 1)
    }

    @Test("A byte that no sentence may contain ends it")
    func broken() {
        let seen = counters(of: Array("$GPRMC,12".utf8) + [0xB5, 0x62] + Array(sentence(Self.rmc).utf8))
        #expect(seen.resyncs == 1)
        #expect(seen.garbageBytes == 2)
        #expect(seen.rmc == 1)
    }

    @Test("Sentences are counted by kind; Garmin's own PGRMC is no RMC")
    func kinds() {
        let seen = counters(
            of: [
                "GPGSV,1,1,01,02,46,305,", "GNVTG,,T,,M,,N,,K,N",
                "PGRMC,A,218.8,100,6378137.000,298.257,0,0,0,A,7,1,2,3",
                "GNZDA,120000.00,01,01,2026,,", "GPGST,120000.00,1,,,,2,2,3", "GNGNS,120000.00,,,,,NN,00,99.9,,,,",
            ].map { sentence($0) }.joined() + "!AIVDM,1,1,1,,13aI8e?P00PGpU:NR6s00?vT2000,0,0*1C\r\n")
        #expect(seen.sentences == 7)
        #expect(
            seen.rmc == 0 && seen.gsv == 1 && seen.vtg == 1 && seen.zda == 1 && seen.gst == 1 && seen.gns == 1
                && seen.other == 2)
        #expect(seen.malformed == 0)
    }
}
