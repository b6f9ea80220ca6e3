import Testing
import TrackerModel
import WireText

@testable import SyncEngine

@Suite("Native format")
struct NativeFormatTests {
    private static let base =
        #""local_date":"2026-05-04","latitude":47.0000001,"longitude":-8.0000000,"accuracy":4.250,"#
        + #""movementSpeed":13.500,"provider":"gnss","hasSpeed":true,"hasBearing":true,"#
        + #""time_zone":"Europe/Zurich","activity_status":"gnss@moving","#

    @Test("The body is the contract to the byte; what is unknown is omitted, never null")
    func golden() {
        let expected =
            #"{"location":[{"uuid":"u1","time":1777900000001,"# + Self.base
            + #""detected_activity_start_time":0,"battery_percentage":"82","is_show_pin":"No","is_mock":false}]}"#
        #expect(FormatFixtures.text(NativeFormat(), FormatFixtures.point(1)) == expected)
        let unknown = FormatFixtures.text(NativeFormat(), FormatFixtures.bare)
        #expect(!unknown.contains("battery") && !unknown.contains("null"))
    }

    @Test("A significant stop shows a pin, and the activity has its name and its start")
    func pinAndActivity() {
        let expected =
            #"{"location":[{"uuid":"u7","time":1777900000007,"# + Self.base
            + #""detected_activity_type":"IN_VEHICLE","detected_activity_start_time":1777899900000,"#
            + #""battery_percentage":"82","is_show_pin":"Yes","is_mock":false}]}"#
        #expect(FormatFixtures.text(NativeFormat(), FormatFixtures.full) == expected)
    }

    @Test("With upload.extended the additions follow the base shape, those that are known")
    func extended() {
        let tail =
            #","session_id":"s","altitude":450.600,"bearing":90.50,"odometer":1234.567,"accept_reason":"Vehicular","#
            + #""is_charging":true,"gap_sec":725.500,"gap_cause":"sky","boot_id":"b","device_id":"cart-07","seq":7}]}"#
        let whole = FormatFixtures.text(NativeFormat(extendedFor: "cart-07"), FormatFixtures.full)
        #expect(whole.hasPrefix(FormatFixtures.text(NativeFormat(), FormatFixtures.full).dropLast(3)))
        #expect(whole.hasSuffix(tail))
        let bare = FormatFixtures.text(NativeFormat(extendedFor: "cart-07"), FormatFixtures.bare)
        for key in ["altitude", "bearing", "is_charging", "gap_sec", "gap_cause"] {
            #expect(!bare.contains("\"\(key)\""), "\(key)")
        }
    }

    @Test("Every activity has the word of the contract")
    func activities() throws {
        let words = try Activity.allCases.map { activity in
            var point = FormatFixtures.point(1)
            point.activity = activity
            let body = try FormatFixtures.json(NativeFormat(), point)
            return body["location"]?.arrayValue?.first?["detected_activity_type"]?.stringValue
        }
        let expected = "IN_VEHICLE ON_BICYCLE ON_FOOT WALKING RUNNING STILL TILTING UNKNOWN"
        #expect(words.compactMap { $0 }.joined(separator: " ") == expected)
    }

    @Test(
        "A body stops before the byte limit but always carries one point, and stays valid JSON",
        arguments: [1, 400, 401, 800, 5_000])
    func limit(bytes: Int) throws {
        let points = (1...30).map { FormatFixtures.point($0) }
        let (body, count) = NativeFormat().body(points, maxBytes: bytes)
        #expect(count >= 1 && (count == 1 || body.count <= bytes))
        #expect(try JSONReader.parse(body)["location"]?.arrayValue?.count == count)
    }

    @Test("Points go out in order of time, and of insertion within a time")
    func order() {
        var late = FormatFixtures.point(2)
        late.time = FormatFixtures.point(9).time
        let inserted = [FormatFixtures.point(5), late, FormatFixtures.point(9), FormatFixtures.point(1)]
        #expect(PointOrder.byTime(inserted).map(\.id) == [1, 5, 2, 9])
    }

    @Test("Which rows go is decided in the order of the queue, and they go in order of time")
    func request() throws {
        let queued = [
            FormatFixtures.point(5), FormatFixtures.point(9), FormatFixtures.point(7), FormatFixtures.point(1),
        ]
        let three = NativeFormat().body(Array(queued.prefix(3)), maxBytes: 100_000).bytes.count
        let (bytes, carried) = NativeFormat().request(queued, maxBytes: three)
        #expect(carried.map(\.id) == [5, 7, 9] && bytes.count == three)
        let sent = try JSONReader.parse(bytes)["location"]?.arrayValue ?? []
        #expect(sent.map { $0["uuid"]?.stringValue } == ["u5", "u7", "u9"])
        #expect(OsmAndFormat(deviceID: "d").request(queued, maxBytes: 10).carried.map(\.id) == [5])
        #expect(NativeFormat().request([], maxBytes: 10).carried.isEmpty)
    }

    @Test("The idempotency text is the uuids in order")
    func idempotency() {
        #expect(PointOrder.idempotencyText([FormatFixtures.point(2), FormatFixtures.point(1)]) == "u2\nu1")
    }
}
