import GNSSCodecs
import Testing
import TrackerModel

@Suite("Epochs as JSON lines")
struct FixLineTests {
    @Test("A fix has all that is known, in this order")
    func complete() {
        let fix = TrackFix(
            time: UTCTime(millis: 1_270_297_347_000), instant: .zero, receivedAt: .zero,
            coordinate: Coordinate(latitude: 46.803155, longitude: -7.12652), accuracyM: 4.80375, altitudeM: 681.6,
            speedMps: 28.150376, courseDeg: 247.87, mode: .threeD, satellitesUsed: 9, hdop: 0.9)
        #expect(
            FixLine.json(.fix(fix))
                == #"{"time":"2010-04-03T12:22:27.000Z","timeMs":1270297347000,"lat":46.8031550,"lon":-7.1265200,"#
                + #""accuracyM":4.80,"altM":681.600,"speedMps":28.150,"courseDeg":247.87,"mode":3,"satellitesUsed":9,"#
                + #""hdop":0.90,"source":"nmea"}"#)
    }

    @Test("What is unknown is left out, never null")
    func sparse() {
        let fix = TrackFix(
            time: nil, instant: .zero, receivedAt: .zero, coordinate: Coordinate(latitude: 1, longitude: 2),
            accuracyM: .nan, mode: .twoD)
        #expect(FixLine.json(.fix(fix)) == #"{"lat":1.0000000,"lon":2.0000000,"mode":2,"source":"nmea"}"#)
    }

    @Test("An epoch without fix is a line too")
    func noFix() {
        #expect(FixLine.json(.noFix(time: nil, at: .zero)) == #"{"mode":1,"source":"nmea"}"#)
        #expect(
            FixLine.json(.noFix(time: UTCTime(millis: 1), at: .zero), source: "ubx")
                == #"{"time":"1970-01-01T00:00:00.001Z","timeMs":1,"mode":1,"source":"ubx"}"#)
    }

    @Test("Satellites and antenna are those last reported, the list only on demand")
    func surroundings() {
        var context = FixLine.Surroundings()
        context.sky = SkyView(satellites: [
            SatelliteInView(
                constellation: .gps, number: 2, elevationDeg: 46, azimuthDeg: 305, cn0DBHz: 41, isUsed: true),
            SatelliteInView(constellation: .galileo, number: 11),
        ])
        context.antenna = .open
        #expect(
            FixLine.json(.noFix(time: nil, at: .zero), with: context)
                == #"{"mode":1,"satellitesInView":2,"antenna":"open","source":"nmea"}"#)
        context.listsSatellites = true
        #expect(
            FixLine.json(.noFix(time: nil, at: .zero), with: context)
                == #"{"mode":1,"satellitesInView":2,"sky":[{"system":"gps","number":2,"elevationDeg":46,"azimuthDeg":305,"#
                + #""cn0DBHz":41,"used":true},{"system":"galileo","number":11,"used":false}],"antenna":"open","source":"nmea"}"#
        )
    }
}
