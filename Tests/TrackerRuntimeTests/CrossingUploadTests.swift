import Ports
import SyncEngine
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

@Suite("Crossings of geofences on their way to the server")
struct CrossingUploadTests {
    private func scene(
        points: Int = 0, store: MemoryStore = MemoryStore(), change: @escaping (inout TrackerConfig) -> Void = { _ in }
    ) throws -> SyncScene {
        try SyncScene(points: points, store: store) {
            $0.sync.payload.format = .owntracks
            $0.sync.sendsCrossings = true
            change(&$0)
        }
    }

    /// As the fences do it: stored, then told.
    private func cross(_ scene: SyncScene, _ kind: FenceCrossing.Kind, minute: Int64) throws {
        try cross(scene.bench, kind, minute: minute)
    }

    private func cross(_ bench: RuntimeBench, _ kind: FenceCrossing.Kind, minute: Int64) throws {
        _ = try bench.store.append(crossing(kind, minute: minute))
        bench.runtime.uploader?.hurry(.fenceCrossing)
    }

    private func crossing(_ kind: FenceCrossing.Kind, minute: Int64) -> FenceCrossing {
        FenceCrossing(
            fenceID: "yard", kind: kind, time: RuntimeBench.epoch.advanced(byMillis: minute * 60_000),
            latitudeE7: 470_000_000, longitudeE7: 80_000_000, radiusMM: 50_000)
    }

    private func types(_ scene: SyncScene) -> [String] {
        scene.bench.uplink.requests.map { request in
            let body = try? JSONReader.parse(request.body)
            return body?["event"]?.stringValue ?? body?["_type"]?.stringValue ?? "?"
        }
    }

    @Test("They go at once, one a request, before the points; a stay has no word and is passed over")
    func order() throws {
        let scene = try scene(points: 2) { $0.sync.minBatch = 100 }
        try cross(scene, .enter, minute: 0)
        try cross(scene, .dwell, minute: 1)
        try cross(scene, .exit, minute: 2)
        scene.pass(seconds: 5)
        #expect(types(scene) == ["enter", "leave", "location", "location"])
        #expect(Set(scene.bench.uplink.requests.compactMap { $0.headers.last?.value }).count == 4)
        #expect(try scene.store.state(.crossings) == "3" && scene.store.sentIDs.count == 2)
        scene.pass(seconds: 3_600)
        #expect(scene.requests == 4)
    }

    @Test("One is sent only when it was confirmed, over a restart too")
    func restart() throws {
        let scene = try scene()
        scene.bench.uplink.script = [.failed(.cut)]
        try cross(scene, .enter, minute: 0)
        scene.pass(seconds: 5)
        #expect(types(scene) == ["enter"])
        #expect(try scene.store.state(.crossings) == "0")
        let again = try self.scene(store: scene.store)
        again.pass(seconds: 300)
        #expect(types(again) == ["enter"])
        #expect(again.bench.uplink.requests == Array(scene.bench.uplink.requests.prefix(1)), "byte for byte")
        let third = try self.scene(store: scene.store)
        third.pass(seconds: 300)
        #expect(third.requests == 0)
    }

    @Test("F-46: one of an earlier run powers a modem and goes at once, while parked and where points would wait")
    func restartParked() throws {
        let store = MemoryStore()
        let first = try parked(store)
        first.bench.uplink.script = [.failed(.cut)]
        try cross(first.bench, .exit, minute: 0)
        first.pass(seconds: 30)
        #expect(!first.bench.uplink.requests.isEmpty)
        first.bench.runtime.stop()
        let again = try parked(store)
        again.pass(seconds: 120)
        #expect(again.bench.uplink.requests.count == 1 && again.power.orders == ["off", "on", "off"])
        #expect(try store.state(.crossings) == "1")
    }

    private func parked(_ store: MemoryStore) throws -> ModemScene {
        try ModemScene(store: store) {
            $0.sync.payload.format = .owntracks
            $0.sync.sendsCrossings = true
            $0.sync.minBatch = 100
        }
    }

    @Test("A crossing that waits is as old as it is, without any point")
    func age() throws {
        let scene = try scene()
        let uploader = try #require(scene.bench.runtime.uploader)
        #expect(uploader.facts.oldestAgeMillis == nil && uploader.facts.rows == 0)
        _ = try scene.store.append(crossing(.enter, minute: -10))
        #expect(uploader.facts.oldestAgeMillis == 600_000 && uploader.facts.rows == 1)
        try SyncScene.commit(-5, to: scene.store)
        #expect(uploader.facts.oldestAgeMillis == 600_000 && uploader.facts.rows == 2)
    }

    @Test("One that the server refuses is passed over, and blocks no point")
    func refused() throws {
        let scene = try scene(points: 2)
        scene.bench.uplink.answer = { String(decoding: $0.body, as: UTF8.self).contains("enter") ? .status(400) : .ok }
        try cross(scene, .enter, minute: 0)
        try cross(scene, .exit, minute: 1)
        scene.pass(seconds: 5)
        #expect(types(scene) == ["enter", "leave", "location", "location"])
        #expect(scene.store.sentIDs.count == 2)
        #expect(scene.bench.events.contains(.diagnostic("crossing_not_sent: status 400")))
    }

    @Test("A server that refuses everything costs one a wait")
    func allRefused() throws {
        let scene = try scene()
        scene.bench.uplink.script = [.status(422)]
        for minute in 0..<6 { try cross(scene, minute % 2 == 0 ? .enter : .exit, minute: Int64(minute)) }
        scene.pass(seconds: 20)
        #expect(scene.requests == 2)
    }

    @Test("What was crossed before the switch was set stays at home, and so does all after a wipe")
    func before() throws {
        let off = try SyncScene { $0.sync.payload.format = .owntracks }
        try cross(off, .enter, minute: 0)
        off.pass(seconds: 300)
        #expect(off.requests == 0)
        let scene = try scene(store: off.store)
        scene.pass(seconds: 300)
        #expect(scene.requests == 0)
        scene.bench.uplink.script = [.failed(.connect)]
        try cross(scene, .exit, minute: 10)
        _ = try scene.ask("sync.wipe")
        scene.bench.uplink.script = [.ok]
        let before = scene.requests
        scene.pass(seconds: 3_600)
        #expect(scene.requests == before)
    }

    @Test("One from the future is never sent; a broker gets events a level below locations")
    func futureAndBroker() throws {
        for (url, expected) in [
            ("mqtts://broker.example", "mqtts://broker.example/owntracks/tracker/bench/event"),
            ("mqtts://broker.example/fleet/7", "mqtts://broker.example/fleet/7/event"),
        ] {
            let scene = try scene { $0.sync.url = url }
            scene.bench.play(3, speedMps: 0)
            try cross(scene, .enter, minute: 3_000)
            try cross(scene, .exit, minute: 1)
            scene.pass(seconds: 300)
            let events = scene.bench.uplink.requests.filter {
                String(decoding: $0.body, as: UTF8.self).contains("transition")
            }
            #expect(events.map(\.url) == [expected])
            #expect(scene.bench.events.contains(.diagnostic("crossing_not_sent: futureDated")))
        }
    }
}
