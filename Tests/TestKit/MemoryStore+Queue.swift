public import Ports
public import TrackerModel

extension MemoryStore {
    public func newestPending() throws(StoreFailure) -> TrackPoint? { queued.last }

    public func quarantined(limit: Int) throws(StoreFailure) -> [QuarantinedRow] {
        let rows = points.compactMap { point in
            quarantineReasons[point.id].map {
                QuarantinedRow(id: point.id, uuid: point.uuid, time: point.time, reason: $0)
            }
        }
        return Array(rows.prefix(limit))
    }

    public func requeueQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64 {
        try write()
        return takeOut(ids)
    }

    public func dropQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64 {
        try write()
        let gone = quarantinedIDs.intersection(ids ?? Array(quarantinedIDs))
        points.removeAll { gone.contains($0.id) }
        return takeOut(ids)
    }

    public func shedQueue(keeping: Int64) throws(StoreFailure) -> Int64 {
        try write()
        let gone = Set(queued.dropLast(Int(max(0, keeping))).map(\.id))
        points.removeAll { gone.contains($0.id) }
        return Int64(gone.count)
    }

    public func wipeQueue() throws(StoreFailure) -> Int64 { try shedQueue(keeping: 0) }

    private func takeOut(_ ids: [Int64]?) -> Int64 {
        let before = quarantineReasons.count
        for id in ids ?? Array(quarantineReasons.keys) { quarantineReasons[id] = nil }
        return Int64(before - quarantineReasons.count)
    }
}
