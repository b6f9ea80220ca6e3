import Testing
import TrackerModel
import WireText

@testable import SyncEngine

@Suite("Formats of other servers")
struct ServerFormatTests {
    private static let lines: [(any PayloadFormat, TrackPoint, String)] = [
        (
            OsmAndFormat(deviceID: "cart 07&é"), FormatFixtures.full,
            "id=cart%2007%26%C3%A9&timestamp=1777900000&lat=47.0000001&lon=-8.0000000&speed=26.242&bearing=90.50"
                + "&altitude=450.600&accuracy=4.250&batt=82&charge=true"
        ),
        (
            OsmAndFormat(deviceID: "cart-07"), FormatFixtures.bare,
            "id=cart-07&timestamp=1777900000&lat=47.0000001&lon=-8.0000000&accuracy=4.250"
        ),
        (
            OsmAndJSONFormat(deviceID: "cart-07"), FormatFixtures.full,
            #"{"location":{"timestamp":"2026-05-04T13:06:40.007Z","coords":{"latitude":47.0000001,"#
                + #""longitude":-8.0000000,"accuracy":4.250,"speed":13.500,"heading":90.50,"altitude":450.600},"#
                + #""is_moving":true,"odometer":1235,"battery":{"level":0.82,"is_charging":true},"#
                + #""activity":{"type":"in_vehicle"}},"device_id":"cart-07"}"#
        ),
        (
            OsmAndJSONFormat(deviceID: "cart-07"), FormatFixtures.bare,
            #"{"location":{"timestamp":"2026-05-04T13:06:40.008Z","coords":{"latitude":47.0000001,"#
                + #""longitude":-8.0000000,"accuracy":4.250,"speed":-1,"heading":-1,"altitude":0},"#
                + #""is_moving":false,"odometer":1235},"device_id":"cart-07"}"#
        ),
        (
            FlespiFormat(deviceID: "cart-07"), FormatFixtures.full,
            #"[{"ident":"cart-07","timestamp":1777900000.007,"position.latitude":47.0000001,"#
                + #""position.longitude":-8.0000000,"position.altitude":450.600,"position.speed":48.600,"#
                + #""position.direction":90.50,"position.valid":true,"battery.level":82,"movement.status":true}]"#
        ),
        (
            FlespiFormat(deviceID: "cart-07"), FormatFixtures.bare,
            #"[{"ident":"cart-07","timestamp":1777900000.008,"position.latitude":47.0000001,"#
                + #""position.longitude":-8.0000000,"position.valid":true,"movement.status":false}]"#
        ),
        (
            OwnTracksFormat(user: "depot", deviceID: "cart-07"), FormatFixtures.full,
            #"{"_type":"location","tst":1777900000,"lat":47.0000001,"lon":-8.0000000,"acc":4,"alt":451,"vel":49,"#
                + #""cog":91,"batt":82,"bs":2,"t":"p","tid":"07","conn":"m","created_at":1777900000}"#
        ),
        (
            OwnTracksFormat(user: "depot", deviceID: "é"), FormatFixtures.bare,
            #"{"_type":"location","tst":1777900000,"lat":47.0000001,"lon":-8.0000000,"acc":4,"bs":0,"t":"p","#
                + #""tid":"-é","conn":"m","created_at":1777900000}"#
        ),
    ]

    private static func encoder(_ name: FormatName) -> any PayloadFormat {
        var config = PayloadConfig()
        config.format = name
        return config.encoder(deviceID: "d")
    }

    @Test("Every body is its golden to the byte, twice", arguments: lines.indices)
    func goldens(row: Int) {
        let (format, point, expected) = Self.lines[row]
        #expect(FormatFixtures.text(format, point) == expected)
        #expect(format.body([point], maxBytes: 1).bytes == Array(expected.utf8), "one point always goes")
    }

    @Test("Formats of one point a request carry one, those of a batch as many as fit")
    func counts() throws {
        let points = (1...30).map { FormatFixtures.point($0) }
        for name in FormatName.allCases {
            let format = Self.encoder(name)
            let (body, count) = format.body(points, maxBytes: 2_000)
            #expect(format.body([], maxBytes: 2_000).count == 0, "\(name)")
            #expect(body.count <= 2_000, "\(name)")
            if let most = format.maxPoints {
                #expect(count == most, "\(name)")
            } else {
                #expect((2..<30).contains(count), "\(name)")
                let items = try JSONReader.parse(body)
                #expect((items.arrayValue ?? items["location"]?.arrayValue)?.count == count, "\(name)")
            }
        }
    }

    @Test("An unknown device halts the OsmAnd formats, and is nothing special to the others")
    func unknownDevice() {
        for status in [400, 404] {
            #expect(OsmAndFormat(deviceID: "d").haltReason(status: status) == .unknownDevice)
            #expect(OsmAndJSONFormat(deviceID: "d").haltReason(status: status) == .unknownDevice)
            for other in [NativeFormat(), FlespiFormat(deviceID: "d")] as [any PayloadFormat] {
                #expect(other.haltReason(status: status) == nil)
            }
        }
        for status in [200, 401, 403, 422, 500] {
            #expect(OsmAndFormat(deviceID: "d").haltReason(status: status) == nil)
        }
    }

    @Test("OwnTracks says in two headers whose device it is")
    func limitHeaders() {
        let headers = OwnTracksFormat(user: "depot", deviceID: "cart-07").headers.map { "\($0.name): \($0.value)" }
        #expect(headers == ["X-Limit-U: depot", "X-Limit-D: cart-07"])
        #expect(OsmAndFormat(deviceID: "d").headers.isEmpty)
    }

    @Test("OwnTracks has words for entries and exits, not for stays; no other format has any")
    func crossings() {
        let format = OwnTracksFormat(user: "depot", deviceID: "cart-07")
        func text(_ kind: FenceCrossing.Kind, armedAt: UTCTime?) -> String? {
            let crossing = FenceCrossing(
                fenceID: "yard \"7\"", kind: kind, time: UTCTime(millis: 1_777_900_000_900), latitudeE7: 470_000_001,
                longitudeE7: -80_000_000, radiusMM: 120_400)
            return format.body(crossing, armedAt: armedAt).map { String(decoding: $0, as: UTF8.self) }
        }
        let rest =
            #""desc":"yard \"7\"","lat":47.0000001,"lon":-8.0000000,"acc":120,"t":"c","tid":"07"}"#
        #expect(
            text(.enter, armedAt: UTCTime(millis: 1_700_000_000_000))
                == #"{"_type":"transition","tst":1777900000,"wtst":1700000000,"event":"enter","# + rest)
        #expect(
            text(.exit, armedAt: nil)
                == #"{"_type":"transition","tst":1777900000,"wtst":1777900000,"event":"leave","# + rest)
        #expect(text(.dwell, armedAt: nil) == nil)
        let crossing = FenceCrossing(
            fenceID: "a", kind: .enter, time: UTCTime(millis: 0), latitudeE7: 0, longitudeE7: 0, radiusMM: 1)
        for name in FormatName.allCases where name != .owntracks {
            #expect(Self.encoder(name).body(crossing, armedAt: nil) == nil)
        }
    }

    @Test("The state of the battery is unknown, unplugged, charging or full")
    func batteryState() throws {
        let cases: [(Bool?, Int?, Int64)] = [
            (nil, 100, 0), (false, 100, 1), (true, 50, 2), (true, nil, 2), (true, 100, 3),
        ]
        for (isCharging, percent, state) in cases {
            var point = FormatFixtures.point(1, battery: percent)
            point.isCharging = isCharging
            let body = try FormatFixtures.json(OwnTracksFormat(user: "u", deviceID: "d"), point)
            #expect(body["bs"]?.intValue == state)
        }
    }

    @Test("What changes the course of a journey is an event of osmand-json")
    func events() throws {
        let cases: [(DecisionReason, String?)] = [
            (.heartbeat, "heartbeat"), (.arrival, "motionchange"), (.walkArrival, "motionchange"),
            (.vehicular, nil), (.initial, nil),
        ]
        for (reason, event) in cases {
            var point = FormatFixtures.point(1)
            point.acceptReason = reason
            let body = try FormatFixtures.json(OsmAndJSONFormat(deviceID: "d"), point)
            #expect(body["location.event"]?.stringValue == event)
        }
    }

    @Test("Units are rounded to the nearest, and the largest numbers do not trap")
    func rounding() {
        #expect(Rounded.milliKnots(514) == 999 && Rounded.milliKnots(1_852_000) == 3_600_000)
        #expect(Rounded.milliKmh(1_000) == 3_600 && Rounded.milliKmh(0) == 0)
        #expect(Rounded.scaled(1_500, by: 1_000) == 2 && Rounded.scaled(-1_500, by: 1_000) == -2)
        #expect(Rounded.scaled(1_499, by: 1_000) == 1 && Rounded.scaled(-1_499, by: 1_000) == -1)
        #expect(Rounded.seconds(-1) == -1 && Rounded.seconds(-1_000) == -1 && Rounded.seconds(1_999) == 1)
        for value in [Int64.min, .max] {
            var point = FormatFixtures.full
            (point.speedMMps, point.altitudeMM, point.odometerMM) = (value, value, value)
            (point.accuracyMM, point.bearingCentideg) = (value, value)
            point.time = UTCTime(millis: value / 1_000)
            for name in FormatName.allCases {
                #expect(Self.encoder(name).body([point], maxBytes: 10).count == 1)
            }
        }
    }
}
