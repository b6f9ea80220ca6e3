import Ports
import SyncEngine
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Uploads in the runtime")
struct SyncRuntimeTests {
    @Test("72 h offline, then online: every row once, oldest first (A-22, E-173)")
    func threeDays() throws {
        let scene = try SyncScene(answers: [.failed(.connect)]) { $0.sync.batchSize = 250 }
        for minute in 0..<(72 * 60) {
            try SyncScene.commit(minute, to: scene.store)
            scene.bench.runtime.uploader?.pointCommitted()
            scene.pass(seconds: 60)
        }
        #expect(scene.store.sentIDs.isEmpty)
        // 30 s, 60 s … 30 min: two attempts an hour at the end.
        #expect((120...200).contains(scene.requests), "\(scene.requests) attempts")
        let before = scene.requests
        scene.bench.uplink.script = [.ok]
        scene.pass(seconds: 2_400)
        let delivered = scene.sentUUIDs[before...].flatMap { $0 }
        #expect(delivered == scene.store.points.map(\.uuid) && delivered.count == 4_320)
        #expect(scene.store.sentIDs.count == 4_320)
    }

    @Test("An answer that got lost: the same request again, byte for byte, and the server can tell by the key (E-174)")
    func lostAnswer() throws {
        let scene = try SyncScene(points: 3, answers: [.failed(.cut), .ok])
        scene.pass(seconds: 120)
        let requests = scene.bench.uplink.requests
        #expect(requests.count == 2 && requests[0] == requests[1])
        #expect(requests[0].headers.contains { $0.name == "Idempotency-Key" && $0.value.count == 64 })
        #expect(scene.store.sentIDs.count == 3)
    }

    @Test("401: endpoint gone, rows kept, tracking on, one event; after a restart still so (E-175, E-177)")
    func unauthorized() throws {
        let vault = MemoryVault()
        let scene = try SyncScene(points: 3, vault: vault, answers: [.status(401)])
        scene.pass(seconds: 7_200)
        #expect(scene.requests == 1 && scene.store.points.count == 3 && scene.store.sentIDs.isEmpty)
        #expect(scene.uploads.filter { $0 == .authExpired }.count == 1)
        #expect(scene.bench.status["session"] != nil)
        #expect(scene.status["endpoint"] == nil && scene.status["state"] == "unconfigured")
        let again = try SyncScene(store: scene.store, vault: vault)
        again.pass(seconds: 7_200)
        #expect(again.requests == 0)
        #expect(again.status["problem"]?.stringValue?.contains("401") == true)
        #expect(try again.ask("sync.resume")["code"] == "conflict")
        let other = try SyncScene(store: scene.store, vault: vault) {
            $0.sync.headers = [SyncHeader("Authorization", "Bearer fresh-token")]
        }
        other.pass(seconds: 30)
        #expect(scene.store.sentIDs.count == 3)
    }

    @Test("401 with both switches: rows deleted, session stopped; sent rows stay (E-176)")
    func switches() throws {
        let scene = try SyncScene(points: 3, answers: [.ok]) {
            $0.sync.wipesOnAuthExpiry = true
            $0.sync.stopsTrackingOnAuthExpiry = true
        }
        scene.pass(seconds: 30)
        for minute in 5..<8 { try SyncScene.commit(minute, to: scene.store) }
        scene.bench.uplink.script = [.status(401)]
        scene.pass(seconds: 300)
        #expect(scene.store.points.count == 3 && scene.store.sentIDs.count == 3)
        #expect(scene.bench.events.contains(.diagnostic("queue_wiped:3")))
        #expect(scene.bench.status["session"] == nil)
        #expect(scene.bench.events.contains(.enabledChange(false)))
    }

    @Test("A credential in a file is read again at a 401 and tried; what was rotated meanwhile goes on")
    func rotated() throws {
        let vault = MemoryVault()
        vault.credentials["/run/token"] = "# rotated daily\nX-Token: one\n"
        let scene = try SyncScene(points: 2, vault: vault) { $0.sync.credentialFile = "/run/token" }
        scene.bench.uplink.answer = { request in
            request.headers.contains { $0.name == "X-Token" && $0.value == "two" } ? .ok : .status(401)
        }
        vault.credentials["/run/token"] = "X-Token: two"
        scene.pass(seconds: 30)
        #expect(scene.requests == 2 && scene.store.sentIDs.count == 2)
        #expect(!scene.uploads.contains(.authExpired))
    }

    @Test("A credential that cannot be read stops nothing for good: it is looked for again")
    func missingCredential() throws {
        let vault = MemoryVault()
        let scene = try SyncScene(points: 2, vault: vault) { $0.sync.systemdCredential = "upload" }
        scene.pass(seconds: 300)
        #expect(scene.requests == 0)
        #expect(scene.status["problem"]?.stringValue?.contains("upload is not there") == true)
        vault.credentials["upload"] = "X-Token: one"
        scene.pass(seconds: 300)
        #expect(scene.store.sentIDs.count == 2)
    }

    @Test("403: nothing is sent, over a restart too, until the operator resumes (E-178)")
    func forbidden() throws {
        let scene = try SyncScene(points: 3, answers: [.status(403), .ok])
        scene.pass(seconds: 7_200)
        #expect(scene.requests == 1 && scene.uploads.contains(.forbidden))
        let again = try SyncScene(store: scene.store)
        again.pass(seconds: 7_200)
        #expect(again.requests == 0 && again.status["state"] == "halted")
        #expect(try again.ask("sync.now")["ok"] == false)
        #expect(try again.ask("sync.resume")["ok"] == true)
        again.pass(seconds: 5)
        #expect(scene.store.sentIDs.count == 3)
        let changed = try SyncScene(store: scene.store) { $0.sync.url = "https://example.org/other" }
        #expect(changed.status["state"] != "halted", "another endpoint was never forbidden")
    }

    @Test("Retry-After as seconds and as a date, and what it says to who asks (E-179)")
    func retryAfter() throws {
        let date = "Mon, 04 May 2026 08:00:00 GMT"
        let scene = try SyncScene(
            points: 1,
            answers: [
                .answered(status: 429, retryAfter: "120", date: nil, body: []),
                .answered(status: 503, retryAfter: "Mon, 04 May 2026 08:03:20 GMT", date: date, body: []),
                .answered(status: 429, retryAfter: "10000000000000000", date: nil, body: []), .ok,
            ])
        scene.pass(seconds: 12)
        #expect(scene.uploads.contains(.retryScheduled(afterSec: 120, reason: "status 429")))
        scene.pass(seconds: 121)
        #expect(scene.uploads.contains(.retryScheduled(afterSec: 200, reason: "status 503")))
        let answer = try scene.ask("sync.now")
        #expect(answer["result.outcome"] == "retry" && answer["result.afterSec"]?.intValue == 21_600)
        scene.pass(seconds: 21_000)
        #expect(scene.requests == 3)
        scene.pass(seconds: 700)
        #expect(scene.store.sentIDs.count == 1)
    }

    @Test("One poison row over the real queue: set aside, listed, tried again, dropped (E-181, F-50)")
    func poison() throws {
        let scene = try SyncScene(points: 100)
        let bad = scene.store.points[41].uuid
        scene.bench.uplink.answer = { SyncScene.uuids($0.body).contains(bad) ? .status(422) : .ok }
        scene.pass(seconds: 300)
        #expect(scene.store.sentIDs.count == 99 && scene.store.quarantinedIDs == [42])
        #expect(scene.uploads.contains(.quarantined(uuids: [bad], status: 422)))
        #expect(scene.status["quarantined"]?.intValue == 1)
        let list = try scene.ask("sync.quarantine")
        #expect(list["result.rows"]?.arrayValue?.first?["reason"] == "status 422")
        scene.bench.uplink.answer = { _ in .ok }
        #expect(try scene.ask("sync.quarantine.retry", ["ids": .array([42, 7])])["result.count"]?.intValue == 1)
        scene.pass(seconds: 5)
        #expect(scene.store.sentIDs.count == 100)
        #expect(try scene.ask("sync.quarantine.drop")["result.count"]?.intValue == 0)
        #expect(try scene.ask("sync.quarantine.drop", ["ids": "all"])["code"] == "invalidRequest")
    }

    @Test("No name, no connection: no status, rows kept, shown (E-183)")
    func noName() throws {
        let scene = try SyncScene(points: 1, answers: [.failed(.name)])
        scene.pass(seconds: 12)
        #expect(scene.uploads.contains(.httpResponse(status: nil, count: 1)))
        #expect(scene.status["lastAnswer"] == "failed: name" && scene.status["pending"]?.intValue == 1)
    }

    @Test("A route that goes is told, and one that comes back drains the queue within seconds")
    func route() throws {
        let scene = try SyncScene(startsNow: false)
        scene.bench.routes.defaultInterface = nil
        try scene.start()
        try SyncScene.commit(0, to: scene.store)
        scene.pass(seconds: 600)
        #expect(scene.requests == 0)
        #expect(scene.status["problem"]?.stringValue?.contains("default route") == true)
        scene.bench.routes.defaultInterface = "wlan0"
        scene.pass(seconds: 6)
        #expect(scene.store.sentIDs.count == 1 && scene.status["problem"] == nil)
    }

    @Test("A route that is not reported is found at the health loop")
    func unreportedRoute() throws {
        let scene = try SyncScene(points: 1, startsNow: false)
        scene.bench.routes.isSilent = true
        scene.bench.routes.defaultInterface = nil
        try scene.start()
        scene.pass(seconds: 600)
        #expect(scene.requests == 0)
        scene.bench.routes.defaultInterface = "wlan0"
        scene.pass(seconds: 300)
        #expect(scene.store.sentIDs.count == 1)
    }

    @Test("A halt and a wait of an earlier run hold for a credential that can be read only later")
    func haltWithLateCredential() throws {
        for (answer, state) in [(UplinkResult.status(403), "halted"), (.status(500), "waiting")] {
            let vault = MemoryVault()
            vault.credentials["upload"] = "X-Token: one"
            let change: (inout TrackerConfig) -> Void = {
                $0.sync.systemdCredential = "upload"
                $0.sync.backoffInitialMillis = 3_600_000
                $0.sync.backoffCeilingMillis = 3_600_000
            }
            let scene = try SyncScene(points: 1, vault: vault, answers: [answer], change: change)
            scene.pass(seconds: 20)
            #expect(scene.status["state"]?.stringValue == state)
            vault.credentials["upload"] = nil
            let again = try SyncScene(store: scene.store, vault: vault, change: change)
            #expect(again.status["state"] == "unconfigured")
            vault.credentials["upload"] = "X-Token: one"
            again.pass(seconds: 900)
            #expect(again.requests == 0 && again.status["state"]?.stringValue == state, "\(state)")
        }
    }

    @Test("A halt says after a restart what it said before")
    func haltReason() throws {
        for (status, word) in [(403, "forbids"), (404, "does not know this device")] {
            let change: (inout TrackerConfig) -> Void = { $0.sync.payload.format = .osmand }
            let scene = try SyncScene(points: 1, answers: [.status(status)], change: change)
            scene.pass(seconds: 20)
            let again = try SyncScene(store: scene.store, change: change)
            #expect(again.status["state"] == "halted")
            for text in [scene.status["problem"], again.status["problem"]] {
                #expect(text?.stringValue?.contains("\(status)") == true && text?.stringValue?.contains(word) == true)
            }
        }
    }

    @Test("While the record of an earlier run cannot be read nothing is sent and nothing written over it")
    func unreadableRecord() throws {
        let scene = try SyncScene(points: 1, answers: [.status(403)])
        scene.pass(seconds: 20)
        let record = try scene.store.state(.sync)
        scene.store.unreadable = .sync
        let again = try SyncScene(store: scene.store)
        again.pass(seconds: 900)
        #expect(again.requests == 0)
        #expect(again.status["problem"]?.stringValue?.contains("cannot be read") == true)
        #expect(try again.ask("sync.configure", ["url": "https://other.example"])["ok"] == false)
        scene.store.unreadable = nil
        #expect(try scene.store.state(.sync) == record)
        again.pass(seconds: 900)
        #expect(again.requests == 0 && again.status["state"] == "halted")
    }

    @Test("The endpoint of the file does not take the place of a refused one of sync configure, until it is told to")
    func exclusive() throws {
        for operation in ["sync.useFile", "sync.resume"] {
            let vault = MemoryVault()
            let scene = try SyncScene(points: 1, vault: vault, answers: [.status(401)])
            _ = try scene.ask("sync.configure", ["url": "https://other.example/in"])
            scene.pass(seconds: 20)
            #expect(scene.requests == 1 && vault.bytes == nil)
            let again = try SyncScene(store: scene.store, vault: vault)
            again.pass(seconds: 900)
            #expect(again.requests == 0 && again.status["problem"]?.stringValue?.contains("401") == true)
            #expect(try again.ask(operation)["ok"] == true)
            again.pass(seconds: 20)
            #expect(again.bench.uplink.requests.map(\.url) == ["https://example.org/points"])
        }
    }

    @Test("For a format of one point a request no more rows are read than that takes")
    func singlePoints() throws {
        let scene = try SyncScene(points: 5) { $0.sync.payload.format = .osmand }
        scene.pass(seconds: 30)
        #expect(scene.requests == 5 && scene.store.sentIDs.count == 5)
        #expect(scene.store.mostRead == 2)
    }

    @Test("The wait of a back-off is kept over a restart, and bounded by the ceiling over a reboot (E-196)")
    func restartInBackoff() throws {
        let wait = UplinkResult.answered(status: 429, retryAfter: "7200", date: nil, body: [])
        let scene = try SyncScene(points: 1, answers: [wait])
        scene.pass(seconds: 20)
        #expect(scene.requests == 1)
        let same = try SyncScene(store: scene.store, startsNow: false)
        same.pass(seconds: 600)
        try same.start()
        same.pass(seconds: 6_500)
        #expect(same.requests == 0)
        same.pass(seconds: 200)
        #expect(same.requests == 1)
    }

    @Test("After a reboot that knows no time the wait is at most the ceiling (E-196)")
    func rebootInBackoff() throws {
        let wait = UplinkResult.answered(status: 429, retryAfter: "7200", date: nil, body: [])
        let scene = try SyncScene(points: 1, answers: [wait])
        scene.pass(seconds: 20)
        let other = try SyncScene(store: scene.store, bootID: "boot-2")
        other.pass(seconds: 1_780)
        #expect(other.requests == 0)
        other.pass(seconds: 30)
        #expect(other.requests == 1)
    }

    @Test("Navigation mode: a point a second, one request a minute (E-197)")
    func burst() throws {
        let scene = try SyncScene()
        for second in 0..<300 {
            try SyncScene.commit(second, to: scene.store)
            scene.bench.runtime.uploader?.pointCommitted()
            scene.pass(seconds: 1)
        }
        #expect((5...6).contains(scene.requests), "\(scene.requests)")
    }

    @Test("A stop that is noticed while its point is under way is sent once more")
    func stopInFlight() throws {
        let scene = try SyncScene(points: 2)
        scene.pass(seconds: 10)
        #expect(scene.requests == 1 && scene.store.sentIDs.isEmpty, "under way")
        try scene.store.markSignificantStop(uuid: scene.store.points[1].uuid)
        scene.pass(seconds: 1)
        #expect(scene.store.sentIDs == [1])
        scene.pass(seconds: 300)
        #expect(scene.store.sentIDs == [1, 2])
        #expect(scene.sentUUIDs.last == [scene.store.points[1].uuid])
    }

    @Test("What is held in memory is written before the uplink is waited for, which may hang")
    func stopOrder() throws {
        let scene = try SyncScene()
        scene.bench.play(30, speedMps: 5)
        scene.store.refusal = StoreFailure(code: .full, cause: "full", remedy: "make room")
        scene.bench.play(120, fromEast: 150, speedMps: 5)
        let before = scene.store.points.count
        scene.store.refusal = nil
        var atClosing: (points: Int, run: String?)?
        scene.bench.uplink.whenClosed = { [store = scene.store] in
            atClosing = atClosing ?? (store.points.count, try? store.state(.run))
        }
        scene.bench.runtime.stop()
        #expect(atClosing?.points == scene.store.points.count && scene.store.points.count > before)
        #expect(try atClosing?.run == scene.store.state(.run))
    }

    @Test("Beyond upload.maxQueueRows the oldest rows go, and are counted")
    func bound() throws {
        let scene = try SyncScene(points: 50, answers: [.failed(.connect)]) { $0.sync.maxQueueRows = 40 }
        scene.pass(seconds: 20)
        #expect(scene.store.points.count == 40 && scene.store.points.first?.uuid.hasSuffix("0000") == true)
        #expect(scene.bench.events.contains(.diagnostic("queue_shed:10")))
    }
}
