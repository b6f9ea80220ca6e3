import GNSSCodecs
import Testing
import TrackerModel

@Suite("The sky")
struct SkyTests {
    private static func rmc(_ second: Int) -> String {
        sentence("GNRMC,12000\(second).00,A,4807.038,N,01131.000,E,10.0,084.4,010126,,,A")
    }
    private static let gsa =
        sentence("GNGSA,A,3,02,07,04,,,,,,,,,,1.5,0.9,1.2,1") + sentence("GNGSA,A,3,72,,,,,,,,,,,,1.5,0.9,1.2,2")
    private static let first = sentence("GPGSV,2,1,05,02,46,305,41,04,10,100,30,07,80,010,25,09,01,000,,1")
    private static let second = sentence("GPGSV,2,2,05,33,30,180,38,1")
    private static let otherSignal = sentence("GPGSV,1,1,02,02,46,305,44,04,10,100,20,6")
    private static let glonass = sentence("GLGSV,1,1,01,72,20,050,33,1")

    @Test("All groups of a cycle are one sky, given out when the next epoch begins")
    func cycle() throws {
        var bench = Bench()
        bench.feed(Self.rmc(0) + Self.gsa + Self.first + Self.second + Self.glonass, atMillis: 1_000)
        bench.expire(atMillis: 1_500)
        #expect(bench.skies.isEmpty)
        bench.feed(Self.rmc(1), atMillis: 2_000)
        let sky = try #require(bench.skies.first)
        #expect(sky.satellites.map(\.number) == [2, 4, 7, 9, 120, 8])
        #expect(sky.satellites.map(\.constellation) == [.gps, .gps, .gps, .gps, .sbas, .glonass])
        #expect(sky.satellites.map(\.isUsed) == [true, true, true, false, false, true])
        #expect(sky.satellites.map(\.cn0DBHz) == [41, 30, 25, nil, 38, 33])
        #expect(sky.pdop == 1.5 && sky.hdop == 0.9 && sky.vdop == 1.2)
    }

    @Test("A satellite that is listed for each of its signals is one, with its best signal")
    func signals() {
        var bench = Bench()
        bench.feed(Self.first + Self.second + Self.otherSignal, atMillis: 1_000)
        bench.finish()
        #expect(bench.skies.map { $0.satellites.map(\.cn0DBHz) } == [[44, 30, 25, nil, 38]])
    }

    @Test("A cycle with a sentence missing, doubled or damaged is no sky; the next one is")
    func incomplete() {
        for damaged in [Self.second + Self.glonass, Self.first + Self.glonass, Self.first + Self.first + Self.second] {
            var bench = Bench()
            bench.feed(damaged + Self.rmc(0), atMillis: 1_000)
            bench.expire(atMillis: 1_500)
            #expect(bench.skies.isEmpty)
            bench.feed(Self.first + Self.second, atMillis: 2_000)
            bench.feed(Self.rmc(1) + Self.first + Self.second, atMillis: 3_000)
            bench.finish()
            #expect(bench.skies.last?.satellites.count == 5)
        }
    }

    @Test("A receiver that sends nothing but GSV gives a sky for each cycle")
    func onlyGSV() {
        var bench = Bench()
        bench.play((0..<3).map { _ in Self.first + Self.second + Self.glonass })
        bench.finish()
        #expect(bench.skies.map(\.satellites.count) == [6, 6, 6])
    }

    @Test("What a receiver does not know of the dilutions is left out")
    func unknownDilutions() {
        var bench = Bench()
        bench.feed(sentence("GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,0.0") + Self.first + Self.second, atMillis: 0)
        bench.finish()
        #expect(bench.skies.first.map { $0.pdop == nil && $0.hdop == nil && $0.vdop == nil } == true)
    }

    @Test("With an interval between skies the ones between are not read, and the next is whole")
    func interval() {
        var config = GNSSDecoderConfig()
        config.skyIntervalMillis = 10_000
        var decoder = GNSSDecoder(config: config)
        var seconds: [Int64] = []
        for second in 0..<Int64(60) {
            let time = "1200\(second < 10 ? "0" : "")\(second).00"
            let lines = [
                "GPGSV,1,1,02,05,45,120,41,07,10,300,", "GPRMC,\(time),A,4807.038,N,01131.000,E,0,0,070127,,,A",
            ].map { body in
                let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
                return "$\(body)*\(sum.utf8.count < 2 ? "0" : "")\(sum)\r\n"
            }
            decoder.feed(Array(lines.joined().utf8), at: Instant(millis: second * 1_000)) { output in
                if case .sky(let sky) = output {
                    seconds.append(second)
                    #expect(sky.satellites.count == 2)
                }
            }
        }
        #expect((4...6).contains(seconds.count))
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 >= 10 })
    }

    @Test("While a sky rests, GSA still count their satellites, and damaged ones are refused")
    func restingGSA() {
        var config = believing
        config.skyIntervalMillis = 10_000
        var bench = Bench(config)
        bench.feed(Self.rmc(0) + Self.gsa + Self.first + Self.second, atMillis: 1_000)
        bench.feed(Self.rmc(1) + Self.gsa, atMillis: 2_000)
        #expect(bench.skies.count == 1)
        bench.feed(Self.rmc(2) + sentence("GNGSA,A,3,02,0x,04,,,,,,,,,,1.5,0.9,1.2,1"), atMillis: 3_000)
        bench.finish()
        #expect(bench.fixes.map(\.satellitesUsed) == [4, 4, 4])
        #expect(bench.decoder.counters.malformed == 1)
    }
}
