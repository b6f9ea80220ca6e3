import Ports
import SyncEngine
import TrackerModel
import WireText

/// Crossings of geofences on their way to the server: the history is the queue, and one number says how far it was sent.
extension Uploader {
    /// Looked at together; more wait in the store.
    private static let pageRows = 100

    /// Where an earlier run came to. Switched on anew, only what is crossed from now on is sent.
    func findCrossings() {
        do throws(StoreFailure) {
            let saved = try surroundings.store.state(.crossings) ?? ""
            if !base.sendsCrossings {
                if !saved.isEmpty { try surroundings.store.setState(.crossings, "") }
            } else if let last = Int64(saved) {
                lastCrossing = last
            } else {
                try forgetCrossings()
            }
        } catch { problem = "what was sent of the fences' history cannot be read: \(error.message)" }
    }

    /// Nothing that has happened so far is sent.
    func forgetCrossings() throws(StoreFailure) {
        guard base.sendsCrossings else { return }
        try advance(to: try surroundings.store.crossings(fenceID: nil, limit: 1).first?.id ?? lastCrossing ?? 0)
    }

    private func advance(to id: Int64) throws(StoreFailure) {
        try surroundings.store.setState(.crossings, String(id))
        lastCrossing = id
    }

    private func crossings() throws(StoreFailure) -> [FenceCrossing] {
        guard let lastCrossing else { return [] }
        // What no format has a word for is passed over with the next that it has, however many there are.
        var after = lastCrossing
        while true {
            let page = try surroundings.store.crossings(after: after, limit: Self.pageRows)
            let found = page.filter { $0.kind != .dwell }
            guard found.isEmpty, page.count == Self.pageRows, let last = page.last else { return found }
            after = last.id
        }
    }

    /// At most a page of them, oldest first.
    var waitingCrossings: [FenceCrossing] { (try? crossings()) ?? [] }

    /// What an earlier run was told to hurry with is urgent still.
    func hurryCrossings() { if !waitingCrossings.isEmpty { hurry(.fenceCrossing) } }

    /// Sends the oldest one that waits; false when there is none, or none may be sent now.
    func sendCrossing() throws(StoreFailure) -> Bool {
        while let crossing = try crossings().first, let url = config.url {
            let trusted = surroundings.trustedNow()
            if crossing.time > (trusted ?? surroundings.utcNow()).advanced(byMillis: Self.futureMillis) {
                // Certainly from the future: never sent. Else it waits for the time, and the points go on.
                guard trusted != nil else { return false }
                try passOver(crossing.id, reason: "futureDated")
                continue
            }
            let armedAt = try surroundings.store.fences().first { $0.fence.id == crossing.fenceID }?.armedAt
            guard let body = format.body(crossing, armedAt: armedAt) else { return false }
            let name = "\(crossing.fenceID)\n\(crossing.kind.rawValue)\n\(crossing.time.millis)"
            let key = Hex.text(surroundings.digests.sha256(Array(name.utf8)))
            let request = UplinkRequest(
                url: config.isBroker ? eventAddress(url) : url, method: config.method,
                headers: requestHeaders + [.init(name: "Idempotency-Key", value: key)], body: body,
                connectTimeoutSec: config.connectTimeoutSec, totalTimeoutSec: config.totalTimeoutSec)
            let batch = SyncBatch(crossingID: crossing.id)
            exchange(request) { [weak self, generation] report in self?.finished(report, batch, generation) }
            return true
        }
        return false
    }

    /// OwnTracks programs publish transitions a level below locations.
    private func eventAddress(_ url: String) -> String {
        if MQTTAddress(url)?.topic != nil { return url + "/event" }
        let place = url.hasSuffix("/") ? String(url.dropLast()) : url
        return place + "/owntracks/\(config.payload.user)/\(surroundings.deviceID)/event"
    }

    func passOver(_ id: Int64, reason: String) throws(StoreFailure) {
        try advance(to: id)
        surroundings.log.write(.warning, "upload.crossing.passedOver", [("id", .int(id)), ("reason", .text(reason))])
        surroundings.emit(.diagnostic("crossing_not_sent: \(reason)"))
    }

    /// A confirmed request's rows.
    func markSent(_ batch: SyncBatch) throws(StoreFailure) {
        if let id = batch.crossingID { return try advance(to: max(id, lastCrossing ?? 0)) }
        try surroundings.store.markSent(ids: batch.ids, stops: batch.stops, at: surroundings.utcNow())
    }
}
