import Ports
import SyncEngine
import TrackerModel
import WireText

/// Carries queued points to the server: reads the queue, builds one request, and marks rows sent when, and only when,
/// the request that carried them was answered with a 2xx.
final class Uploader {
    private let config: SyncConfig
    private let format: any PayloadFormat
    private let store: any TrackStore
    private let uplink: any Uplink
    private let digests: any Digests
    private let reactor: any Reactor
    private let utcNow: () -> UTCTime
    /// `nil` while neither the receiver nor the host knows the time.
    private let trustedNow: () -> UTCTime?
    private let log: any LogSink
    private var machine: SyncMachine
    private var timer: TimerID?

    /// The last answer in a word for status: `200`, or `failed: connection refused`.
    private(set) var lastAnswer: String?
    private(set) var problem: String?
    private(set) var uploadedThisRun: Int64 = 0

    init(
        _ config: SyncConfig, deviceID: String, store: any TrackStore, uplink: any Uplink, digests: any Digests,
        reactor: any Reactor, log: any LogSink, utcNow: @escaping () -> UTCTime,
        trustedNow: @escaping () -> UTCTime?
    ) {
        self.config = config
        format = config.payload.encoder(deviceID: deviceID)
        self.store = store
        self.uplink = uplink
        self.digests = digests
        self.reactor = reactor
        self.log = log
        self.utcNow = utcNow
        self.trustedNow = trustedNow
        machine = SyncMachine(config, deviceID: deviceID)
    }

    var isConfigured: Bool { machine.isConfigured }
    /// When the next attempt is due, if one is waited for.
    var nextAttempt: Instant? { machine.deadline < .never ? machine.deadline : nil }

    func pointCommitted() { perform(machine.pointCommitted(reactor.now)) }
    /// At start and on the health tick: rows from before.
    func noticeBacklog() { perform(machine.backlogNoticed(reactor.now)) }
    func stop() { timer.map(reactor.cancel) }

    private func perform(_ answer: SyncMachine.Answer) {
        if answer == .drain { drain() }
        timer.map(reactor.cancel)
        timer = nil
        guard machine.deadline < .never else { return }
        timer = reactor.schedule(at: machine.deadline, toleranceMillis: 1_000) { [unowned self] in
            perform(machine.timerFired(reactor.now))
        }
    }

    /// A point that is dated later than this after now would freeze the live marker at the server (F-32).
    private static let futureMillis: Int64 = 86_400_000

    /// TLS checks certificates against the host's clock: one that nobody has set refuses them all (F-31).
    private var isWaitingForClock: Bool {
        reactor.wall.trust == .unknown && config.isSecure
    }

    private func drain() {
        if isWaitingForClock {
            problem =
                "the host's clock is not set, so no certificate can be checked; points wait for NTP or chrony "
                + "(time.chronySocket)"
            _ = machine.exchangeFinished(.refused("clock"), more: false, reactor.now)
            return
        }
        let rows: [TrackPoint]
        do throws(StoreFailure) { rows = try withoutFuture(store.pending(limit: config.batchSize)) } catch {
            problem = "\(error.cause); \(error.remedy)"
            _ = machine.exchangeFinished(.refused("store"), more: false, reactor.now)
            return
        }
        guard !rows.isEmpty, let url = config.url else { return machine.queueEmpty() }
        let ordered = PointOrder.byTime(rows)
        let (body, count) = format.body(ordered, maxBytes: config.maxBodyBytes)
        let carried = Array(ordered.prefix(count))
        let request = UplinkRequest(
            url: url, method: config.method, headers: headers(for: carried), body: body,
            connectTimeoutSec: config.connectTimeoutSec, totalTimeoutSec: config.totalTimeoutSec,
            gzipsBody: config.payload.isCompressed)
        uplink.start(request) { [weak self] result in self?.finished(result, carried) }
    }

    /// Points from the future are set aside; while it is not certain what the future is, they only wait.
    private func withoutFuture(_ rows: [TrackPoint]) throws(StoreFailure) -> [TrackPoint] {
        let trusted = trustedNow()
        let latest = (trusted ?? utcNow()).advanced(byMillis: Self.futureMillis)
        let future = rows.filter { $0.time > latest }
        guard !future.isEmpty else { return rows }
        if trusted == nil {
            problem = "\(future.count) points are dated after the host's clock; they wait until the time is trusted"
        } else {
            try store.quarantine(ids: future.map(\.id), reason: "futureDated")
            let fields: [(String, LogValue)] = [("count", .int(Int64(future.count))), ("reason", .text("futureDated"))]
            log.write(.warning, "upload.quarantined", fields)
        }
        return rows.filter { $0.time <= latest }
    }

    private func headers(for points: [TrackPoint]) -> [UplinkRequest.Header] {
        let key = Hex.text(digests.sha256(Array(PointOrder.idempotencyText(points).utf8)))
        var headers = config.headers.map { UplinkRequest.Header(name: $0.name, value: $0.value) }
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            headers.append(.init(name: "Content-Type", value: format.contentType))
        }
        headers += format.headers.map { UplinkRequest.Header(name: $0.name, value: $0.value) }
        headers.append(.init(name: "Idempotency-Key", value: key))
        return headers
    }

    private func finished(_ result: UplinkResult, _ carried: [TrackPoint]) {
        let outcome = outcome(of: result, carried)
        if case .refused(let reason) = outcome {
            log.write(.warning, "upload.failed", [("reason", .text(reason)), ("count", .int(Int64(carried.count)))])
        }
        let more = (try? store.queueSummary().pending) ?? 0 > 0
        perform(machine.exchangeFinished(outcome, more: more, reactor.now))
    }

    private func outcome(of result: UplinkResult, _ carried: [TrackPoint]) -> SyncMachine.Outcome {
        switch result {
        case .answered(let status, _, _, _):
            lastAnswer = String(status)
            if let reason = format.haltReason(status: status) {
                problem = "the server answered \(status): it does not know this device; register device.id there"
                return .refused(reason.rawValue)
            }
            guard (200..<300).contains(status) else {
                problem = "the server answered \(status)\(Self.advice(status)); points stay queued"
                return .refused("status \(status)")
            }
            do throws(StoreFailure) { try store.markSent(ids: carried.map(\.id), at: utcNow()) } catch {
                problem = "\(error.cause); \(error.remedy)"
                return .refused("store")
            }
            problem = nil
            uploadedThisRun += Int64(carried.count)
            log.write(.info, "upload.done", [("count", .int(Int64(carried.count))), ("status", .int(Int64(status)))])
            return .confirmed(rows: carried.count)
        case .failed(let failure):
            lastAnswer = "failed: \(failure.code.rawValue)"
            problem = "\(failure.cause); points stay queued"
            return .refused(failure.code.rawValue)
        }
    }

    private static func advice(_ status: Int) -> String {
        switch status {
        case 401, 403: ": it refuses the credential; check upload.headers"
        case 404, 405, 410: ": check upload.url and upload.method"
        case 413: ": the request is too large; lower upload.batchSize"
        case 500...: ": its own fault; it is tried again"
        default: ""
        }
    }
}
