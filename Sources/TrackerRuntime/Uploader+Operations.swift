import Ports
import SyncEngine
import TrackerModel
import WireText

/// The operator's hand on the queue.
extension Uploader {
    /// Deletes the queued rows; returns how many. Rows in flight may still arrive.
    func wipe() throws(StoreFailure) -> Int64 {
        // In this order: who is refused or killed between the two asks again.
        try forgetCrossings()
        let count = try surroundings.store.wipeQueue()
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
}
