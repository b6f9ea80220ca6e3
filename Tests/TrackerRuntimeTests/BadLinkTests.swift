import Ports
import SyncEngine
import TestKit
import Testing
import TrackerModel

@testable import TrackerRuntime

@Suite("Uploads over links and servers that are bad for hours")
struct BadLinkTests {
    /// What a server has, which upserts by uuid, and how often it was given each.
    private final class Inbox {
        var uuids: [String: Int] = [:]
        func take(_ request: UplinkRequest) {
            for uuid in SyncScene.uuids(request.body) { uuids[uuid, default: 0] += 1 }
        }
    }

    @Test("Half of all exchanges fail for six hours, in every way: nothing is lost, only a lost answer doubles")
    func halfFail() throws {
        let scene = try SyncScene()
        let inbox = Inbox()
        var random = SeededRandom(seed: 6)
        var lostAnswers = 0
        var failures = 0
        var isBad = true
        scene.bench.uplink.answer = { request in
            guard isBad, Bool.random(using: &random) else {
                inbox.take(request)
                return .ok
            }
            failures += 1
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return .status(500)
            case 1: return .status(404)
            case 2: return .answered(status: 503, retryAfter: "45", date: nil, body: [])
            case 3: return .failed(.name)
            case 4: return .failed(.connect)
            case 5: return .failed(.tls)
            case 6: return .failed(.timeout)
            default:
                inbox.take(request)
                lostAnswers += SyncScene.uuids(request.body).count
                return .failed(.cut)
            }
        }
        for minute in 0..<360 {
            try SyncScene.commit(minute, to: scene.store)
            scene.bench.runtime.uploader?.pointCommitted()
            scene.pass(seconds: 60)
        }
        isBad = false
        // The longest back-off, with its jitter.
        scene.pass(seconds: 2_400)
        #expect(scene.store.sentIDs.count == 360 && Set(inbox.uuids.keys) == Set(scene.store.points.map(\.uuid)))
        #expect((60...400).contains(failures), "\(failures) failures")
        let extra = inbox.uuids.values.reduce(0, +) - 360
        #expect(lostAnswers > 0 && extra == lostAnswers, "\(extra) given twice, \(lostAnswers) in lost answers")
    }

    @Test("Three days offline, then 2 kB/s: bodies shrink to what fits into the time, all arrives once (E-187)")
    func slowLink() throws {
        let bytesPerSecond: Int64 = 2_000
        let scene = try SyncScene(points: 72 * 60, answers: [.failed(.name)]) {
            $0.sync.batchSize = 1_000
        }
        scene.pass(seconds: 7_200)
        #expect(scene.store.sentIDs.isEmpty)
        let inbox = Inbox()
        let limitMillis = Int64(try #require(scene.bench.uplink.requests.first).totalTimeoutSec) * 1_000
        func millis(_ request: UplinkRequest) -> Int64 { Int64(request.body.count) * 1_000 / bytesPerSecond }
        var spentMillis: Int64 = 0
        var delivered: Int64 = 0
        scene.bench.uplink.answerMillis = { min(millis($0), limitMillis) }
        scene.bench.uplink.answer = { request in
            spentMillis += min(millis(request), limitMillis)
            guard millis(request) < limitMillis else { return .failed(.timeout) }
            inbox.take(request)
            delivered += Int64(request.body.count)
            return .ok
        }
        var seconds: Int64 = 0
        while scene.store.sentIDs.count < 4_320, seconds < 6 * 3_600 {
            scene.pass(seconds: 10)
            seconds += 10
        }
        #expect(scene.store.sentIDs.count == 4_320 && inbox.uuids.count == 4_320)
        #expect(inbox.uuids.values.allSatisfy { $0 == 1 }, "none twice")
        let needed = delivered * 1_000 / bytesPerSecond
        #expect(spentMillis - needed <= 2 * limitMillis, "\(spentMillis) ms on the link for \(needed) ms of points")
    }
}
