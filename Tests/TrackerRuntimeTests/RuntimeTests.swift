import Ports
import SyncEngine
import TestKit
import Testing
import TrackerModel
import TrackerRuntime
import WireText

@Suite("Runtime: bytes in, points and uploads out")
struct RuntimeTests {
    @Test("A drive is stored, uploaded once each, and shown")
    func drive() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(120, speedMps: 14)
        bench.reactor.advance(byMillis: 120_000)
        #expect(bench.store.points.count >= 10)
        #expect(bench.store.sentIDs.count == bench.store.points.count)
        let sent = try bench.uplink.requests.flatMap { request in
            try (JSONReader.parse(request.body)["location"]?.arrayValue ?? []).compactMap { $0["uuid"]?.stringValue }
        }
        #expect(sent == bench.store.points.map(\.uuid))
        #expect(bench.status["motion.state"]?.stringValue == "moving")
        #expect(bench.status["queue.pending"]?.intValue == 0)
        #expect(bench.status["queue.lastAnswer"]?.stringValue == "200")
        #expect(bench.status["clock.trusted"]?.boolValue == true)
    }

    @Test("Points carry a uuid of session, boot and instant, so that no fix has two")
    func identity() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(60, speedMps: 14)
        let uuids = bench.store.points.map(\.uuid)
        #expect(Set(uuids).count == uuids.count)
        #expect(uuids.allSatisfy { $0.utf8.count == 40 })
    }

    @Test("An event is heard only after what it reports is stored")
    func durableFirst() throws {
        let bench = RuntimeBench()
        var heardBeforeStored = 0
        bench.runtime.onEvent = { event in
            if case .location(let point) = event, !bench.store.points.contains(where: { $0.uuid == point.uuid }) {
                heardBeforeStored += 1
            }
        }
        try bench.runtime.start()
        bench.play(60, speedMps: 14)
        #expect(bench.store.points.count > 3 && heardBeforeStored == 0)
    }

    @Test("The server fails for a while: nothing is lost, rows are marked only after a 2xx, back-off in between")
    func serverDown() throws {
        let bench = RuntimeBench(answers: [
            .status(500), .failed(UplinkFailure(code: .connect, cause: "connection refused")), .status(404), .ok,
        ])
        try bench.runtime.start()
        bench.play(100, speedMps: 14)
        #expect(bench.store.sentIDs.isEmpty)
        #expect(bench.status["queue.problem"] != nil)
        bench.reactor.advance(byMillis: 400_000)
        #expect(bench.store.sentIDs.count == bench.store.points.count)
        #expect(bench.status["queue.problem"] == nil)
    }

    @Test("The configured format makes the requests; what it says of an unknown device is shown and drops nothing")
    func otherFormat() throws {
        let bench = RuntimeBench(answers: [.status(404), .ok]) { config in
            config.sync.payload.format = .osmand
            config.sync.payload.isCompressed = true
        }
        try bench.runtime.start()
        bench.play(20, speedMps: 14)
        #expect(bench.status["queue.problem"]?.stringValue?.contains("device.id") == true)
        #expect(bench.store.sentIDs.isEmpty && bench.store.quarantinedIDs.isEmpty && !bench.store.points.isEmpty)
        let request = try #require(bench.uplink.requests.first)
        #expect(String(decoding: request.body, as: UTF8.self).hasPrefix("id=bench&timestamp="))
        #expect(request.headers.contains(.init(name: "Content-Type", value: "application/x-www-form-urlencoded")))
        #expect(request.gzipsBody)
        // Nothing more is sent, after a restart neither, until the operator has registered the device.
        bench.reactor.advance(byMillis: 7_200_000)
        #expect(bench.uplink.requests.count == 1)
        let second = RuntimeBench(store: bench.store) { $0.sync.payload.format = .osmand }
        try second.runtime.start()
        second.reactor.advance(byMillis: 7_200_000)
        #expect(second.uplink.requests.isEmpty)
        #expect(second.status["queue.problem"]?.stringValue?.contains("device.id") == true)
    }

    @Test("Points of one request each go out one by one, until all are sent")
    func oneByOne() throws {
        let bench = RuntimeBench { $0.sync.payload.format = .owntracks }
        try bench.runtime.start()
        bench.play(100, speedMps: 14)
        bench.reactor.advance(byMillis: 200_000)
        #expect(bench.store.points.count > 3 && bench.store.sentIDs.count == bench.store.points.count)
        #expect(bench.uplink.requests.count == bench.store.points.count)
        let limits = bench.uplink.requests.map { $0.headers.filter { $0.name.hasPrefix("X-Limit") }.map(\.value) }
        #expect(limits.allSatisfy { $0 == ["tracker", "bench"] })
    }

    @Test("A restart continues the same session and queue, and knows its last point")
    func restart() throws {
        let store = MemoryStore()
        let first = RuntimeBench(store: store, answers: [nil])
        try first.runtime.start()
        first.play(60, speedMps: 14)
        // Killed: no stop, nothing confirmed.
        let stored = store.points.count
        let second = RuntimeBench(store: store)
        try second.runtime.start()
        #expect(second.status["session.resumed"]?.boolValue == true)
        #expect(second.events.contains { if case .sessionInterrupted = $0 { true } else { false } })
        second.reactor.advance(byMillis: 61_000)
        second.play(30, fromEast: 61 * 14, speedMps: 14)
        second.reactor.advance(byMillis: 120_000)
        #expect(store.sessions.count == 1)
        #expect(store.points.count > stored)
        #expect(store.decisions.count { $0.reason == .initial } == 1)
        #expect(store.sentIDs.count == store.points.count)
    }

    @Test("While the store refuses, decisions wait in order and nobody hears of them; then all are stored (E-140)")
    func storeRefuses() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(30, speedMps: 14)
        let before = bench.store.points.count
        bench.store.refusal = StoreFailure(code: .full, cause: "the disk is full", remedy: "free space")
        bench.play(60, fromEast: 30 * 14, speedMps: 14)
        #expect(bench.store.points.count == before)
        #expect(bench.status["storage.state"]?.stringValue == "degraded")
        #expect(bench.events.contains { if case .error(.storageFull, _) = $0 { true } else { false } })
        bench.store.refusal = nil
        bench.play(30, fromEast: 90 * 14, speedMps: 14)
        #expect(bench.store.points.count > before + 4)
        #expect(bench.status["storage.state"]?.stringValue == "ok")
        let times = bench.store.points.map(\.time)
        #expect(times == times.sorted())
    }

    @Test("No credential appears in status, log or events")
    func secrets() throws {
        let bench = RuntimeBench(answers: [.status(401)])
        try bench.runtime.start()
        bench.play(30, speedMps: 14)
        #expect(bench.uplink.requests.first?.headers.contains { $0.value == "Bearer secret-token" } == true)
        #expect(!bench.status.text.contains("secret-token"))
        #expect(!bench.log.lines.contains { $0.contains("secret-token") })
        #expect(!bench.log.lines.contains { $0.contains("47.05") }, "no position in the log")
    }

    @Test("A low battery stretches the cadence and says so")
    func battery() throws {
        let bench = RuntimeBench()
        bench.battery.reading = BatteryReading(percent: 31, isCharging: false)
        try bench.runtime.start()
        bench.battery.reading = BatteryReading(percent: 25, isCharging: false)
        bench.reactor.advance(byMillis: 3 * 121_000 + 10_000)
        #expect(bench.status["power.tier"]?.stringValue == "saver")
        #expect(bench.status["cadence.intervalMs"]?.intValue == 120_000)
        #expect(bench.events.contains(.powerSaveChange(true)))
    }

    @Test("Stop persists and closes; nothing is left on the reactor")
    func stop() throws {
        let bench = RuntimeBench()
        try bench.runtime.start()
        bench.play(10, speedMps: 14)
        bench.runtime.stop()
        bench.runtime.stop()
        #expect(bench.uplink.isClosed)
        let count = bench.store.points.count
        bench.reactor.advance(byMillis: 600_000)
        #expect(bench.store.points.count == count)
        #expect(bench.reactor.timerCount == 0)
        #expect(bench.store.sessions.first?.endedAt == nil)
    }

    @Test(
        "With a clock that nobody has set nothing is sent over TLS, and the reason is shown; once it is set, all is (E-145, F-31)"
    )
    func unsetClock() throws {
        let bench = RuntimeBench()
        bench.reactor.wall = WallReading(time: UTCTime(millis: 0), trust: .unknown)
        try bench.runtime.start()
        bench.play(60, speedMps: 14)
        #expect(bench.uplink.requests.isEmpty && !bench.store.points.isEmpty)
        #expect(bench.status["queue.problem"]?.stringValue?.contains("clock is not set") == true)
        bench.reactor.wall = WallReading(time: RuntimeBench.epoch, trust: .disciplined)
        bench.reactor.advance(byMillis: 600_000)
        #expect(bench.store.sentIDs.count == bench.store.points.count)
    }

    @Test("A point dated years ahead is set aside and never sent; the rest flows (F-32)")
    func futurePoint() throws {
        let store = MemoryStore()
        let first = RuntimeBench(store: store, answers: [nil])
        try first.runtime.start()
        first.play(60, speedMps: 14)
        var future = try #require(store.points.first)
        future.uuid = "future"
        future.time = future.time.advanced(byMillis: 8 * 365 * 86_400_000)
        _ = try store.commit(FixRecord(sessionID: future.sessionID, decision: nil, point: future, captureState: ""))
        let second = RuntimeBench(store: store)
        try second.runtime.start()
        second.reactor.advance(byMillis: 61_000)
        second.play(30, fromEast: 61 * 14, speedMps: 14)
        second.reactor.advance(byMillis: 120_000)
        #expect(store.quarantinedIDs.count == 1)
        #expect(store.sentIDs.count == store.points.count - 1)
        let bodies = second.uplink.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(!bodies.contains { $0.contains("\"future\"") })
        #expect(second.status["queue.quarantined"] == 1)
    }
}
