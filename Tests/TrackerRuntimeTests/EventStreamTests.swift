import Ports
import TestKit
import Testing
import TrackerEngine
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Events and offered fixes")
struct EventStreamTests {
    @Test("Who follows points gets the newest page, then each new one, without a hole between")
    func follow() throws {
        let desk = try Desk()
        desk.bench.play(60, speedMps: 14)
        let page = try desk.result("observePoints", ["limit": 2])
        let before = try #require(page["points"]?.arrayValue?.compactMap { $0["id"]?.intValue })
        #expect(before == Array(desk.bench.store.points.map(\.id).suffix(2)))
        desk.bench.play(60, fromEast: 60 * 14, speedMps: 14)
        let told = try desk.told()
        #expect(Set(try desk.names()) == ["location"])
        #expect(
            before + told.compactMap { $0["data.id"]?.intValue }
                == Array(desk.bench.store.points.map(\.id).dropFirst(Int(before[0]) - 1)))
    }

    @Test("Points of another session are not for who follows one")
    func followOne() throws {
        let desk = try Desk()
        desk.bench.play(30, speedMps: 14)
        _ = try desk.result("observePoints", ["sessionID": "session-1"])
        _ = try desk.ask("stop")
        _ = try desk.ask("start")
        desk.bench.play(30, fromEast: 5_000, speedMps: 14)
        #expect(desk.bench.store.points.last?.sessionID == "session-2")
        #expect(desk.client.lines.isEmpty)
    }

    @Test("Every event goes to who subscribes, numbered, under its own name, and to nobody else")
    func events() throws {
        let desk = try Desk()
        #expect(try desk.ask("subscribe", ["topics": .array(["events"])])["ok"] == true)
        desk.bench.play(200, speedMps: 14)
        let late: JSONObject = [
            "latitude": 47, "longitude": 8, "accuracyM": 5, "timeMs": .int(RuntimeBench.epoch.millis + 1_000),
            "monotonicNanos": 1_000_000_000,
        ]
        #expect(try desk.result("offerFix", late)["decision.reason"] == "Stale Fix")
        _ = try desk.ask("addGeofence", ["id": "home", "latitude": 47, "longitude": 8, "radiusM": 50])
        _ = try desk.ask("removeGeofence", ["id": "home"])
        desk.bench.battery.reading = BatteryReading(percent: 10, isCharging: false)
        desk.bench.reactor.advance(byMillis: 300_000)
        _ = try desk.ask("stop")
        let names = Set(try desk.names())
        let wanted: Set<String> = [
            "location", "locationRejected", "motionChange", "providerChange", "heartbeat", "geofenceAdded",
            "geofenceRemoved", "batteryChange", "powerSaveChange", "enabledChange", "sync.uploaded",
            "sync.httpResponse",
        ]
        #expect(wanted.isSubset(of: names), "\(wanted.subtracting(names))")
        let told = try desk.told()
        let numbers = told.compactMap { $0["seq"]?.intValue }
        #expect(numbers == Array(numbers[0]..<numbers[0] + Int64(told.count)))
        #expect(told.allSatisfy { $0["atMs"]?.intValue != nil && $0["data"]?.objectValue != nil })
        let rejected = told.first { $0["event"] == "locationRejected" }
        #expect(rejected?["data.reason"] != nil && rejected?["data.fix.latitude"] != nil)
        #expect(!told.contains { $0.text.contains("secret-token") })
    }

    @Test("Every declared event has a name of its own and data that is an object")
    func names() throws {
        let fence = Geofence(id: "a", latitudeE7: 1, longitudeE7: 2, radiusMM: 50_000)
        let crossing = FenceCrossing(fence, .enter, at: RuntimeBench.epoch)
        let session = Session(id: "s", startedAt: RuntimeBench.epoch)
        let events: [TrackerEvent] = [
            .motionChange(.moving), .enabledChange(true), .providerChange(.noFix), .powerSaveChange(true),
            .batteryChange(BatteryInfo(.unknown, lowPercent: 15)), .geofenceEnter(crossing), .geofenceExit(crossing),
            .geofenceDwell(crossing),
            .geofenceAdded(fence), .geofenceRemoved(id: "a"), .sessionInterrupted(session, .crash),
            .activityChange(ActivityLabel(activity: .walking, confidence: 80, since: .zero)),
            .trackingGap(TrackingGap(durationMillis: 600_000, distanceMM: 250_000, cause: .sky)),
            .heartbeat(RuntimeBench.epoch), .upload(.forbidden), .diagnostic("a:b"), .error(.sensorFault, "c"),
        ]
        #expect(Set(events.map(\.name)).count == events.count)
        #expect(events.allSatisfy { $0.json.objectValue != nil })
        #expect(events[10].json["cause"] == "crash" && events[12].json["durationSec"]?.text == "600.000")
    }

    private static let place: JSONObject = [
        "latitude": .fixed(470_500_000, places: 7), "longitude": .fixed(83_000_000, places: 7), "accuracyM": 5,
    ]

    @Test("An offered fix is judged like any other and says so: provider, decision, point")
    func offer() throws {
        let desk = try Desk()
        var fix = Self.place
        fix["timeMs"] = .int(RuntimeBench.epoch.millis)
        let result = try desk.result("offerFix", fix)
        #expect(result["judged"] == true && result["decision.reason"] == "Init")
        #expect(result["point.provider"] == "external")
        #expect(desk.bench.store.points.map(\.provider) == [.external])
    }

    @Test(
        "Offered nonsense gets the decisions of a receiver's nonsense (E-044)",
        arguments: [
            (91.0, 8.3, 5.0, "Invalid Coordinates"), (1e6, 8.3, 5, "Invalid Coordinates"),
            (0, 0, 5, "Invalid Coordinates"),
            (47.05, -180.5, 5, "Invalid Coordinates"), (47.05, 8.3, 0, "Invalid Coordinates"),
            (47.05, 8.3, -5, "Invalid Coordinates"),
        ])
    func bogus(latitude: Double, longitude: Double, accuracy: Double, reason: String) throws {
        let desk = try Desk()
        let result = try desk.result(
            "offerFix",
            [
                "latitude": .decimal(latitude, places: 7) ?? .null,
                "longitude": .decimal(longitude, places: 7) ?? .null,
                "accuracyM": .decimal(accuracy, places: 3) ?? .null, "timeMs": .int(RuntimeBench.epoch.millis),
            ])
        #expect(result["decision.reason"]?.stringValue == reason)
        #expect(desk.bench.store.points.isEmpty)
    }

    @Test("A mock, one without a time and one from a minute ago are refused as those of a receiver are")
    func policies() throws {
        let desk = try Desk(RuntimeBench { $0.capture.mockPolicy = .reject })
        desk.bench.reactor.advance(byMillis: 120_000)
        var fix = Self.place
        #expect(try desk.result("offerFix", fix)["decision.reason"] == "Time Unresolved")
        fix["timeMs"] = .int(RuntimeBench.epoch.millis)
        fix["isMock"] = true
        #expect(try desk.result("offerFix", fix)["decision.reason"] == "Mock Location")
        fix["isMock"] = nil
        fix["monotonicNanos"] = .int(58_000_000_000)
        #expect(try desk.result("offerFix", fix)["decision.reason"] == "Stale Fix")
    }

    @Test("It needs a session, sets no clock, and what is not due is not judged")
    func limits() throws {
        let desk = try Desk()
        var fix = Self.place
        fix["timeMs"] = .int(RuntimeBench.epoch.millis + 86_400_000)
        _ = try desk.result("offerFix", fix)
        #expect(desk.bench.status["clock.trusted"] == false)
        desk.bench.reactor.advance(byMillis: 100)
        fix["timeMs"] = .int(RuntimeBench.epoch.millis + 86_400_100)
        #expect(try desk.result("offerFix", fix)["judged"] == false)
        _ = try desk.ask("stop")
        #expect(try desk.ask("offerFix", fix)["code"] == "notReady")
    }

    @Test("Pages for people say what matters")
    func page() throws {
        let desk = try Desk()
        desk.bench.play(30, speedMps: 14)
        let point = try #require(try desk.result("getPoints")["points"]?.arrayValue?.last)
        #expect(TrackPage.point(point).contains("47.0500000, 8.30") && TrackPage.point(point).contains(" m/s"))
        let session = try desk.result("currentSession")
        #expect(TrackPage.session(session).contains("points") && TrackPage.session(session).contains("open"))
        #expect(TrackPage.sessionInFull(session).contains("config        geolocation.intervalMs: 60000"))
        let event: JSONValue = ["event": "motionChange", "seq": 1, "atMs": 0, "data": ["state": "moving"]]
        #expect(TrackPage.event(event) == "1970-01-01T00:00:00.000Z  motionChange  state moving")
        let row: JSONValue = ["key": "a.b", "value": "7", "source": "default", "unit": "ms"]
        #expect(TrackPage.setting(row) == "a.b: 7 ms  (default)")
    }
}
