import DeviceSimulator
import HTTPUplink
import LinuxIO
import Ports
import SyncEngine
import TrackerEngine
import TrackerModel
import WireText

/// What a point costs on the link: real requests of the uplink to a server on this host that counts them.
struct WireBench {
    /// TLS 1.3 adds to each record of at most 16 KiB: header 5, content type 1, tag 16 (RFC 8446 §5.2).
    private static let recordBytes = 16_384
    private static let recordOverheadBytes = 22
    private static let batches = [1, 20, 100]

    private let points: [TrackPoint]
    private let reactor: LinuxReactor

    /// `nil` where there is no event loop to be had.
    init?() {
        points = WirePoints.day()
        guard let reactor = try? LinuxReactor() else { return nil }
        self.reactor = reactor
    }

    /// A request line with its headers.
    private static let leastRequestBytes = 200

    /// One row for each format, with and without gzip, and size of a batch: bytes a point.
    func run() -> JSONValue {
        var rows: [JSONValue] = []
        for name in FormatName.allCases {
            var config = PayloadConfig()
            config.format = name
            let format = config.encoder(deviceID: "cart-07")
            for batch in Self.batches where batch == 1 || format.maxPoints == nil {
                for isCompressed in batch == 1 ? [false] : [false, true] {
                    guard let row = measure(format, name, batch, isCompressed) else { continue }
                    rows.append(row)
                }
            }
        }
        return .array(rows)
    }

    private func measure(
        _ format: any PayloadFormat, _ name: FormatName, _ batch: Int, _ isCompressed: Bool
    ) -> JSONValue? {
        guard let sink = WireSink() else { return nil }
        let uplink = CurlUplink(reactor: reactor, userAgent: "tracker/1")
        defer { uplink.close() }
        let requests = min(20, points.count / batch)
        var body = 0
        for index in 0..<requests {
            let carried = Array(points[index * batch..<(index + 1) * batch])
            let request = self.request(format, carried, port: sink.port, isCompressed)
            body += request.body.count
            var isTaken = false
            uplink.start(request) { [reactor] report in
                if case .answered(status: 200, _, _, _) = report.result { isTaken = true }
                reactor.stop()
            }
            guard (try? reactor.run()) != nil, isTaken else { return nil }
        }
        // Compressed or not, less than what it was sent would be no measurement.
        let received = sink.receivedBytes
        guard received >= requests * Self.leastRequestBytes else { return nil }
        let each = received / requests
        let records = (each + Self.recordBytes - 1) / Self.recordBytes
        let carried = Int64(requests * batch)
        let secured = received + requests * records * Self.recordOverheadBytes
        return [
            "format": .string(name.rawValue), "gzip": .bool(isCompressed), "batch": .int(Int64(batch)),
            "bodyBytes": .fixed(Int64(body) * 10 / carried, places: 1),
            "requestBytes": .fixed(Int64(received) * 10 / carried, places: 1),
            "tlsBytes": .fixed(Int64(secured) * 10 / carried, places: 1),
        ]
    }

    /// With the headers that the uploader gives it.
    private func request(
        _ format: any PayloadFormat, _ points: [TrackPoint], port: UInt16, _ isCompressed: Bool
    ) -> UplinkRequest {
        let key = OpenSSLDigests().sha256(Array(PointOrder.idempotencyText(points).utf8))
        var headers = format.headers.map { UplinkRequest.Header(name: $0.name, value: $0.value) }
        headers.append(.init(name: "Content-Type", value: format.contentType))
        headers.append(.init(name: "Authorization", value: "Bearer " + String(repeating: "k", count: 32)))
        headers.append(.init(name: "Idempotency-Key", value: Hex.text(key)))
        var request = UplinkRequest(
            url: "http://127.0.0.1:\(port)/points", method: "POST", headers: headers,
            body: format.body(points, maxBytes: 1 << 20).bytes, connectTimeoutSec: 5, totalTimeoutSec: 30)
        request.gzipsBody = isCompressed
        return request
    }
}

/// The points that a simulated day comes to, as the runtime would store them.
enum WirePoints {
    static func day() -> [TrackPoint] {
        let day = TrackScenario.day
        var engine = CaptureEngine(CaptureConfig())
        var actions: [CaptureAction] = []
        var points: [TrackPoint] = []
        engine.handle(.sessionOpened(resumed: nil, isSameBoot: true), at: .zero, into: &actions)
        for fix in SimulatedTrack(day, everyMillis: 1_000, seed: 1).prefix(86_400) {
            actions.removeAll(keepingCapacity: true)
            engine.handle(.fixDetermined(fix), at: fix.instant, into: &actions)
            engine.handle(.timerFired, at: fix.instant, into: &actions)
            for case .commit(let judgement, _) in actions {
                if let accepted = judgement.accepted { points.append(point(accepted, number: Int64(points.count + 1))) }
            }
        }
        return points
    }

    private static func point(_ accepted: AcceptedFix, number: Int64) -> TrackPoint {
        let fix = accepted.fix
        let uuid = Hex.text(OpenSSLDigests().sha1(Array("\(number)".utf8)))
        var point = TrackPoint(
            id: number, uuid: uuid, sessionID: "0d5c3c9e-7c3f-4a55-9c3a-1d3f0f1e2a3b", time: accepted.time,
            instant: fix.instant, bootID: "f2b1a5c4-59a1-4b51-8a0e-6a8b0a2d9c11", localDate: "2026-05-04",
            timeZone: "Europe/Zurich", latitudeE7: fix.coordinate.latitudeE7,
            longitudeE7: fix.coordinate.longitudeE7, accuracyMM: Int64((fix.accuracyM * 1_000).rounded()),
            altitudeMM: fix.altitudeM.map { Int64(($0 * 1_000).rounded()) },
            speedMMps: Int64((accepted.effectiveSpeedMps * 1_000).rounded()),
            bearingCentideg: fix.courseDeg.map { Int64(($0 * 100).rounded()) % 36_000 } ?? 0,
            hasSpeed: fix.speedMps != nil, hasBearing: fix.courseDeg != nil, provider: fix.provider, isMock: false,
            movement: accepted.movement, acceptReason: accepted.reason, odometerMM: accepted.odometerMM,
            batteryPercent: Int(max(5, 95 - number / 25)), isCharging: false)
        point.activity = accepted.movement == .moving ? .inVehicle : .still
        point.activitySince = accepted.time.advanced(byMillis: -(number % 40) * 12_000)
        return point
    }
}
