import Ports
import SyncEngine
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

/// A bench and one client of its control socket.
private struct Desk {
    let bench: RuntimeBench
    let client = RecordingSubscriber()
    var user: UInt32 = 0

    init(_ bench: RuntimeBench = RuntimeBench()) throws {
        self.bench = bench
        try bench.runtime.start()
    }

    func ask(_ op: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        let line: JSONValue = ["id": 1, "op": .string(op), "args": .object(arguments)]
        let request = ControlRequest(peer: ControlPeer(userID: user), line: line.bytes, subscriber: client)
        return try JSONReader.parse(try #require(ControlProtocol(runtime: bench.runtime).reply(to: request)))
    }

    func result(_ op: String, _ arguments: JSONObject = [:]) throws -> JSONValue {
        let reply = try ask(op, arguments)
        return try #require(reply["result"], "\(reply.text)")
    }

    func told() throws -> [JSONValue] { try client.lines.map { try JSONReader.parse($0) } }
    func names() throws -> [String] { try told().compactMap { $0["event"]?.stringValue } }
}

@Suite("Points and sessions for the operator")
struct TrackOperationTests {
    private static let start = RuntimeBench.epoch.millis

    @Test("Points are paged in the order of insertion; next says where it goes on, and the last page has none")
    func pages() throws {
        let desk = try Desk()
        desk.bench.play(120, speedMps: 14)
        let stored = desk.bench.store.points
        #expect(stored.count > 5)
        let all = try desk.result("getPoints")
        #expect(all["next"] == nil)
        #expect(all["points"]?.arrayValue?.compactMap { $0["uuid"]?.stringValue } == stored.map(\.uuid))
        let page = try desk.result("getPoints", ["limit": 2, "offset": 1])
        #expect(page["next"] == 3)
        #expect(page["points"]?.arrayValue?.compactMap { $0["id"]?.intValue } == [2, 3])
        let rest = try desk.result("getPoints", ["afterID": 3])
        #expect(rest["points"]?.arrayValue?.count == stored.count - 3)
        #expect(try desk.result("getCount")["count"]?.intValue == Int64(stored.count))
    }

    @Test("A point has every member of the payload, unknown ones left out")
    func payload() throws {
        let desk = try Desk()
        desk.bench.play(20, speedMps: 14)
        let point = try #require(try desk.result("getPoints")["points"]?.arrayValue?.last?.objectValue)
        #expect(
            point.names == [
                "id", "uuid", "sessionID", "timeMs", "monotonicNanos", "bootID", "localDate", "timezone", "latitude",
                "longitude", "accuracyM", "altitudeM", "speedMps", "bearingDeg", "hasSpeed", "hasBearing", "provider",
                "isMock", "movementStatus", "activityStartTimeMs", "odometerM", "isSignificantStop", "acceptReason",
                "silenceSec",
            ])
        #expect(point["provider"] == "gnss" && point["sessionID"] == "session-1")
    }

    @Test("Times are inclusive on both sides")
    func span() throws {
        let desk = try Desk()
        desk.bench.play(60, speedMps: 14)
        let times = desk.bench.store.points.map(\.time.millis)
        let span: JSONObject = ["fromMs": .int(times[1]), "toMs": .int(times[2])]
        #expect(try desk.result("getCount", span)["count"] == 2)
        #expect(try desk.result("getPoints", span)["points"]?.arrayValue?.count == 2)
    }

    @Test("A page beyond 1 MiB is cut, and nothing is lost between it and the next (E-222's bound, for replies)")
    func cut() throws {
        let store = MemoryStore()
        for minute in 0..<4_000 { try SyncScene.commit(minute - 4_000, to: store) }
        let desk = try Desk(RuntimeBench(store: store))
        var seen: [Int64] = []
        var offset: Int64 = 0
        var replies = 0
        while true {
            let reply = try desk.ask("getPoints", ["limit": 20_000, "offset": .int(offset)])
            #expect(reply.bytes.count <= 1 << 20)
            replies += 1
            seen += (reply["result.points"]?.arrayValue ?? []).compactMap { $0["id"]?.intValue }
            guard let next = reply["result.next"]?.intValue else { break }
            #expect(next == Int64(seen.count))
            offset = next
        }
        #expect(seen == Array(1...4_000) && replies > 1)
    }

    @Test(
        "What cannot be meant is refused, all of it together",
        arguments: [
            ("getPoints", #"{"limit":0}"#), ("getPoints", #"{"limit":20001}"#), ("getPoints", #"{"offset":-1}"#),
            ("getPoints", #"{"fromMs":"today"}"#), ("getPoints", #"{"fromMs":2,"toMs":1}"#),
            ("getPoints", #"{"sessionID":7}"#), ("getPoints", #"{"page":2}"#), ("getCount", #"{"limit":5}"#),
            ("getSessions", #"{"limit":1001}"#), ("deleteSession", "{}"), ("observePoints", #"{"toMs":1}"#),
            ("start", #"{"tag":7}"#), ("offerFix", #"{"latitude":47}"#),
            ("offerFix", #"{"latitude":47,"longitude":8,"timeMs":9223372036854775807}"#),
            ("offerFix", #"{"latitude":47,"longitude":8,"monotonicNanos":1000000000000}"#),
            ("offerFix", #"{"latitude":1e300,"longitude":8}"#), ("offerFix", #"{"latitude":"47","longitude":8}"#),
        ])
    func refused(op: String, arguments: String) throws {
        let desk = try Desk()
        let given = try #require(try JSONReader.parse(Array(arguments.utf8)).objectValue)
        #expect(try desk.ask(op, given)["code"] == "invalidRequest")
        let two = try desk.ask("getPoints", ["limit": 0, "offset": -1])
        #expect(two["message"]?.stringValue?.contains("\n") == true)
    }

    @Test("A session is named by as much of its id as tells it from the others")
    func shortIDs() throws {
        let desk = try Desk()
        desk.bench.play(30, speedMps: 14)
        _ = try desk.ask("stop")
        _ = try desk.ask("start")
        #expect(try desk.result("getCount", ["sessionID": "session-1"])["count"]?.intValue ?? 0 > 0)
        #expect(try desk.result("getCount", ["sessionID": "session-2"])["count"] == 0)
        #expect(try desk.ask("getCount", ["sessionID": "sess"])["code"] == "invalidRequest")
        #expect(try desk.ask("getCount", ["sessionID": "tour"])["code"] == "notFound")
        #expect(try desk.ask("getCount", ["sessionID": ""])["code"] == "notFound")
        #expect(try desk.ask("getDecisions", ["sessionID": "tour"])["code"] == "notFound")
    }

    @Test("A session tells tag, duration, points, distance, boots and interruptions; the open one is marked")
    func sessions() throws {
        let store = MemoryStore()
        let first = try Desk(RuntimeBench(store: store))
        _ = try first.ask("stop")
        #expect(try first.ask("start", ["tag": "to work"])["result.tag"] == "to work")
        #expect(try first.ask("start", ["tag": "home"])["result.tag"] == "to work", "idempotent while capturing")
        first.bench.play(60, speedMps: 14)
        let second = try Desk(RuntimeBench(store: store, bootID: "boot-2"))
        second.bench.play(30, speedMps: 14)
        let listed = try #require(try second.result("getSessions")["sessions"]?.arrayValue)
        #expect(listed.count == 2 && listed.map { $0["isOpen"]?.boolValue } == [true, false])
        #expect(listed[0]["tag"] == "to work" && listed[0]["points"]?.intValue ?? 0 > 1)
        #expect(listed[0]["distanceM"]?.doubleValue ?? 0 > 100)
        #expect(listed[0]["bootIDs"] == .array(["boot-1", "boot-2"]))
        #expect(listed[0]["interruptions"]?.arrayValue?.map { $0["cause"]?.stringValue } == ["powerCut"])
        #expect(listed[0]["configSnapshot"] == nil)
        let current = try second.result("currentSession")
        #expect(current["configSnapshot"]?.objectValue?["pipeline.ruleset"] == "device")
        #expect(try second.result("getSession", ["id": "session-2"])["id"] == "session-2")
        #expect(second.bench.status["session.tag"] == "to work")
        _ = try second.ask("stop")
        #expect(try second.result("currentSession") == .null)
    }

    @Test("The configuration of a session holds no credential (E-194)")
    func snapshot() throws {
        let desk = try Desk()
        for reply in [try desk.result("currentSession"), try desk.result("getConfig")] {
            #expect(!reply.text.contains("secret-token") && !reply.text.contains("example.org/points"))
        }
    }

    @Test("A tag has at most 256 bytes")
    func longTag() throws {
        let desk = try Desk()
        _ = try desk.ask("stop")
        #expect(try desk.ask("start", ["tag": .string(String(repeating: "ä", count: 129))])["code"] == "invalidRequest")
        #expect(try desk.ask("start", ["tag": .string(String(repeating: "ä", count: 128))])["ok"] == true)
    }

    @Test("An open session is not deleted, nor unsent points without force, nor with it by anybody")
    func deletion() throws {
        var desk = try Desk(RuntimeBench(answers: [nil]))
        desk.bench.play(60, speedMps: 14)
        let count = desk.bench.store.points.count
        #expect(try desk.ask("deleteSession", ["id": "session-1"])["code"] == "conflict")
        #expect(try desk.ask("deleteSession", ["id": "session-1", "force": true])["code"] == "conflict")
        _ = try desk.ask("stop")
        let odometer = try desk.result("getOdometerMeters")["meters"]
        #expect(try desk.ask("deleteSession", ["id": "session-1"])["code"] == "conflict")
        desk.user = 1_000
        #expect(try desk.ask("deleteSession", ["id": "session-1", "force": true])["code"] == "forbidden")
        #expect(desk.bench.store.points.count == count)
        desk.user = 0
        let gone = try desk.result("deleteSession", ["id": "session", "force": true])
        #expect(gone["points"]?.intValue == Int64(count) && gone["id"] == "session-1")
        #expect(desk.bench.store.points.isEmpty && desk.bench.store.sessions.isEmpty)
        #expect(try desk.result("getOdometerMeters")["meters"] == odometer)
        #expect(try desk.ask("deleteSession", ["id": "session-1"])["code"] == "notFound")
    }

    @Test("Sent points go without force, on the word of anybody who may ask")
    func sentDeletion() throws {
        var desk = try Desk()
        desk.bench.play(120, speedMps: 14)
        _ = try desk.ask("stop")
        desk.bench.reactor.advance(byMillis: 3_600_000)
        #expect(desk.bench.store.sentIDs.count == desk.bench.store.points.count)
        desk.user = 1_000
        #expect(try desk.ask("deleteSession", ["id": "session-1"])["ok"] == true)
    }

    @Test("The odometer is set to zero and counts on from there, over a restart too")
    func odometer() throws {
        let store = MemoryStore()
        let desk = try Desk(RuntimeBench(store: store))
        desk.bench.play(60, speedMps: 14)
        let before = try #require(try desk.result("getOdometerMeters")["meters"]?.doubleValue)
        #expect(before > 100)
        #expect(try desk.result("resetOdometer")["beforeMeters"]?.doubleValue == before)
        #expect(try desk.result("getOdometerMeters")["meters"]?.doubleValue == 0)
        desk.bench.play(60, fromEast: 60 * 14, speedMps: 14)
        let after = try #require(try desk.result("getOdometerMeters")["meters"]?.doubleValue)
        #expect(after > 100 && after < before * 1.5)
        let second = try Desk(RuntimeBench(store: store))
        #expect(try second.result("getOdometerMeters")["meters"]?.doubleValue == after)
    }

    @Test("Every key is shown with where it is from; an address without its path, a header without its value")
    func config() throws {
        let vault = MemoryVault()
        let desk = try Desk(RuntimeBench(vault: vault))
        func source(_ key: String) throws -> JSONValue? {
            try desk.result("getConfig")["keys"]?.arrayValue?.first { $0["key"]?.stringValue == key }
        }
        #expect(try source("geolocation.intervalMs")?["source"] == "default")
        #expect(try source("upload.url")?["value"] == "https://example.org/…")
        #expect(try source("upload.headers.Authorization")?["value"] == "***")
        let request: JSONObject = ["url": "https://other.example/token-in-path", "headers": .array(["X-Key: secret"])]
        #expect(try desk.ask("sync.configure", request)["ok"] == true)
        let url = try source("upload.url")
        #expect(url?["value"] == "https://other.example/…" && url?["source"] == "persisted")
        #expect(try !desk.result("getConfig").text.contains("secret"))
    }
}

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
            .batteryChange(.unknown), .geofenceEnter(crossing), .geofenceExit(crossing), .geofenceDwell(crossing),
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

    @Test("Offered nonsense gets the decisions of a receiver's nonsense (E-044)", arguments: [
        (91.0, 8.3, 5.0, "Invalid Coordinates"), (1e6, 8.3, 5, "Invalid Coordinates"), (0, 0, 5, "Invalid Coordinates"),
        (47.05, -180.5, 5, "Invalid Coordinates"), (47.05, 8.3, 0, "Invalid Coordinates"),
        (47.05, 8.3, -5, "Invalid Coordinates"),
    ])
    func bogus(latitude: Double, longitude: Double, accuracy: Double, reason: String) throws {
        let desk = try Desk()
        let result = try desk.result(
            "offerFix",
            [
                "latitude": .decimal(latitude, places: 7) ?? .null, "longitude": .decimal(longitude, places: 7) ?? .null,
                "accuracyM": .decimal(accuracy, places: 3) ?? .null, "timeMs": .int(RuntimeBench.epoch.millis),
            ])
        #expect(result["decision.reason"]?.stringValue == reason)
        #expect(desk.bench.store.points.isEmpty)
    }

    @Test("A mock, one without a time and one from a minute ago are refused as those of a receiver are")
    func policies() throws {
        let desk = try Desk()
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
