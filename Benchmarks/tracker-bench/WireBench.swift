import DeviceSimulator
import HTTPUplink
import LinuxIO
import Ports
import SyncEngine
import TrackerEngine
import TrackerModel
import WireText

/// What a point costs on the link: real requests of the uplink over TLS to a server on this host, counted in between.
struct WireBench {
    private static let batches = [1, 20, 100]
    private static let mostRequests = 20

    private let points: [TrackPoint]
    private let reactor: LinuxReactor
    private let server: UInt16
    private let authorities: String

    /// - Parameters:
    ///   - server: the port on this host of an HTTPS server named `localhost` that answers every request with 2xx.
    ///   - authorities: the file of certificates that it is checked against.
    /// `nil` where there is no event loop to be had.
    init?(server: UInt16, authorities: String) {
        points = WirePoints.day()
        guard let reactor = try? LinuxReactor() else { return nil }
        self.reactor = reactor
        self.server = server
        self.authorities = authorities
    }

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

    /// The first request goes twice: the first time it brings the handshake along, and the difference is what that costs.
    private func measure(
        _ format: any PayloadFormat, _ name: FormatName, _ batch: Int, _ isCompressed: Bool
    ) -> JSONValue? {
        guard let relay = WireRelay(to: server) else { return nil }
        let uplink = CurlUplink(reactor: reactor, userAgent: "tracker/1", tls: TLSFiles(authorities: authorities))
        defer { uplink.close() }
        func exchange(_ index: Int) -> (body: Int, plain: Int, up: Int, down: Int)? {
            let carried = Array(points[index * batch..<(index + 1) * batch])
            let request = self.request(format, carried, port: relay.port, isCompressed)
            let before = relay.counts
            var plain: Int64?
            uplink.start(request) { [reactor] report in
                if case .answered(status: 200..<300, _, _, _) = report.result { plain = report.bytesUp }
                reactor.stop()
            }
            guard (try? reactor.run()) != nil, let plain else { return nil }
            let after = relay.counts
            return (request.body.count, Int(plain), after.up - before.up, after.down - before.down)
        }
        let requests = min(Self.mostRequests, points.count / batch)
        guard let first = exchange(0) else { return nil }
        var sum = (body: 0, plain: 0, up: 0, down: 0)
        var handshake = (up: first.up, down: first.down)
        for index in 0..<requests {
            guard let cost = exchange(index) else { return nil }
            if index == 0 { handshake = (first.up - cost.up, first.down - cost.down) }
            sum = (sum.body + cost.body, sum.plain + cost.plain, sum.up + cost.up, sum.down + cost.down)
        }
        let carried = requests * batch
        func each(_ bytes: Int) -> JSONValue { .fixed(Int64(bytes) * 10 / Int64(carried), places: 1) }
        return [
            "format": .string(name.rawValue), "gzip": .bool(isCompressed), "batch": .int(Int64(batch)),
            "bodyBytes": each(sum.body), "requestBytes": each(sum.plain), "tlsBytes": each(sum.up),
            "answerBytes": each(sum.down), "handshakeUpBytes": .int(Int64(handshake.up)),
            "handshakeDownBytes": .int(Int64(handshake.down)),
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
            url: "https://localhost:\(port)/points", method: "POST", headers: headers,
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
