import Ports
import SyncEngine
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("The upload in the operator's hand")
struct SyncOperationTests {
    @Test("Now waits for the outcome; a second one hears that it is under way (E-195)")
    func now() throws {
        let scene = try SyncScene(points: 250)
        #expect(try scene.ask("sync.now")["result"] == ["outcome": "uploaded", "count": 250])
        #expect(try scene.ask("sync.now")["result.outcome"] == "empty")
        try SyncScene.commit(5, to: scene.store)
        scene.bench.uplink.script = [nil]
        #expect(try scene.ask("sync.request")["ok"] == true)
        scene.pass(seconds: 70)
        let second = try scene.ask("sync.now")
        #expect(second["code"] == "conflict" && second["message"]?.stringValue?.contains("already draining") == true)
    }

    @Test("Who waits for an upload hears when another endpoint comes in between")
    func configuredMeanwhile() throws {
        let scene = try SyncScene(points: 1, answers: [nil])
        let subscriber = RecordingSubscriber()
        let request = ControlRequest(
            peer: ControlPeer(userID: 0), line: Array(#"{"id":1,"op":"sync.now"}"#.utf8), subscriber: subscriber)
        #expect(ControlProtocol(runtime: scene.bench.runtime).reply(to: request) == nil)
        #expect(try scene.ask("sync.configure", ["url": "https://other.example/in"])["ok"] == true)
        let reply = try JSONReader.parse(try #require(subscriber.lines.first))
        #expect(reply["result.outcome"] == "retry" && reply["result.reason"] == "configured")
    }

    @Test("The dry exchange with a broker shows what is known of it, and invents no times")
    func testBroker() throws {
        let scene = try SyncScene { $0.sync.url = "mqtts://broker.example/t" }
        scene.bench.uplink.script = [.ok, .status(403), .failed(.connect)]
        for verdicts in [["ok", "ok"], ["ok", "failed"], ["failed", "skipped"]] {
            let steps = Array((try scene.ask("sync.test")["result.steps"]?.arrayValue ?? []).suffix(2))
            #expect(steps.map { $0["step"]?.stringValue ?? "" } == ["MQTT", "answer"])
            #expect(steps.map { $0["verdict"]?.stringValue ?? "" } == verdicts)
            #expect(!steps.contains { $0["text"]?.stringValue?.contains("at once") == true })
        }
    }

    @Test("Status shows host and scheme of the address; what follows may be a credential")
    func shownEndpoint() throws {
        let scene = try SyncScene { $0.sync.url = "https://home.example:8443/api/webhook/s3cret?key=s3cret" }
        #expect(scene.status["endpoint"] == "https://home.example:8443/…")
        #expect(!scene.bench.status.text.contains("s3cret"))
    }

    @Test("Configure is used at once, kept, and goes before the file after a restart; --from-file undoes it")
    func configure() throws {
        let vault = MemoryVault()
        let scene = try SyncScene(points: 1, vault: vault)
        let reply = try scene.ask(
            "sync.configure",
            ["url": "https://other.example/in?key=hidden", "method": "PUT", "headers": .array(["X-Token: abc:def "])])
        #expect(reply["ok"] == true)
        #expect(reply["result.endpoint"] == "https://other.example/…")
        #expect(reply["result.endpointSource"] == "configured")
        scene.pass(seconds: 5)
        let request = try #require(scene.bench.uplink.requests.first)
        #expect(request.url == "https://other.example/in?key=hidden" && request.method == "PUT")
        #expect(request.headers.contains { $0.name == "X-Token" && $0.value == "abc:def" })
        #expect(!request.headers.contains { $0.name == "Authorization" })
        let again = try SyncScene(points: 1, vault: vault)
        #expect(again.status["endpoint"] == "https://other.example/…")
        #expect(try again.ask("sync.useFile")["result.endpoint"] == "https://example.org/…")
        #expect(vault.bytes == nil)
    }

    @Test(
        "What cannot be used is refused with every problem, and the endpoint stays as it was (E-193)",
        arguments: [
            (["url": "ftp://x"], "https"), (["url": "http://example.org"], "clear"),
            (["url": "https://user:pass@example.org"], "credentials"),
            (["url": "https://e.org", "method": "GET"], "POST"),
            (["url": "https://e.org", "headers": .array(["X-A: a\r\nX-B: b"])], "line break"),
            (["url": "https://e.org", "headers": .array(["X A: 1"])], "no header name"),
            (["url": "https://e.org", "headers": .array(["none"])], "NAME: VALUE"),
            (["url": "https://e.org", "headers": .array(["content-length: 5"])], "by the uploader itself"),
            (["url": "https://e.org", "headers": .array(["Transfer-Encoding: chunked"])], "by the uploader itself"),
            (["url": "https://e.org", "credentialFile": "token"], "absolute"),
            (["url": "https://e.org", "credentialFile": "/nowhere"], "not there"),
            (["url": "http://127.evil.example/"], "clear"), (["url": "mqtts://user:s3cret@host/t"], "credentials"),
        ] as [(JSONObject, String)])
    func refused(arguments: JSONObject, word: String) throws {
        let vault = MemoryVault()
        let scene = try SyncScene(vault: vault)
        let reply = try scene.ask("sync.configure", arguments)
        #expect(reply["code"] == "invalidConfig")
        #expect(reply["message"]?.stringValue?.contains(word) == true, "\(reply.text)")
        #expect(vault.saves == 0 && scene.status["endpoint"] == "https://example.org/…")
    }

    @Test("A broker is refused where the format or the device's name does not fit one, configured or kept")
    func unfitForBroker() throws {
        let cases: [(String, (inout TrackerConfig) -> Void)] = [
            ("upload.format", { $0.sync.payload.format = .osmand }), ("device.id", { $0.deviceID = "a/b" }),
        ]
        for (word, change) in cases {
            let vault = MemoryVault()
            let scene = try SyncScene(vault: vault, change: change)
            let reply = try scene.ask("sync.configure", ["url": "mqtts://broker.example"])
            #expect(reply["code"] == "invalidConfig" && reply["message"]?.stringValue?.contains(word) == true)
            #expect(vault.saves == 0)
            vault.bytes = UploadEndpoint(url: "mqtts://broker.example").json.bytes
            let kept = try SyncScene(points: 1, vault: vault, change: change)
            kept.pass(seconds: 300)
            #expect(kept.requests == 0 && kept.status["problem"]?.stringValue?.contains(word) == true)
        }
    }

    @Test("A credential that stands where it does not belong is not repeated", arguments: ["Bearer abc:s3cret"])
    func misplaced(line: String) throws {
        let vault = MemoryVault()
        vault.credentials["/run/token"] = line
        let scene = try SyncScene(vault: vault) { $0.sync.credentialFile = "/run/token" }
        let reply = try scene.ask("sync.configure", ["url": "https://e.org", "headers": .array([.string(line)])])
        #expect(reply["code"] == "invalidConfig")
        let seen = [reply.text, scene.bench.status.text] + scene.bench.log.lines
        for text in seen { #expect(!text.contains("abc") && !text.contains("s3cret"), "\(text)") }
        #expect(scene.status["problem"]?.stringValue?.contains("line 1") == true)
    }

    @Test("The same configuration over and over cuts no wait short and loses nothing (F-55)")
    func echo() throws {
        let scene = try SyncScene(points: 2, answers: [.status(500), .ok])
        let arguments: JSONObject = ["url": "https://e.example/in", "headers": .array(["X-Token: abc"])]
        _ = try scene.ask("sync.configure", arguments)
        scene.pass(seconds: 2)
        for _ in 0..<20 { #expect(try scene.ask("sync.configure", arguments)["ok"] == true) }
        #expect(scene.requests == 1 && scene.status["failures"]?.intValue == 1)
        scene.pass(seconds: 40)
        #expect(scene.store.sentIDs.count == 2)
    }

    @Test("Settings that somebody spoiled are told, and nothing is sent to where they point")
    func spoiled() throws {
        for text in ["{", "[]", #"{"url":"http://example.org"}"#, #"{"url":5}"#] {
            let vault = MemoryVault()
            vault.bytes = Array(text.utf8)
            let scene = try SyncScene(points: 1, vault: vault)
            scene.pass(seconds: 300)
            #expect(scene.requests == 0 && scene.status["problem"] != nil, "\(text)")
        }
    }

    @Test("A record that somebody spoiled is as good as none")
    func spoiledRecord() throws {
        let wild =
            #"{"attempts":-5,"wait":{"bootID":"boot-1","untilNanos":-9223372036854775808,"#
            + #""savedAtMs":9223372036854775807,"remainingMs":9223372036854775807,"trusted":true},"days":[5,{"date":7}]}"#
        for text in ["", "{", "null", wild] {
            let store = MemoryStore()
            try store.setState(.sync, text)
            let scene = try SyncScene(points: 1, store: store)
            scene.pass(seconds: 1_900)
            #expect(scene.requests > 0 || text == wild)
        }
    }

    @Test("After a 401 a new credential goes on at once, and so does the same one on the operator's word")
    func afterUnauthorized() throws {
        let scene = try SyncScene(points: 2, answers: [.status(401), .ok])
        scene.pass(seconds: 30)
        #expect(scene.status["state"] == "unconfigured")
        let reply = try scene.ask(
            "sync.configure",
            ["url": "https://example.org/points", "headers": .array(["Authorization: Bearer secret-token"])])
        #expect(reply["ok"] == true)
        scene.pass(seconds: 5)
        #expect(scene.store.sentIDs.count == 2)
    }

    @Test("The credential of sync configure is deleted when it is refused, and does not come back (E-177)")
    func deleted() throws {
        let vault = MemoryVault()
        let scene = try SyncScene(points: 2, vault: vault, answers: [.status(401)])
        let arguments: JSONObject = ["url": "https://other.example/in", "headers": .array(["X-Token: s3cret"])]
        _ = try scene.ask("sync.configure", arguments)
        scene.pass(seconds: 5)
        #expect(vault.bytes == nil && scene.status["endpoint"] == nil)
        // Provisioning writes the same again.
        let provisioned = UploadEndpoint(url: "https://other.example/in", headers: [SyncHeader("X-Token", "s3cret")])
        vault.bytes = provisioned.json.bytes
        let again = try SyncScene(store: scene.store, vault: vault)
        again.pass(seconds: 7_200)
        #expect(again.requests == 0)
    }

    @Test("Credentials and lost points are a matter of root and the service user")
    func privileged() throws {
        let scene = try SyncScene(points: 2, answers: [nil])
        for op in ["sync.configure", "sync.useFile", "sync.wipe", "sync.quarantine.drop"] {
            #expect(try scene.ask(op, user: 1_000)["code"] == "forbidden", "\(op)")
        }
        #expect(try scene.ask("sync.status", user: 1_000)["ok"] == true)
        #expect(try scene.ask("sync.wipe")["result.count"]?.intValue == 2)
        #expect(scene.store.points.isEmpty)
    }

    @Test("Unknown arguments are refused by name")
    func unknownArgument() throws {
        let reply = try SyncScene().ask("sync.now", ["fast": true])
        #expect(reply["code"] == "invalidRequest" && reply["message"]?.stringValue?.contains("fast") == true)
    }

    @Test("The dry exchange explains every step and decides nothing")
    func test() throws {
        let scene = try SyncScene(points: 2, answers: [.status(401)], startsNow: false)
        scene.bench.reactor.wall.trust = .disciplined
        try scene.start()
        let reply = try scene.ask("sync.test")
        let steps = reply["result.steps"]?.arrayValue ?? []
        #expect(
            steps.map { $0["step"]?.stringValue ?? "" } == [
                "route", "clock", "credential", "name", "connect", "TLS", "HTTP", "answer",
            ])
        #expect(reply["result.ok"] == false && steps.last?["verdict"] == "failed")
        #expect(SyncScene.uuids(scene.bench.uplink.requests[0].body).isEmpty)
        #expect(scene.status["state"] != "unconfigured", "the credential is not given up for a test")
        scene.bench.uplink.script = [.failed(.tls)]
        let failed = try scene.ask("sync.test")["result.steps"]?.arrayValue ?? []
        let verdicts = failed.suffix(5).map { $0["verdict"]?.stringValue ?? "" }
        #expect(verdicts == ["ok", "ok", "failed", "skipped", "skipped"])
        #expect(!reply.text.contains("secret-token"))
    }

    @Test("A bare dry exchange sends no credential")
    func bareTest() throws {
        let scene = try SyncScene(points: 2, answers: [.status(401)], startsNow: false)
        scene.bench.reactor.wall.trust = .disciplined
        try scene.start()
        let steps = try scene.ask("sync.test", ["bare": true])["result.steps"]?.arrayValue ?? []
        #expect(
            steps.map { $0["step"]?.stringValue ?? "" } == [
                "route", "clock", "name", "connect", "TLS", "HTTP", "answer",
            ])
        #expect(scene.bench.uplink.requests.count == 1 && scene.bench.uplink.requests[0].headers.isEmpty)
        #expect(try scene.ask("sync.test", ["bare": "true"])["code"] == "invalidRequest")
    }

    @Test("Counts are kept by session and by day, over a restart too")
    func counts() throws {
        let scene = try SyncScene(points: 150)
        scene.pass(seconds: 30)
        let day = scene.status["today"]
        #expect(day?["requests"]?.intValue == 2 && day?["rows"]?.intValue == 150)
        #expect((day?["bytesUp"]?.intValue ?? 0) > 10_000)
        #expect(scene.status["session.rows"]?.intValue == 150)
        let again = try SyncScene(store: scene.store)
        #expect(again.status["today.rows"]?.intValue == 150)
        scene.pass(seconds: 86_400)
        try SyncScene.commit(1_500, to: scene.store)
        scene.pass(seconds: 300)
        let days = try scene.ask("sync.status")["result.days"]?.arrayValue ?? []
        #expect(days.map { $0["rows"]?.intValue ?? -1 } == [150, 1])
    }

    @Test("Events go to who asks, with the last one first; the queue's state at most once a minute")
    func events() throws {
        let scene = try SyncScene(points: 2)
        scene.pass(seconds: 30)
        let subscriber = RecordingSubscriber()
        let request = ControlRequest(
            peer: ControlPeer(userID: 0), line: Array(#"{"id":1,"op":"sync.events"}"#.utf8), subscriber: subscriber)
        let reply = try JSONReader.parse(try #require(ControlProtocol(runtime: scene.bench.runtime).reply(to: request)))
        #expect(reply["result.last.event"] != nil)
        for second in 0..<120 {
            try SyncScene.commit(second, to: scene.store)
            scene.bench.runtime.uploader?.pointCommitted()
            scene.pass(seconds: 1)
        }
        let names = try subscriber.lines.map { try JSONReader.parse($0)["data.event"]?.stringValue ?? "" }
        #expect(names.contains("httpResponse") && names.contains("uploaded"))
        #expect((1...3).contains(names.filter { $0 == "queueState" }.count))
    }

    @Test("No credential in status, log, events, state or test (E-194)")
    func secrets() throws {
        let vault = MemoryVault()
        vault.credentials["/run/token"] = "X-Extra: sECRET-2\nnonsense sECRET-3"
        let scene = try SyncScene(points: 3, vault: vault, answers: [.status(401)]) {
            $0.sync.headers = [SyncHeader("Authorization", "Bearer sECRET-1")]
            $0.sync.credentialFile = "/run/token"
        }
        var seen = [try scene.ask("sync.test").text, try scene.ask("sync.status").text]
        scene.pass(seconds: 200)
        vault.credentials["/run/token"] = "X-Extra: sECRET-2"
        scene.pass(seconds: 200)
        seen += [scene.bench.status.text, try scene.ask("sync.status").text, try scene.ask("sync.resume").text]
        seen += scene.bench.log.lines + scene.bench.events.map { "\($0)" }
        seen += [try scene.store.state(.sync) ?? ""]
        #expect(scene.requests == 1 && scene.uploads.contains(.authExpired))
        for text in seen { #expect(!text.contains("sECRET"), "\(text)") }
    }

    @Test("Pages for people say what matters")
    func pages() throws {
        let scene = try SyncScene(points: 3, answers: [.status(500)])
        scene.pass(seconds: 15)
        let page = SyncPage.status(try scene.ask("sync.status")["result"] ?? .null)
        #expect(page.contains("pending") && page.contains("in a row") && page.contains("next attempt"))
        #expect(SyncPage.outcome(["outcome": "retry", "reason": "offline"]) == "not uploaded: offline\n")
        #expect(SyncPage.quarantine(["rows": .array([])]).contains("nothing"))
        let steps: JSONValue = ["steps": .array([["step": "name", "verdict": "failed", "text": "no such host"]])]
        #expect(SyncPage.steps(steps) == "name  failed: no such host\n")
    }
}
