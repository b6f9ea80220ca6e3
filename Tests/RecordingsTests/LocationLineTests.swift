import Recordings
import Testing
import TrackerModel
import WireText

@Suite("Lines of a location recording")
struct LocationLineTests {
    private static let whole = """
        {"acc":4.500,"alt":431.200,"boot":"b1","cacc":3.000,"course":90.250,"hdop":0.90,"lat":46.803253333,\
        "lon":7.144876300,"mock":true,"prov":"gnss","sacc":0.300,"sats":11,"speed":1.250,"t":1777878012.345,\
        "u":812.000000001,"vacc":6.100}
        """

    private func only(_ text: String) throws -> LocationLine {
        var reader = locations(text)
        return try #require(try reader.next())
    }

    @Test("Written and read again a line is the same, keys in alphabetical order")
    func roundTrip() throws {
        let line = try only(Self.whole + "\n")
        #expect(line.json.text == Self.whole)
        #expect(line.monotonicNanos == 812_000_000_001)
        #expect(line.time == UTCTime(millis: 1_777_878_012_345))
        #expect(line.provider == .gnss && line.isMock && line.satellitesUsed == 11)
    }

    @Test("Of six keys only the position and a time are required; what is missing is unknown")
    func sparse() throws {
        let line = try only(#"{"t":100.5,"lat":46,"lon":7}"#)
        #expect(line.time == UTCTime(millis: 100_500) && line.monotonicNanos == nil && line.bootID == nil)
        #expect(line.accuracyM.isNaN && line.speedMps == nil && line.courseDeg == nil && !line.isMock)
        #expect(line.provider == .replay)
        #expect(line.json.text == #"{"lat":46.000000000,"lon":7.000000000,"prov":"replay","t":100.500}"#)
    }

    @Test("−1 and null are unknown, 360° is north, and keys that nobody knows are passed over")
    func sentinels() throws {
        let line = try only(
            #"{"acc":-1,"speed":-1,"course":-1,"vacc":-1.0,"alt":null,"lat":1,"lon":2,"u":1,"new":[{"x":1}]}"#)
        #expect(line.accuracyM.isNaN && line.speedMps == nil && line.courseDeg == nil)
        #expect(line.verticalAccuracyM == nil && line.altitudeM == nil && line.time == nil)
        #expect(try only(#"{"course":360,"lat":1,"lon":2,"u":1}"#).courseDeg == 0)
        #expect(try only(#"{"prov":"lunar","lat":1,"lon":2,"u":1}"#).provider == .unknown)
    }

    @Test("A position outside the Earth is no error of the recording: judging refuses it")
    func outside() throws {
        #expect(try only(#"{"lat":1e300,"lon":-7e7,"u":1}"#).coordinate.latitude == 1e300)
    }

    @Test(
        "Values that no device gives are errors with the number of their line",
        arguments: [
            (#"{"lat":1,"lon":2}"#, "neither t"), (#"{"lat":1,"t":2}"#, "lon is missing"),
            (#"{"lat":"1","lon":2,"t":2}"#, "not a number"), (#"{"lat":1,"lon":2,"t":-1}"#, "t is -1"),
            (#"{"lat":1,"lon":2,"t":9e99}"#, "t is 9e"), (#"{"lat":1,"lon":2,"u":-0.5}"#, "u is -0.5"),
            (#"{"lat":1,"lon":2,"u":1e12}"#, "u is 1"), (#"{"lat":1,"lon":2,"u":1,"speed":1e300}"#, "speed is"),
            (#"{"lat":1,"lon":2,"u":1,"course":361}"#, "course is 361"),
            (#"{"lat":1,"lon":2,"u":1,"acc":1e30}"#, "acc is"), (#"{"lat":1,"lon":2,"u":1,"sats":1e9}"#, "sats is"),
            (#"{"lat":1,"lon":2,"u":1,"mock":1}"#, "mock is 1"), (#"{"lat":1,"lon":2,"u":1,"boot":7}"#, "boot is 7"),
            (#"{"lat":NaN,"lon":2,"u":1}"#, "not a whole JSON object"),
            (#"{"lat":1e999,"lon":2,"u":1}"#, "not a whole JSON object"),
        ])
    func refused(text: String, words: String) {
        let said = failure {
            var reader = locations(
                #"{"lat":1,"lon":2,"u":1}"# + "\n" + text + "\n" + #"{"lat":1,"lon":2,"u":3}"# + "\n")
            _ = try reader.all()
        }
        #expect(said.hasPrefix("fixes, line 2: ") && said.contains(words), "\(said)")
    }

    @Test("Samples need u and three axes within what an accelerometer measures")
    func motion() throws {
        var reader = samples(#"{"u":12.5,"x":0.00390625,"y":-1,"z":0}"# + "\n")
        let sample = try #require(try reader.next())
        #expect(sample == MotionSample(instant: Instant(millis: 12_500), x: 0.00390625, y: -1, z: 0))
        #expect(sample.json.text == #"{"u":12.500000000,"x":0.003906,"y":-1.000000,"z":0.000000}"#)
        for text in [#"{"x":1,"y":1,"z":1}"#, #"{"u":1,"x":1,"y":1}"#, #"{"u":1,"x":1e9,"y":1,"z":1}"#] {
            #expect(
                failure {
                    var reader = samples(text); _ = try reader.next()
                }.hasPrefix("samples, line 1: "))
        }
    }
}
