import Ports
import SyncEngine
import TestKit
import Testing
import TrackerModel
import WireText

@testable import TrackerRuntime

/// A runtime with points in its queue, on a manual clock, and a server that answers as it is told.
private final class SyncRun {
    let reactor: ManualReactor
    let store = MemoryStore()
    let uplink: ScriptedUplink
    let runtime: Runtime
    var events: [TrackerEvent] = []
    private static let epoch = UTCTime(millis: 1_777_881_600_000)

    init(
        points: Int, _ script: [UplinkResult], trust: WallTrust = .disciplined,
        change: (inout TrackerConfig) -> Void = { _ in }
    ) throws {
        reactor = ManualReactor(wall: WallReading(time: Self.epoch, trust: trust))
        uplink = ScriptedUplink(reactor: reactor, script: script)
        var config = TrackerConfig()
        config.deviceID = "bench"
        config.sync.url = "https://example.org/points"
        change(&config)
        runtime = Runtime(
            config: config, host: HostFacts(bootID: "boot", version: "test", processID: 1, timeScale: 1),
            ports: RuntimePorts(
                reactor: reactor, stream: ScriptedByteStream(), store: store, log: RecordingLog(),
                digests: FakeDigests(), calendar: FakeCalendar(), uplink: uplink, vault: MemoryVault(),
                links: [ScriptedRoutes()]),
            freshSessionID: "session")
        runtime.onEvent = { [unowned self] in events.append($0) }
        for number in 0..<points { try capture(minute: number - points) }
        try runtime.start()
    }

    func capture(minute: Int) throws {
        let time = Self.epoch.advanced(byMillis: Int64(minute) * 60_000)
        let point = TrackPoint(
            uuid: "uuid\(minute)", sessionID: "before", time: time, instant: .zero, bootID: "before",
            localDate: "2026-05-04", timeZone: "UTC", latitudeE7: 470_000_000, longitudeE7: 80_000_000,
            accuracyMM: 5_000, altitudeMM: nil, speedMMps: 0, bearingCentideg: 0, hasSpeed: false, hasBearing: false,
            provider: .gnss, isMock: false, movement: .steady, acceptReason: .initial, odometerMM: 0,
            batteryPercent: nil, isCharging: nil)
        _ = try store.commit(FixRecord(sessionID: "before", decision: nil, point: point, captureState: ""))
        runtime.uploader?.pointCommitted()
    }

    func pass(_ seconds: Int64) { reactor.advance(byMillis: seconds * 1_000) }

    /// Without the state of the queue, which is told at its own times.
    var uploads: [UploadEvent] {
        events.compactMap { event in
            if case .upload(let upload) = event, upload.name != "queueState" { upload } else { nil }
        }
    }
    var diagnostics: [String] { events.compactMap { if case .diagnostic(let text) = $0 { text } else { nil } } }
    var waits: [Int64] { uploads.compactMap { if case .retryScheduled(let seconds, _) = $0 { seconds } else { nil } } }
    var uuids: [[String]] { uplink.requests.map { Self.uuids($0.body) } }
    var isAllSent: Bool { store.sentIDs.count == store.points.count }
    /// Nothing was marked sent, nothing is gone.
    func keeps(_ count: Int) -> Bool { store.points.count == count && store.sentIDs.isEmpty }

    static func uuids(_ body: [UInt8]) -> [String] {
        ((try? JSONReader.parse(body))?["location"]?.arrayValue ?? []).compactMap { $0["uuid"]?.stringValue }
    }
}

@Suite("Acceptance: uploads")
struct SyncTests {
    private static func status(_ code: Int, retryAfter: String? = nil) -> UplinkResult {
        .answered(status: code, retryAfter: retryAfter, date: nil, body: [])
    }

    private static func failed(_ code: UplinkFailure.Code) -> UplinkResult {
        .failed(UplinkFailure(code: code, cause: "as scripted"))
    }

    /// The points stay, the first back-off is taken (30 s ± 20 %), and the next attempt delivers them.
    private static func backsOff(_ answer: UplinkResult, status: Int?) throws -> Bool {
        let run = try SyncRun(points: 3, [answer, Self.status(200)])
        run.pass(12)
        let isKept = run.keeps(3) && run.uplink.requests.count == 1
        run.pass(60)
        return isKept && run.isAllSent && run.uplink.requests.count == 2 && run.waits.count == 1
            && (24...36).contains(run.waits[0]) && run.uploads.first == .httpResponse(status: status, count: 3)
    }

    /// The server names the time, and that is kept to.
    private static func waits(_ code: Int) throws -> Bool {
        let run = try SyncRun(points: 3, [status(code, retryAfter: "120"), status(200)])
        run.pass(125)
        let isKept = run.keeps(3) && run.uplink.requests.count == 1 && run.waits == [120]
        run.pass(10)
        return isKept && run.isAllSent
    }

    /// Ended for good: one request, the points kept.
    private static func ends(_ code: Int, _ event: UploadEvent, hasEndpoint: Bool) throws -> Bool {
        let run = try SyncRun(points: 3, [status(code)])
        run.pass(7_200)
        return run.keeps(3) && run.uplink.requests.count == 1 && run.uploads.filter { $0 == event }.count == 1
            && (run.runtime.queueStatus["endpoint"] != nil) == hasEndpoint && run.runtime.session != nil
    }

    /// A server that takes no more than one point, or all but one.
    private static func setsAside(_ code: Int, refuses: @escaping ([String]) -> Bool, aside: [String]) throws -> Bool {
        let run = try SyncRun(points: 8, [])
        run.uplink.answer = { status(refuses(SyncRun.uuids($0.body)) ? code : 200) }
        run.pass(7_200)
        var told: [String] = []
        for case .quarantined(let uuids, code) in run.uploads { told += uuids }
        let stored = run.store.points.filter { run.store.quarantinedIDs.contains($0.id) }.map(\.uuid)
        return told == aside && stored == aside && run.store.sentIDs.count == 8 - aside.count
    }

    /// The rows of the specification of uploads, §5, in their order.
    private static var table: [(row: String, holds: () throws -> Bool)] {
        [
            (
                "2xx",
                {
                    try [200, 201, 204].allSatisfy { code in
                        let run = try SyncRun(points: 3, [status(code)])
                        run.pass(15)
                        return run.isAllSent && run.waits.isEmpty
                            && run.uploads.prefix(2) == [.httpResponse(status: code, count: 3), .uploaded(count: 3)]
                    }
                }
            ),
            ("401", { try ends(401, .authExpired, hasEndpoint: false) }),
            ("403", { try ends(403, .forbidden, hasEndpoint: true) }),
            ("Retry-After", { try [408, 425, 429, 503].allSatisfy { try waits($0) } }),
            ("408, 425, 429", { try [408, 425, 429].allSatisfy { try backsOff(status($0), status: $0) } }),
            (
                "413",
                {
                    try setsAside(413, refuses: { $0.count > 1 }, aside: [])
                        && setsAside(413, refuses: { $0.contains("uuid-3") }, aside: ["uuid-3"])
                }
            ),
            (
                "400, 422",
                {
                    try [400, 422].allSatisfy {
                        try setsAside($0, refuses: { $0.contains("uuid-3") }, aside: ["uuid-3"])
                    }
                }
            ),
            ("other 4xx", { try [404, 405, 410, 418].allSatisfy { try backsOff(status($0), status: $0) } }),
            (
                "3xx",
                {
                    let run = try SyncRun(points: 3, [status(302)])
                    run.pass(15)
                    return try [302, 308].allSatisfy { try backsOff(status($0), status: $0) }
                        && run.diagnostics.contains { $0.hasPrefix("sync_redirect") }
                }
            ),
            ("5xx", { try [500, 502, 503, 504].allSatisfy { try backsOff(status($0), status: $0) } }),
            (
                "no exchange",
                {
                    try [.name, .connect, .tls, .timeout, .cut].allSatisfy { code in
                        code == .timeout ? try timesOut() : try backsOff(failed(code), status: nil)
                    }
                }
            ),
            (
                "TLS with an untrusted clock",
                {
                    let unset = try SyncRun(points: 3, [status(200)], trust: .unknown)
                    unset.pass(3_600)
                    let guessed = try SyncRun(points: 3, [failed(.tls)], trust: .estimated)
                    guessed.pass(3_600)
                    return unset.uplink.requests.isEmpty && !guessed.uplink.requests.isEmpty
                        && [unset, guessed].allSatisfy { $0.keeps(3) && $0.diagnostics.contains("sync_waiting_clock") }
                }
            ),
        ]
    }

    /// A batch that times out is smaller the next time, so that the three points take more than one request.
    private static func timesOut() throws -> Bool {
        let run = try SyncRun(points: 3, [failed(.timeout), status(200)])
        run.pass(12)
        let isKept = run.keeps(3) && run.uplink.requests.count == 1
        run.pass(60)
        return isKept && run.isAllSent && run.uploads.first == .httpResponse(status: nil, count: 3)
    }

    @Test("A-21: every row of the table of answers, from a scripted server")
    func answers() throws {
        var failing: [String] = []
        for entry in Self.table where try !entry.holds() { failing.append(entry.row) }
        let ok = AcceptanceTable.record(
            "A-21", "every row of the table of answers (spec sync 5), from a scripted server",
            "\(Self.table.count - failing.count) of \(Self.table.count) rows as written"
                + (failing.isEmpty ? "" : "; not: " + failing.joined(separator: ", ")),
            limit: "12 of 12", passed: failing.isEmpty && Self.table.count == 12)
        #expect(ok, "\(failing)")
    }

    @Test("A-22: three days offline, then online: every point once, the oldest first")
    func threeDays() throws {
        let run = try SyncRun(points: 0, [Self.failed(.connect)])
        for minute in 0..<(72 * 60) {
            try run.capture(minute: minute)
            run.pass(60)
        }
        let attempts = run.uplink.requests.count
        let isKept = run.keeps(4_320)
        run.uplink.script = [Self.status(200)]
        run.pass(2_400)
        let delivered = run.uuids.dropFirst(attempts).flatMap { $0 }
        let isInOrder = delivered == run.store.points.map(\.uuid)
        let ok = AcceptanceTable.record(
            "A-22", "72 h offline with a point a minute, \(attempts) attempts, then online",
            "\(Set(delivered).count) of 4320 points received, \(delivered.count - Set(delivered).count) twice, "
                + (isInOrder ? "oldest first" : "not in order"),
            limit: "4320, 0, oldest first", passed: isKept && isInOrder && run.isAllSent)
        #expect(ok)
    }

    @Test("Every upload format carries a queue to a server that confirms it, each point once")
    func formats() throws {
        var carried: [String] = []
        for format in FormatName.allCases {
            let run = try SyncRun(points: 50, [Self.status(200)]) { $0.sync.payload.format = format }
            run.pass(120)
            let bodies = Set(run.uplink.requests.map { "\($0.url)\($0.body)" })
            if run.isAllSent, bodies.count == run.uplink.requests.count {
                carried.append("\(format.rawValue) in \(bodies.count)")
            }
        }
        let ok = AcceptanceTable.record(
            "formats", "50 queued points in each upload format, every exchange confirmed",
            "\(carried.count) of \(FormatName.allCases.count) carry all: requests of "
                + carried.joined(separator: ", "),
            limit: "all, no request twice", passed: carried.count == FormatName.allCases.count)
        #expect(ok, "\(carried)")
    }
}
