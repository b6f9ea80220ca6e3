import Testing
import TrackerModel
import WireText

@testable import SyncEngine

@Suite("Native payload")
struct NativePayloadTests {
    static func point(_ number: Int64, battery: Int? = 82) -> TrackPoint {
        TrackPoint(
            id: number, uuid: "u\(number)", sessionID: "s", time: UTCTime(millis: 1_777_900_000_000 + number),
            instant: Instant(millis: number), bootID: "b", localDate: "2026-05-04", timeZone: "Europe/Zurich",
            latitudeE7: 470_000_001, longitudeE7: -80_000_000, accuracyMM: 4_250, altitudeMM: 450_000,
            speedMMps: 13_500,
            bearingCentideg: 9_000, hasSpeed: true, hasBearing: true, provider: .gnss, isMock: false, movement: .moving,
            acceptReason: .vehicular, odometerMM: 0, batteryPercent: battery, isCharging: nil)
    }

    @Test("The body is the contract to the byte; an unknown battery is omitted, never null")
    func golden() {
        let expected =
            #"{"location":[{"uuid":"u1","time":1777900000001,"local_date":"2026-05-04","latitude":47.0000001,"#
            + #""longitude":-8.0000000,"accuracy":4.250,"movementSpeed":13.500,"provider":"gnss","hasSpeed":true,"#
            + #""hasBearing":true,"time_zone":"Europe/Zurich","activity_status":"gnss@moving","battery_percentage":"82","#
            + #""is_show_pin":"No","is_mock":false}]}"#
        #expect(
            String(decoding: NativePayload.body([Self.point(1)], maxBytes: 10_000).bytes, as: UTF8.self) == expected)
        let unknown = NativePayload.body([Self.point(1, battery: nil)], maxBytes: 10_000).bytes
        #expect(!String(decoding: unknown, as: UTF8.self).contains("battery"))
    }

    @Test(
        "A body stops before the byte limit but always carries one point, and stays valid JSON",
        arguments: [1, 400, 401, 800, 5_000])
    func limit(bytes: Int) throws {
        let points = (1...30).map { Self.point($0) }
        let (body, count) = NativePayload.body(points, maxBytes: bytes)
        #expect(count >= 1 && (count == 1 || body.count <= bytes))
        #expect(try JSONReader.parse(body)["location"]?.arrayValue?.count == count)
    }

    @Test("The idempotency text is the uuids in order")
    func idempotency() {
        #expect(NativePayload.idempotencyText([Self.point(2), Self.point(1)]) == "u2\nu1")
    }
}
