import Ports
import SyncEngine
import TrackerModel

/// A server behind an LTE modem that takes everything: what an exchange costs in time and bytes, for the tracker and for the
/// rules beside it alike.
struct ModelServer {
    /// A connection is kept for a minute without traffic, as networks forget idle ones (RFC 5382 asks for more, mobile
    /// networks keep less).
    private static let keepMillis: Int64 = 60_000
    /// Radio out of idle 300 ms, name, TCP and TLS 1.3 in four round trips of 100 ms, the request in one, the server 100 ms.
    private static let freshMillis: Int64 = 900
    private static let reuseMillis: Int64 = 200
    /// 1 Mbit/s up.
    private static let bytesPerMilli: Int64 = 125
    /// TLS 1.3 with a chain of two certificates, TCP and IP headers, both rounded.
    private static let handshake: (up: Int64, down: Int64) = (1_200, 4_200)
    /// Request line, headers, record and packet overhead; the answer with its own.
    private static let request: (up: Int64, down: Int64) = (420, 260)

    private var meter = RadioMeter()
    private var lastEnd: Instant?
    private(set) var bytesUp: Int64 = 0
    private(set) var bytesDown: Int64 = 0
    private(set) var radioMillis: Int64 = 0
    private(set) var requests: Int64 = 0

    /// One exchange that begins at `now`.
    /// - Returns: its end and its bytes.
    mutating func exchange(bodyBytes: Int, at now: Instant) -> (end: Instant, up: Int64, down: Int64) {
        let isKept = lastEnd.map { now.millis(since: $0) < Self.keepMillis } ?? false
        let up = Int64(bodyBytes) + Self.request.up + (isKept ? 0 : Self.handshake.up)
        let down = Self.request.down + (isKept ? 0 : Self.handshake.down)
        let end = now.advanced(
            byMillis: (isKept ? Self.reuseMillis : Self.freshMillis) + Int64(bodyBytes) / Self.bytesPerMilli)
        let use = meter.used(from: now, to: end)
        lastEnd = end
        bytesUp += up
        bytesDown += down
        radioMillis += use.millis
        requests += 1
        return (end, up, down)
    }
}

/// The model server as the tracker's way out.
final class ModelUplink: Uplink {
    private(set) var server = ModelServer()
    private let reactor: any Reactor
    private var isClosed = false

    init(reactor: any Reactor) { self.reactor = reactor }

    func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void) {
        let cost = server.exchange(bodyBytes: request.body.count, at: reactor.now)
        reactor.schedule(at: cost.end, toleranceMillis: 0) { [weak self] in
            guard let self, !isClosed else { return }
            finished(
                UplinkReport(
                    .answered(status: 200, retryAfter: nil, date: nil, body: []), bytesUp: cost.up,
                    bytesDown: cost.down))
        }
    }

    func close() { isClosed = true }
}

/// A modem on a network of fair quality that is always attached and costs money.
final class ModelLink: LinkSource {
    let reading = LinkReading(
        route: "wwan0", modem: ModemReading(.registered, interface: "wwan0", quality: 50))
    func watch(_ changed: @escaping () -> Void) {}
    func close() {}
}
