import Ports
import SyncEngine
import TrackerEngine
import TrackerModel
import WireText

/// The uploader's place in the runtime.
extension Runtime {
    func makeUploader(_ uplink: any Uplink) -> Uploader {
        let uploader = Uploader(
            config.sync,
            Uploader.Surroundings(
                deviceID: config.deviceID, bootID: host.bootID, allowsCleartext: config.allowCleartext,
                store: ports.store, uplink: uplink, digests: ports.digests, reactor: ports.reactor, log: ports.log,
                vault: ports.vault, link: link, utcNow: { [unowned self] in utcNow },
                trustedNow: { [unowned self] in trustedNow }, sessionID: { [unowned self] in session?.id },
                conditions: { [unowned self] in
                    Uploader.Conditions(
                        isMoving: engine.motionState == .moving || engine.motionState == .stopPending,
                        tier: engine.powerTier, isCharging: power.machine.reading.isCharging == true)
                }, emit: { [unowned self] in emit($0) },
                stopTracking: { [unowned self] in endSession() }))
        uploader.onEvent = { [unowned self] event in
            hub.publish(.sync, atMillis: utcNow.millis) { .object(event.json) }
        }
        uploader.onExchange = { [unowned self] begins in energy.exchange(begins) }
        return uploader
    }

    var queueStatus: JSONObject {
        var status = queueCounts
        guard let uploader else {
            status["problem"] = "no upload.url is configured; points are kept on the device"
            return status
        }
        status.merge(uploader.status)
        return status
    }

    /// For `sync status`.
    var syncStatus: JSONObject {
        var status = queueCounts
        status.merge(uploader?.fullStatus ?? [:])
        return status
    }

    private var queueCounts: JSONObject {
        var status = JSONObject()
        guard let summary = try? ports.store.queueSummary() else { return status }
        status["stored"] = .int(summary.stored)
        status["pending"] = .int(summary.pending)
        if summary.quarantined > 0 { status["quarantined"] = .int(summary.quarantined) }
        status["oldest"] = summary.oldest.map { .string(TimeText.iso($0)) }
        status["lastUpload"] = summary.lastSent.map { .string(TimeText.iso($0)) }
        return status
    }

    /// Uuids and counts; never positions.
    func logUpload(_ event: UploadEvent) {
        switch event {
        case .retryScheduled(let afterSec, let reason):
            log(.notice, "upload.retry", [("after_s", .int(afterSec)), ("reason", .text(reason))])
        case .authExpired: log(.error, "upload.authExpired", [])
        case .forbidden: log(.error, "upload.forbidden", [])
        case .httpResponse, .uploaded, .quarantined, .queueState: break
        }
    }
}
