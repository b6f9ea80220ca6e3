public import Ports
public import TrackerModel

extension MemoryStore {
    public func arm(_ fence: Geofence, at time: UTCTime) throws(StoreFailure) -> ArmedFence {
        try write()
        let latest = newest(fence.id)
        armedFences[fence.id] = (fence, time, latest?.id ?? 0)
        return ArmedFence(fence: fence, armedAt: time, latest: latest, isLatestOlder: latest != nil)
    }

    public func removeFence(id: String, at time: UTCTime) throws(StoreFailure) -> Bool {
        try write()
        guard let armed = armedFences.removeValue(forKey: id) else { return false }
        if newest(id)?.leavesInside == true {
            var exit = FenceCrossing(armed.fence, .exit, at: time)
            exit.isNotified = false
            add(exit)
        }
        return true
    }

    public func removeAllFences(at time: UTCTime) throws(StoreFailure) -> [String] {
        let ids = armedFences.keys.sorted()
        for id in ids { _ = try removeFence(id: id, at: time) }
        return ids
    }

    public func fences() throws(StoreFailure) -> [ArmedFence] {
        armedFences.keys.sorted().compactMap { id in
            guard let armed = armedFences[id] else { return nil }
            let latest = newest(id)
            return ArmedFence(
                fence: armed.fence, armedAt: armed.armedAt, latest: latest,
                isLatestOlder: latest.map { $0.id <= armed.armedAfter } ?? false)
        }
    }

    public func append(_ crossing: FenceCrossing) throws(StoreFailure) -> Int64? {
        try write()
        if let latest = newest(crossing.fenceID) {
            let armedAfter = armedFences[crossing.fenceID]?.armedAfter ?? 0
            if latest.excludes(crossing, isOlder: latest.id <= armedAfter) { return nil }
        }
        return add(crossing)
    }

    public func crossings(fenceID: String?, limit: Int) throws(StoreFailure) -> [FenceCrossing] {
        let rows = crossingRows.reversed().filter { $0.isNotified && (fenceID == nil || $0.fenceID == fenceID) }
        return Array(rows.prefix(max(0, limit)))
    }

    public func crossings(after id: Int64, limit: Int) throws(StoreFailure) -> [FenceCrossing] {
        Array(crossingRows.filter { $0.isNotified && $0.id > id }.prefix(max(0, limit)))
    }

    public func deleteCrossings(fenceID: String?) throws(StoreFailure) -> Int64 {
        try write()
        let gone = crossingRows.filter { fenceID == nil || $0.fenceID == fenceID }
        crossingRows.removeAll { row in gone.contains { $0.id == row.id } }
        return Int64(gone.count { $0.isNotified })
    }

    private func newest(_ fenceID: String) -> FenceCrossing? { crossingRows.last { $0.fenceID == fenceID } }

    @discardableResult
    private func add(_ crossing: FenceCrossing) -> Int64 {
        var stored = crossing
        nextCrossingID += 1
        stored.id = nextCrossingID
        crossingRows.append(stored)
        return stored.id
    }
}
