import Ports
import SyncEngine
import TrackerModel
import WireText

/// The operator's hand on the queue, and the dry exchange.
extension Uploader {
    /// Deletes the queued rows; returns how many. Rows in flight may still arrive.
    func wipe() throws(StoreFailure) -> Int64 {
        let count = try surroundings.store.shedQueue(keeping: 0)
        try forgetCrossings()
        surroundings.emit(.diagnostic("queue_wiped:\(count)"))
        return count
    }

    func retryQuarantined(_ ids: [Int64]?) throws(StoreFailure) -> Int64 {
        let count = try surroundings.store.requeueQuarantined(ids: ids)
        if count > 0 { give(.backlogChecked) }
        return count
    }

    func dropQuarantined(_ ids: [Int64]?) throws(StoreFailure) -> Int64 {
        try surroundings.store.dropQuarantined(ids: ids)
    }

    /// `sync test`: one exchange without points, every step of it explained. It decides nothing: a 401 here tears
    /// nothing down.
    func test(_ finished: @escaping (OperationAnswer) -> Void) {
        guard let url = config.url else {
            return finished(.refused(.notReady, endpointProblem ?? "no endpoint is configured; set upload.url"))
        }
        if machine.isDraining { return finished(.refused(.conflict, "an upload is under way; ask again in a moment")) }
        var steps = ExchangeSteps()
        steps.route(config, surroundings.link.state)
        steps.clock(config, surroundings.reactor.wall.trust)
        steps.credential(config.headers.count)
        steps.format(config.payload.format, deviceID: surroundings.deviceID)
        var request = UplinkRequest(
            url: url, method: config.method, headers: requestHeaders,
            body: format.body([], maxBytes: config.maxBodyBytes).bytes,
            connectTimeoutSec: config.connectTimeoutSec, totalTimeoutSec: config.totalTimeoutSec)
        request.isExplained = true
        let isSecure = config.isSecure
        let isBroker = config.isBroker
        exchange(request) { report in
            if isBroker { steps.broker(report.result) } else { steps.exchange(report, isSecure: isSecure) }
            finished(.done(steps.json))
        }
    }
}
