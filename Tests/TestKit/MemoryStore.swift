public import Ports
public import TrackerModel

/// A store in memory that keeps the promises of the port and can be told to refuse.
public final class MemoryStore: TrackStore {
    public let name = "memory"
    public internal(set) var points: [TrackPoint] = []
    public private(set) var decisions: [Decision] = []
    public private(set) var rawFixes: [RawFix] = []
    public private(set) var judgedPoints: [JudgedPoint] = []
    public internal(set) var sessions: [Session] = []
    public internal(set) var runs: [String: [SessionRun]] = [:]
    public internal(set) var sentIDs: Set<Int64> = []
    public var quarantinedIDs: Set<Int64> { Set(quarantineReasons.keys) }
    var quarantineReasons: [Int64: String] = [:]
    private var nextID: Int64 = 0
    public private(set) var lastSent: UTCTime?
    /// Every row of the fences' history, oldest first, what is not reported included.
    public internal(set) var crossingRows: [FenceCrossing] = []
    var nextCrossingID: Int64 = 0
    public internal(set) var armedFences: [String: (fence: Geofence, armedAt: UTCTime, armedAfter: Int64)] = [:]
    /// Points that wait to be sent.
    public var queued: [TrackPoint] { points.filter { !sentIDs.contains($0.id) && quarantineReasons[$0.id] == nil } }
    private var states: [StateKey: String] = [:]
    /// While set, every write throws it.
    public var refusal: StoreFailure?
    /// Rows that one read of the queue gave at most.
    public private(set) var mostRead = 0
    /// A state that cannot be read.
    public var unreadable: StateKey?

    public init() {}

    func write() throws(StoreFailure) { if let refusal { throw refusal } }

    public func openSession() throws(StoreFailure) -> Session? { sessions.last { $0.endedAt == nil } }
    public func begin(_ session: Session) throws(StoreFailure) {
        try write()
        if session.endedAt == nil, sessions.contains(where: { $0.endedAt == nil }) {
            throw StoreFailure(code: .io, cause: "a session is open", remedy: "end it first")
        }
        sessions.append(session)
    }
    public func end(sessionID: String, at time: UTCTime) throws(StoreFailure) {
        try write()
        for index in sessions.indices where sessions[index].id == sessionID {
            sessions[index].endedAt = sessions[index].endedAt ?? time
        }
    }
    public func lastPoint(sessionID: String) throws(StoreFailure) -> TrackPoint? {
        points.last { $0.sessionID == sessionID }
    }
    public func pointCount(sessionID: String) throws(StoreFailure) -> Int64 {
        Int64(points.count { $0.sessionID == sessionID })
    }
    public func commit(_ record: FixRecord) throws(StoreFailure) -> Int64? {
        try write()
        if record.keepsDecision, let decision = record.decision { decisions.append(decision) }
        if let fix = record.rawFix { rawFixes.append(fix) }
        if let judged = record.judged { judgedPoints.append(judged) }
        states[.capture] = record.captureState
        guard var point = record.point, !points.contains(where: { $0.uuid == point.uuid }) else { return nil }
        nextID += 1
        point.id = nextID
        points.append(point)
        let total = states[.odometer].flatMap { Int64($0) } ?? 0
        if record.legMM > 0 { states[.odometer] = String(total + record.legMM) }
        return point.id
    }
    public func pending(limit: Int) throws(StoreFailure) -> [TrackPoint] {
        let rows = Array(queued.prefix(limit))
        mostRead = max(mostRead, rows.count)
        return rows
    }
    public func markSent(ids: [Int64], stops: Set<Int64>, at time: UTCTime) throws(StoreFailure) {
        try write()
        let asSent = queued.filter { ids.contains($0.id) && $0.isSignificantStop == stops.contains($0.id) }
        sentIDs.formUnion(asSent.map(\.id))
        lastSent = time
    }
    public func quarantine(ids: [Int64], reason: String) throws(StoreFailure) {
        try write()
        for id in ids where queued.contains(where: { $0.id == id }) { quarantineReasons[id] = reason }
    }
    public func markSignificantStop(uuid: String) throws(StoreFailure) {
        try write()
        for index in points.indices where points[index].uuid == uuid && !points[index].isSignificantStop {
            points[index].isSignificantStop = true
            sentIDs.remove(points[index].id)
        }
    }
    public func queueSummary() throws(StoreFailure) -> QueueSummary {
        return QueueSummary(
            pending: Int64(queued.count), oldest: queued.first?.time, stored: Int64(points.count), lastSent: lastSent,
            quarantined: Int64(quarantineReasons.count))
    }
    public var layerFailure: StoreFailure? { nil }
    public func rawFixes(_ page: LayerPage) throws(StoreFailure) -> [RawFix] { newest(rawFixes, page) }
    public func judgedPoints(_ page: LayerPage) throws(StoreFailure) -> [JudgedPoint] { newest(judgedPoints, page) }
    public func decisions(_ page: LayerPage) throws(StoreFailure) -> [StoredDecision] {
        let rows = decisions.enumerated().map { StoredDecision(id: Int64($0 + 1), decision: $1) }
        return newest(rows, page)
    }
    public func decision(id: Int64) throws(StoreFailure) -> StoredDecision? {
        guard id > 0, id <= decisions.count else { return nil }
        return StoredDecision(id: id, decision: decisions[Int(id) - 1])
    }
    private func newest<Row>(_ rows: [Row], _ page: LayerPage) -> [Row] {
        Array(rows.reversed().dropFirst(page.offset).prefix(page.limit))
    }
    public func state(_ key: StateKey) throws(StoreFailure) -> String? {
        if key == unreadable { throw StoreFailure(code: .io, cause: "unreadable", remedy: "look at the medium") }
        return states[key]
    }
    public func setState(_ key: StateKey, _ value: String) throws(StoreFailure) {
        try write()
        states[key] = value
    }
    /// What the next upkeep comes to.
    public var upkeep: [StoreUpkeep] = []
    public func maintain(at time: UTCTime?) -> StoreUpkeep { upkeep.isEmpty ? StoreUpkeep() : upkeep.removeFirst() }
    public var salvage: SalvageReport?
    /// Set by the test: memory writes nothing.
    public var writes = StoreWrites()
    public func usage() -> StorageUsage? { nil }
    public func close() {}
}
