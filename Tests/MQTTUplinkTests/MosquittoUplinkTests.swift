import Foundation
import Ports
import TestKit
import Testing
import TrackerModel

@testable import MQTTUplink

@Suite(
    "Messages to a real broker", .serialized,
    .enabled(
        if: MosquittoBroker.isInstalled && FileManager.default.isExecutableFile(atPath: TopicWatcher.path),
        "skipped: no mosquitto; run make setup"))
struct MosquittoUplinkTests {
    private static let topic = "owntracks/depot/cart-07"

    private static func row(_ number: Int, on topic: String = topic) -> String { "\(topic) {\"row\":\(number)}" }
    private static func isRow(_ line: String) -> Bool { line.contains("\"row\"") }
    private static func isWill(_ line: String) -> Bool { line.contains("{\"_type\":\"lwt\",\"tst\":") }

    private static let durable = ["allow_anonymous true", "autosave_interval 1", "autosave_on_changes true"]

    /// A broker with somebody listening; the first message that arrives proves it.
    private static func started(_ lines: [String] = durable) throws -> (MosquittoBroker, TopicWatcher) {
        let broker = try MosquittoBroker(lines)
        try broker.start()
        let watcher = try TopicWatcher(broker)
        let probe = BrokerBench("mqtt://127.0.0.1:\(broker.port)/probe", clientID: "probe")
        for number in 1...100 where watcher.lines.isEmpty {
            _ = probe.attempt(-number)
            usleep(50_000)
        }
        try #require(!watcher.lines.isEmpty, "nobody listens")
        return (broker, watcher)
    }

    private static func isData(_ line: String) -> Bool { isRow(line) && !line.hasPrefix("probe ") }

    @Test("Every row arrives once, in order, and a good-bye leaves no last will")
    func once() throws {
        let (broker, watcher) = try Self.started()
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)")
        bench.drain(1...60)
        bench.uplink.close()
        #expect(bench.confirmed == Array(1...60) && bench.failures.isEmpty)
        #expect(watcher.waitFor(60, where: Self.isData) == (1...60).map { Self.row($0) })
        #expect(!watcher.lines.contains(where: Self.isWill))
    }

    @Test("The broker is killed and started again in the middle: nothing is lost and nothing comes twice (F-62)")
    func killed() throws {
        let (broker, watcher) = try Self.started()
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)/fleet/7")
        bench.drain(1...9)
        broker.kill()
        #expect(Self.failed(bench.attempt(10)))
        try broker.start()
        bench.drain(10...24)
        // The message is on its way, and the broker dies without having seen it.
        broker.freeze(true)
        #expect(Self.failed(bench.attempt(25) { broker.kill() }))
        try broker.start()
        bench.drain(25...40)
        #expect(bench.confirmed == Array(1...40) && bench.failures.count >= 2)
        #expect(broker.received(from: "tracker-cart-07") == 40, "each row once")
        // What the broker did not know to be read when it died, it gives its reader again.
        var seen: [String] = []
        for line in watcher.waitFor(40, where: Self.isData) where !seen.contains(line) { seen.append(line) }
        #expect(seen == (1...40).map { Self.row($0, on: "fleet/7") })
    }

    private static func failed(_ result: UplinkResult?) -> Bool {
        if case .failed = result { true } else { false }
    }

    @Test("Where the confirmation is lost the row comes twice, and the broken connection leaves the last will")
    func confirmationLost() throws {
        let (broker, watcher) = try Self.started()
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)")
        bench.drain(1...3)
        broker.freeze(true)
        let result = bench.attempt(4, totalSec: 1)
        broker.freeze(false)
        guard case .failed(let failure) = result else {
            Issue.record("a confirmation of a broker that stands still: \(String(describing: result))")
            return
        }
        #expect(failure.code == .timeout && failure.cause.hasSuffix("."))
        bench.drain(4...6)
        #expect(bench.confirmed == Array(1...6))
        #expect(broker.received(from: "tracker-cart-07") == 7)
        #expect(watcher.waitFor(7, where: Self.isData) == [1, 2, 3, 4, 4, 5, 6].map { Self.row($0) })
        let wills = watcher.waitFor(1, where: Self.isWill)
        #expect(wills.count == 1 && wills[0].hasPrefix(Self.topic + " "))
    }

    @Test("A broker that restarts while nothing is sent costs no row")
    func restartedWhileIdle() throws {
        let (broker, watcher) = try Self.started()
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)")
        bench.drain(1...2)
        broker.kill()
        try broker.start()
        bench.drain(3...4)
        #expect(watcher.waitFor(4, where: Self.isData) == (1...4).map { Self.row($0) })
    }

    @Test("An idle connection is kept alive")
    func keptAlive() throws {
        let broker = try MosquittoBroker()
        try broker.start()
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)", keepAliveSec: 5)
        bench.drain(1...1)
        // The broker throws out who is silent for 1.5 times the promised time.
        let end = bench.reactor.now.advanced(byMillis: 9_000)
        _ = bench.reactor.pump(seconds: 10) { bench.reactor.now > end }
        #expect(bench.attempt(2) == .answered(status: 200, retryAfter: nil, date: nil, body: []))
        #expect(bench.failures.isEmpty)
    }

    @Test("Name and password come from the Authorization header; wrong ones are answered like a 403")
    func credentials() throws {
        let broker = try MosquittoBroker(["allow_anonymous false", "password_file %FOLDER%/users"])
        let users = broker.folder.path + "/users"
        try Self.run("/usr/bin/mosquitto_passwd", ["-b", "-c", users, "cart", "secret:word"])
        try broker.start()
        let basic = { (text: String) in "Basic " + Data(text.utf8).base64EncodedString() }
        for (value, status) in [(basic("cart:secret:word"), 200), (basic("cart:other"), 403)] {
            let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)")
            bench.headers = [.init(name: "authorization", value: value)]
            #expect(bench.attempt(1) == .answered(status: status, retryAfter: nil, date: nil, body: []))
        }
    }

    private static func run(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(path)")
    }

    @Test("TLS needs a certificate of the given authority, and the broker's name in it")
    func secure() throws {
        let tls = ["allow_anonymous true", "certfile %FOLDER%/cert", "keyfile %FOLDER%/key"]
        let broker = try MosquittoBroker(tls)
        let here = broker.folder.path
        try TestCertificate.make(here + "/cert", key: here + "/key")
        try broker.start()
        let trusting = BrokerBench("mqtts://localhost:\(broker.port)", tls: TLSFiles(authorities: here + "/cert"))
        trusting.drain(1...3)
        #expect(trusting.confirmed == [1, 2, 3] && trusting.failures.isEmpty)
        let doubting = BrokerBench("mqtts://localhost:\(broker.port)")
        #expect(Self.failed(doubting.attempt(1)))
        #expect(doubting.lastCause.contains("certificate verify failed"), "\(doubting.lastCause)")
        let elsewhere = BrokerBench("mqtts://127.0.0.1:\(broker.port)", tls: TLSFiles(authorities: here + "/cert"))
        #expect(Self.failed(elsewhere.attempt(1)), "the certificate is for another name")
        #expect(doubting.failures == [.tls] && elsewhere.failures == [.tls])
    }

    @Test("A broker that demands a certificate gets it; none, a stranger's and a key that others can read are told")
    func clientCertificate() throws {
        let broker = try MosquittoBroker([
            "allow_anonymous true", "certfile %FOLDER%/cert", "keyfile %FOLDER%/key", "cafile %FOLDER%/ours",
            "require_certificate true",
        ])
        let here = broker.folder.path
        for (certificate, key) in [("cert", "key"), ("ours", "ours.key"), ("theirs", "theirs.key")] {
            try TestCertificate.make("\(here)/\(certificate)", key: "\(here)/\(key)")
        }
        try broker.start()
        func bench(_ name: String?) -> BrokerBench {
            let files = TLSFiles(
                authorities: here + "/cert", certificate: name.map { "\(here)/\($0)" } ?? "",
                key: name.map { "\(here)/\($0).key" } ?? "")
            return BrokerBench("mqtts://localhost:\(broker.port)", tls: files)
        }
        for name in [nil, "theirs"] {
            let refused = bench(name)
            // The broker's word on it may be lost with the connection.
            #expect(Self.failed(refused.attempt(1)) && [[.tls], [.cut]].contains(refused.failures))
            #expect(refused.lastCause.contains("upload.clientCertificate"), "\(refused.lastCause)")
        }
        let known = bench("ours")
        known.drain(1...2)
        #expect(known.confirmed == [1, 2] && known.failures.isEmpty)
        chmod(here + "/ours.key", 0o644)
        let open = bench("ours")
        #expect(Self.failed(open.attempt(3)) && open.failures == [.tlsFiles] && open.lastCause.contains("chmod"))
    }

    @Test("A request to be explained connects and publishes nothing; a message is counted to the byte")
    func explained() throws {
        let broker = try MosquittoBroker()
        try broker.start()
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)/t")
        #expect(bench.attempt(1, isExplained: true) == .answered(status: 200, retryAfter: nil, date: nil, body: []))
        #expect(broker.received(from: "tracker-cart-07") == 0 && bench.bytesUp == 0)
        bench.drain(7...7)
        // Type and length 2, topic 2 + 1, packet id 2, payload 9.
        #expect(broker.received(from: "tracker-cart-07") == 1 && bench.bytesUp == 16)
    }

    @Test("Without a broker, or with something else in its place, an attempt fails and says why")
    func nobody() throws {
        let broker = try MosquittoBroker()
        let none = BrokerBench("mqtt://127.0.0.1:\(broker.port)")
        #expect(Self.failed(none.attempt(1)))
        #expect(none.failures == [.connect])
        let nameless = BrokerBench("mqtt://no-such-host.invalid")
        #expect(Self.failed(nameless.attempt(1)))
        #expect(nameless.failures == [.name])
    }

    @Test("Closing ends at once while a broker stands still, and nothing is called any more")
    func closing() throws {
        let broker = try MosquittoBroker()
        try broker.start()
        let bench = BrokerBench("mqtt://127.0.0.1:\(broker.port)")
        bench.drain(1...1)
        broker.freeze(true)
        var isCalled = false
        let request = UplinkRequest(
            url: bench.url, method: "POST", headers: [], body: [1], connectTimeoutSec: 60, totalTimeoutSec: 60)
        bench.uplink.start(request) { _ in isCalled = true }
        _ = bench.reactor.pump(seconds: 0.2) { false }
        let before = bench.reactor.now
        bench.uplink.close()
        #expect(bench.reactor.now.millis(since: before) < 2_000)
        _ = bench.reactor.pump(seconds: 0.2) { false }
        #expect(!isCalled)
        broker.freeze(false)
    }
}
