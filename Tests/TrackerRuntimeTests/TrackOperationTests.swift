import Ports
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

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
