import Ports
import SyncEngine
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Link, policy and cost in the runtime")
struct UploadPolicyRuntimeTests {
    private static let modem = ModemReading(.registered, quality: 0)

    @Test("status and the operation link tell state, interface, price, quality and the last exchange")
    func link() throws {
        let scene = try SyncScene(points: 1, startsNow: false)
        scene.bench.routes.reading = LinkReading(
            route: "wwan0", modem: ModemReading(.registered, interface: "wwan0", quality: 77))
        try scene.start()
        scene.pass(seconds: 30)
        for link in [scene.bench.status["link"], try scene.ask("link")["result"]] {
            #expect(link?["state"] == "up" && link?["interface"] == "wwan0" && link?["metered"]?.boolValue == true)
            #expect(link?["quality"]?.intValue == 77 && link?["lastExchange"] == "200")
            #expect(link?["sinceSec"]?.doubleValue == 30)
        }
        let text = StatusPage.text(scene.bench.status)
        #expect(text.contains("link           up, wwan0, metered, quality 77 of 100, for 30 s, last exchange 200, "))
        scene.bench.routes.reading = LinkReading(modem: ModemReading(.none))
        try SyncScene.commit(5, to: scene.store)
        scene.pass(seconds: 300)
        #expect(scene.bench.status["link.state"] == "noService")
        #expect(scene.status["problem"]?.stringValue?.contains("finds no network") == true)
    }

    @Test("Exchanges that never reach the endpoint make the link captive; uploads go on at their back-off (E-184)")
    func captive() throws {
        let scene = try SyncScene(points: 1, answers: [.failed(.connect)])
        scene.pass(seconds: 60)
        #expect(scene.bench.status["link.state"] == "up" && scene.requests == 2)
        scene.pass(seconds: 120)
        #expect(scene.bench.status["link.state"] == "captive" && scene.requests == 3)
        scene.bench.uplink.script = [.ok]
        scene.pass(seconds: 200)
        #expect(scene.bench.status["link.state"] == "up" && scene.store.sentIDs.count == 1)
    }

    @Test(
        "Who answers with a redirect of cleartext is not the endpoint; who holds its certificate is, whatever it says",
        arguments: [("http://example.org/points", "captive"), ("https://example.org/points", "up")])
    func redirect(url: String, state: String) throws {
        let scene = try SyncScene(points: 1, answers: [.status(302)]) {
            $0.allowCleartext = true
            $0.sync.url = url
        }
        scene.pass(seconds: 20)
        #expect(scene.requests == 1 && scene.bench.status["link.state"]?.stringValue == state)
    }

    @Test("A refusal of our certificate by the server itself is its answer: link and modem are well")
    func refusedByServer() throws {
        for (isAnswer, state) in [(true, "up"), (false, "captive")] {
            let failure = UplinkFailure(code: .tls, cause: "as scripted", isAnswer: isAnswer)
            let scene = try SyncScene(points: 1, answers: [.failed(failure)], startsNow: false)
            scene.bench.reactor.wall.trust = .disciplined
            try scene.start()
            scene.pass(seconds: 300)
            #expect(scene.requests > 3 && scene.bench.status["link.state"]?.stringValue == state)
        }
    }

    @Test("sync status says what the policy waits for")
    func reason() throws {
        let scene = try SyncScene(points: 12, startsNow: false) { $0.sync.minBatch = 20 }
        try scene.start()
        scene.pass(seconds: 60)
        #expect(scene.requests == 0)
        let status = try scene.ask("sync.status")["result"] ?? .null
        let text = status["policy.text"]?.stringValue ?? ""
        #expect(
            text.hasPrefix("waits until 2026-05-04T08:48:00.000Z: 12 rows of 20, oldest 13 min 0 s of 1 h 0 min"),
            "\(text)")
        #expect(status["policy.answer"] == "wait")
        #expect(SyncPage.status(status).contains("next upload   waits until"))
        _ = try scene.ask("sync.request")
        #expect(scene.requests == 1, "the operator's request is urgent")
        scene.pass(seconds: 2)
        #expect(scene.store.sentIDs.count == 12)
        #expect(scene.status["policy.text"] == "waits: nothing is queued")
    }

    @Test("A long gap in the track is urgent; a short one waits like any point")
    func gap() throws {
        for (minutes, more) in [(50, 0), (70, 1)] {
            let scene = try SyncScene(startsNow: false) { $0.sync.minBatch = 500 }
            try scene.start()
            scene.bench.play(30, speedMps: 5)
            scene.pass(seconds: Int64(minutes) * 60)
            // The first points were due meanwhile.
            let before = scene.requests
            scene.bench.play(120, fromEast: 5_000, speedMps: 5)
            #expect(scene.requests - before == more, "\(minutes) min")
        }
    }

    @Test("Crossing a fence is urgent")
    func fence() throws {
        let scene = try SyncScene { $0.sync.minBatch = 500 }
        _ = try scene.ask(
            "addGeofence",
            ["id": "yard", "latitude": .fixed(4_705, places: 2), "longitude": .fixed(83, places: 1), "radiusM": 100])
        scene.bench.play(10, speedMps: 5)
        #expect(scene.bench.events.contains { if case .geofenceEnter = $0 { true } else { false } })
        scene.bench.play(60, fromEast: 50, speedMps: 5)
        #expect(scene.requests >= 1)
    }

    @Test("What uploads cost is counted by session, day and radio session, and survives a restart")
    func cost() throws {
        let scene = try SyncScene(points: 3)
        scene.bench.uplink.cost = (1_200, 300)
        scene.pass(seconds: 30)
        func counts(_ status: JSONValue) -> [Int64?] {
            ["requests", "rows", "bytesUp", "bytesDown", "bytesPerPoint", "radioSessions", "radioMs"].map {
                status["today"]?[$0]?.intValue
            }
        }
        let first: [Int64?] = [1, 3, 1_200, 300, 500, 1]
        #expect(Array(counts(scene.status).dropLast()) == first)
        let radio = try #require(scene.status["today.radioMs"]?.intValue)
        #expect((10_000...12_000).contains(radio), "the exchange and its tail")
        let again = try SyncScene(store: scene.store)
        #expect(counts(again.status) == counts(scene.status))
        #expect(
            again.status["radio.bytesUp"]?.intValue == 1_200
                && again.status["session.rows"] == scene.status["session.rows"])
        #expect(StatusPage.text(again.bench.status).contains("500 B a point, 1 radio sessions, on for about 10 s"))
    }

    @Test("To this host nothing goes on the air, and nothing is learned of the link")
    func local() throws {
        let scene = try SyncScene(points: 1, answers: [.failed(.connect)]) {
            $0.sync.url = "http://127.0.0.1:80/points"
        }
        scene.pass(seconds: 1_000)
        #expect(scene.requests > 3 && scene.bench.status["link.state"] == "up")
        #expect(scene.status["today.radioMs"]?.intValue == 0 && scene.status["today.requests"] != nil)
    }

    @Test("A day's budget that is spent leaves what is urgent until midnight")
    func budget() throws {
        let scene = try SyncScene(points: 1) { $0.sync.dailyByteBudget = 1_000 }
        scene.bench.uplink.cost = (900, 100)
        scene.pass(seconds: 30)
        #expect(scene.requests == 1)
        for minute in 1...30 {
            try SyncScene.commit(minute, to: scene.store)
            scene.bench.runtime.uploader?.pointCommitted()
            scene.pass(seconds: 60)
        }
        #expect(scene.requests == 1)
        #expect(scene.status["policy.text"]?.stringValue?.contains("dailyByteBudget") == true)
        scene.bench.runtime.uploader?.hurry(.fenceCrossing)
        #expect(scene.requests == 2)
        try SyncScene.commit(40, to: scene.store)
        scene.bench.runtime.uploader?.pointCommitted()
        // The bench began at eight in the morning.
        scene.pass(seconds: 15 * 3_600)
        #expect(scene.requests == 2)
        scene.pass(seconds: 3_600)
        #expect(scene.requests == 3 && scene.store.sentIDs.count == 32)
    }
}
