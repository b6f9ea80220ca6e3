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
        let time = RuntimeBench.epoch.advanced(byMillis: minute * 60_000)
        let crossing = FenceCrossing(
            fenceID: "yard", kind: kind, time: time, latitudeE7: 470_000_000, longitudeE7: 80_000_000, radiusMM: 50_000)
        _ = try scene.store.append(crossing)
        scene.bench.runtime.uploader?.hurry(.fenceCrossing)
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
