import Ports
import SyncEngine
import TrackerModel
import WireText

/// Rows into a request, its answer into a reply.
extension Uploader {
    /// A point that is dated later than this after now would freeze the live marker at the server (F-32).
    static let futureMillis: Int64 = 86_400_000

    func send(_ selection: SyncSelection) throws(StoreFailure) {
        if !selection.prefersNewest, try sendCrossing() { return }
        // One more than a request carries tells whether this is all.
        let most = min(selection.limit, format.maxPoints.map { $0 + 1 } ?? .max)
        let (rows, isHead) = try rows(selection, atMost: most)
        guard !rows.isEmpty, let url = config.url else { return give(.queueEmpty) }
        let (body, carried) = format.request(rows, maxBytes: config.maxBodyBytes)
        var request = UplinkRequest(
            url: url, method: config.method, headers: headers(for: carried), body: body,
            connectTimeoutSec: config.connectTimeoutSec,
            totalTimeoutSec: min(config.totalTimeoutSec, selection.timeoutSec ?? .max))
        request.gzipsBody = config.payload.isCompressed
        let batch = SyncBatch(
            ids: carried.map(\.id), uuids: carried.map(\.uuid),
            stops: Set(carried.filter(\.isSignificantStop).map(\.id)), isHead: isHead,
            isAll: isHead && rows.count < selection.limit && carried.count == rows.count)
        let generation = generation
        exchange(request) { [weak self] report in self?.finished(report, batch, generation) }
    }

    private func rows(
        _ selection: SyncSelection, atMost most: Int
    ) throws(StoreFailure) -> (rows: [TrackPoint], isHead: Bool) {
        let store = surroundings.store
        let prefersNewest = selection.prefersNewest || sendsNewestFirst
        sendsNewestFirst = false
        if prefersNewest, try store.queueSummary().pending > Int64(selection.limit),
            let newest = try store.newestPending(), try withoutFuture([newest]).count == 1
        {
            return ([newest], false)
        }
        // Points from the future that were set aside make room for others.
        var rows: [TrackPoint]
        repeat {
            rows = try store.pending(limit: most)
            let kept = try withoutFuture(rows)
            if kept.count == rows.count || surroundings.trustedNow() == nil { return (kept, true) }
        } while !rows.isEmpty
        return ([], true)
    }

    /// Points from the future are set aside; while it is not certain what the future is, they only wait.
    private func withoutFuture(_ rows: [TrackPoint]) throws(StoreFailure) -> [TrackPoint] {
        let trusted = surroundings.trustedNow()
        let latest = (trusted ?? surroundings.utcNow()).advanced(byMillis: Self.futureMillis)
        let future = rows.filter { $0.time > latest }
        guard !future.isEmpty else { return rows }
        if trusted == nil {
            problem = "\(future.count) points are dated after the host's clock; they wait until the time is trusted"
        } else {
            try setAside(future.map(\.id), reason: "futureDated")
            emit(.quarantined(uuids: future.map(\.uuid), status: nil))
        }
        return rows.filter { $0.time <= latest }
    }

    private func headers(for points: [TrackPoint]) -> [UplinkRequest.Header] {
        let key = surroundings.digests.sha256(Array(PointOrder.idempotencyText(points).utf8))
        return requestHeaders + [.init(name: "Idempotency-Key", value: Hex.text(key))]
    }

    var format: any PayloadFormat { config.payload.encoder(deviceID: surroundings.deviceID) }

    /// The operator's headers, the content type unless they name one, and what else the format needs.
    var requestHeaders: [UplinkRequest.Header] {
        var headers = config.headers.map { UplinkRequest.Header(name: $0.name, value: $0.value) }
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            headers.append(.init(name: "Content-Type", value: format.contentType))
        }
        return headers + format.headers.map { UplinkRequest.Header(name: $0.name, value: $0.value) }
    }

    /// One exchange, its cost counted.
    func exchange(_ request: UplinkRequest, _ finished: @escaping (UplinkReport) -> Void) {
        let began = surroundings.reactor.now
        let isLocal = config.isLoopback
        let isSecure = config.isSecure
        if !isLocal {
            openExchanges += 1
            keepModem()
            onExchange?(true)
        }
        surroundings.uplink.start(request) { [weak self] report in
            if let self {
                var counts = UploadCounts()
                counts.requests = 1
                counts.bytesUp = report.bytesUp
                counts.bytesDown = report.bytesDown
                // To this host nothing goes on the air, and nothing is learned of the link.
                if !isLocal {
                    openExchanges -= 1
                    onExchange?(false)
                    let use = radio.used(from: began, to: surroundings.reactor.now)
                    counts.sessions = use.isNewSession ? 1 : 0
                    counts.radioMillis = use.millis
                    surroundings.link.exchangeFinished(report.result, isSecure: isSecure)
                }
                count(counts)
            }
            finished(report)
            self?.keepModem()
        }
    }

    func finished(_ report: UplinkReport, _ batch: SyncBatch, _ generation: Int) {
        guard generation == self.generation else {
            // Delivered all the same, to the endpoint that was in force.
            if case .answered(200..<300, _, _, _) = report.result {
                try? markSent(batch)
            }
            return saveRecord()
        }
        let reply: SyncReply
        switch report.result {
        case .answered(let status, let retryAfter, let date, _):
            lastAnswer = String(status)
            lastStatus = status
            let isTaken = (200..<300).contains(status)
            let halt = format.haltReason(status: status)
            let advice = halt.map(Self.advice) ?? Self.advice(status)
            problem = isTaken ? nil : "the server answered \(status)\(advice); points stay queued"
            tell(isTaken, batch, reason: "status \(status)")
            reply = .answered(status: status, retryAfter: retryAfter, date: date, isHalt: halt != nil)
        case .failed(let failure):
            lastAnswer = "failed: \(failure.code.rawValue)"
            problem = "\(failure.cause); points stay queued"
            tell(false, batch, reason: failure.code.rawValue)
            reply = .unanswered(Self.fault(failure.code))
        }
        give(.exchangeFinished(batch, reply))
    }

    private func tell(_ isTaken: Bool, _ batch: SyncBatch, reason: String) {
        let fields: [(String, LogValue)] = [("count", .int(Int64(batch.count))), ("reason", .text(reason))]
        surroundings.log.write(isTaken ? .info : .warning, isTaken ? "upload.done" : "upload.failed", fields)
    }

    private static func fault(_ code: UplinkFailure.Code) -> SyncFault {
        switch code {
        case .name: .name
        case .connect: .connect
        case .tls, .tlsFiles: .tls
        case .timeout: .timeout
        case .cut: .cut
        case .badRequest: .badRequest
        }
    }

    static func advice(_ reason: HaltReason) -> String {
        switch reason {
        case .unknownDevice: ": it does not know this device; register device.id there, then device-cli sync resume"
        }
    }

    static func advice(_ status: Int) -> String {
        switch status {
        case 300..<400: ": it points elsewhere; correct upload.url"
        case 400, 422: ": it refuses the content; the point at fault is looked for and set aside"
        case 401: ": it refuses the credential; give a new one with device-cli sync configure"
        case 403: ": it forbids the upload; put that right there, then device-cli sync resume"
        case 404, 405, 410: ": check upload.url and upload.method"
        case 408, 425, 429, 503: ": it wants to be left alone for a while"
        case 413: ": the request is too large; it is made smaller"
        case 500...: ": its own fault; it is tried again"
        default: ""
        }
    }
}
