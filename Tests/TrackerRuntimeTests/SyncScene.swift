import Ports
import SyncEngine
import TestKit
import TrackerModel
import WireText

@testable import TrackerRuntime

/// A runtime with points in its queue, and what an operator asks of its uploader.
final class SyncScene {
    let bench: RuntimeBench
    var store: MemoryStore { bench.store }

    /// - Parameter points: queued before the start, a minute apart, the last one a minute old.
    init(
        points: Int = 0, store: MemoryStore = MemoryStore(), vault: MemoryVault = MemoryVault(),
        bootID: String = "boot-1", answers: [UplinkResult?] = [.ok], startsNow: Bool = true,
        change: (inout TrackerConfig) -> Void = { _ in }
    ) throws {
        bench = RuntimeBench(store: store, bootID: bootID, answers: answers, vault: vault, change: change)
        for index in 0..<points { try Self.commit(index - points, to: store) }
        if startsNow { try start() }
    }

    func start() throws { try bench.runtime.start() }

    /// A point of so many minutes after the epoch of the bench.
    static func commit(_ minute: Int, to store: MemoryStore, uuid: String? = nil) throws {
        let millis = RuntimeBench.epoch.millis + Int64(minute) * 60_000
        let point = TrackPoint(
            uuid: uuid ?? "uuid\(millis)", sessionID: "before", time: UTCTime(millis: millis), instant: .zero,
            bootID: "before", localDate: "2026-05-04", timeZone: "UTC", latitudeE7: 470_000_000,
            longitudeE7: 80_000_000,
            accuracyMM: 5_000, altitudeMM: nil, speedMMps: 0, bearingCentideg: 0, hasSpeed: false, hasBearing: false,
            provider: .gnss, isMock: false, movement: .steady, acceptReason: .initial, odometerMM: 0,
            batteryPercent: nil, isCharging: nil)
        _ = try store.commit(FixRecord(sessionID: "before", decision: nil, point: point, captureState: ""))
    }

    func pass(seconds: Int64) { bench.reactor.advance(byMillis: seconds * 1_000) }

    /// Until something was sent, or an hour has passed.
    func passUntilRequest() {
        let before = requests
        var seconds = 0
        while requests == before, seconds < 3_600 {
            pass(seconds: 1)
            seconds += 1
        }
        pass(seconds: 1)
    }

    var requests: Int { bench.uplink.requests.count }
    var status: JSONValue { bench.status["queue"] ?? .null }

    /// Uuids of all requests, in order.
    var sentUUIDs: [[String]] { bench.uplink.requests.map { Self.uuids($0.body) } }

    static func uuids(_ body: [UInt8]) -> [String] {
        ((try? JSONReader.parse(body))?["location"]?.arrayValue ?? []).compactMap { $0["uuid"]?.stringValue }
    }

    var uploads: [UploadEvent] {
        bench.events.compactMap { if case .upload(let event) = $0 { event } else { nil } }
    }

    /// The reply, or what is pushed within five minutes.
    func ask(_ op: String, _ arguments: JSONObject = [:], user: UInt32 = 0) throws -> JSONValue {
        let subscriber = RecordingSubscriber()
        var line: JSONObject = ["id": 1, "op": .string(op)]
        line["args"] = .object(arguments)
        if let reply = try bench.answer(JSONValue.object(line).bytes, user: user, subscriber) { return reply }
        var seconds = 0
        while subscriber.lines.isEmpty, seconds < 300 {
            pass(seconds: 1)
            seconds += 1
        }
        return try subscriber.lines.first.map { try JSONReader.parse($0) } ?? .null
    }
}

extension UplinkResult {
    static func failed(_ code: UplinkFailure.Code) -> UplinkResult {
        .failed(UplinkFailure(code: code, cause: "as scripted"))
    }
}
