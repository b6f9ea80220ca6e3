public import Ports
public import TrackerModel

/// The store of a replay: keeps the promises of the port and forgets what nobody reads again, so that memory does not
/// grow with the recording. Nothing is uploaded from it.
public final class ReplayStore: TrackStore {
    public let name = "replay"
    private var session: Session?
    private var last: TrackPoint?
    private var stored: Int64 = 0
    private var states: [StateKey: String] = [:]

    public init() {}

    public func openSession() throws(StoreFailure) -> Session? { session?.endedAt == nil ? session : nil }
    public func begin(_ session: Session) throws(StoreFailure) {
        self.session = session
        last = nil
    }
    public func end(sessionID: String, at time: UTCTime) throws(StoreFailure) { session?.endedAt = time }
    public func lastPoint(sessionID: String) throws(StoreFailure) -> TrackPoint? {
        last?.sessionID == sessionID ? last : nil
    }
    public func pointCount(sessionID: String) throws(StoreFailure) -> Int64 {
        session?.id == sessionID ? stored : 0
    }

    public func commit(_ record: FixRecord) throws(StoreFailure) -> Int64? {
        states[.capture] = record.captureState
        guard let point = record.point, point.uuid != last?.uuid else { return nil }
        if record.legMM > 0 {
            let total = states[.odometer].flatMap { Int64($0) } ?? 0
            states[.odometer] = String(total + record.legMM)
        }
        stored += 1
        last = point
        last?.id = stored
        return stored
    }

    public func pending(limit: Int) throws(StoreFailure) -> [TrackPoint] { [] }
    public func markSent(ids: [Int64], stops: Set<Int64>, at time: UTCTime) throws(StoreFailure) {}
    public func quarantine(ids: [Int64], reason: String) throws(StoreFailure) {}
    public func newestPending() throws(StoreFailure) -> TrackPoint? { nil }
    public func quarantined(limit: Int) throws(StoreFailure) -> [QuarantinedRow] { [] }
    public func requeueQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64 { 0 }
    public func dropQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64 { 0 }
    public func shedQueue(keeping: Int64) throws(StoreFailure) -> Int64 { 0 }
    public func wipeQueue() throws(StoreFailure) -> Int64 { 0 }
    public func markSignificantStop(uuid: String) throws(StoreFailure) {}
    public func queueSummary() throws(StoreFailure) -> QueueSummary {
        QueueSummary(pending: 0, oldest: nil, stored: stored, lastSent: nil)
    }
    public func rawFixes(_ page: LayerPage) throws(StoreFailure) -> [RawFix] { [] }
    public func decisions(_ page: LayerPage) throws(StoreFailure) -> [StoredDecision] { [] }
    public func decision(id: Int64) throws(StoreFailure) -> StoredDecision? { nil }
    public func judgedPoints(_ page: LayerPage) throws(StoreFailure) -> [JudgedPoint] { [] }
    public var layerFailure: StoreFailure? { nil }
    public func state(_ key: StateKey) throws(StoreFailure) -> String? { states[key] }
    public func setState(_ key: StateKey, _ value: String) throws(StoreFailure) { states[key] = value }
    public func maintain(at time: UTCTime?) -> StoreUpkeep { StoreUpkeep() }
    public var salvage: SalvageReport? { nil }
    public var writes: StoreWrites { StoreWrites() }
    public func usage() -> StorageUsage? { nil }
    public func close() {}
}
