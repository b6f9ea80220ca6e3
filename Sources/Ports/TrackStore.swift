public import TrackerModel

/// Why the store refused. Equality on the code alone.
public struct StoreFailure: ExplainedFailure, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// The directory or file cannot be created or opened.
        case cannotOpen
        /// Another process holds it.
        case locked
        /// Not a database, or damaged.
        case corrupt
        /// Written by a newer version: refused, data untouched.
        case newerSchema
        case full
        case readOnly
        case io
    }

    public var code: Code
    public var cause: String
    public var remedy: String

    public init(code: Code, cause: String, remedy: String) {
        self.code = code
        self.cause = cause
        self.remedy = remedy
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// Everything one fix changes, committed together or not at all (spec capture §5).
public struct FixRecord: Equatable, Sendable {
    public var sessionID: String
    public var decision: Decision?
    /// False: the decision is told, not stored (spec power §2).
    public var keepsDecision = true
    /// The kept point; it enters the upload queue by being stored.
    public var point: TrackPoint?
    /// The engine's state after this fix, opaque to the store.
    public var captureState: String
    /// What the point adds to the device's total, millimetres; counted only when the point is stored.
    public var legMM: Int64
    /// For the diagnostic layers: the fix as it came, and as it was judged. Failing to store them costs no point.
    public var rawFix: RawFix?
    public var judged: JudgedPoint?

    public init(sessionID: String, decision: Decision?, point: TrackPoint?, captureState: String, legMM: Int64 = 0) {
        self.legMM = legMM
        self.sessionID = sessionID
        self.decision = decision
        self.point = point
        self.captureState = captureState
    }
}

/// The queue at a glance.
public struct QueueSummary: Equatable, Sendable {
    /// Rows not yet confirmed.
    public var pending: Int64
    /// UTC of the oldest pending row.
    public var oldest: UTCTime?
    /// Rows ever stored and kept.
    public var stored: Int64
    /// When the last confirmation arrived.
    public var lastSent: UTCTime?
    /// Rows that are never sent.
    public var quarantined: Int64

    public init(pending: Int64, oldest: UTCTime?, stored: Int64, lastSent: UTCTime?, quarantined: Int64 = 0) {
        self.quarantined = quarantined
        self.pending = pending
        self.oldest = oldest
        self.stored = stored
        self.lastSent = lastSent
    }
}

/// Named values that survive a restart beside the points.
public enum StateKey: String, Sendable {
    /// Engine state, written with every fix.
    case capture
    /// Boot and version of the last run, and whether it ended in order.
    case run
    /// `1` after capture was stopped: no session is opened until it is started.
    case stopped
    /// Metres of all sessions, in millimetres; pruning points does not lower it.
    case odometer
    /// What the odometer had counted when it was last set to zero, in millimetres.
    case odometerOffset
    /// Port, speed and protocol of the receiver that was heard last.
    case receiver
    /// Back-off, halt, refused credential and counts of the uploader.
    case sync
    /// How the last boots ended.
    case boots
    /// The operator's word on the power tier.
    case power
    /// Energy of today and the last days.
    case energy
    /// When the modem's power was cycled.
    case modem
    /// Insertion id of the last crossing that was uploaded or passed over; empty while crossings are not uploaded.
    case crossings
}

/// A row that is never sent, and why.
public struct QuarantinedRow: Equatable, Sendable {
    /// Insertion id.
    public var id: Int64
    public var uuid: String
    public var time: UTCTime
    /// `status 422`, `futureDated`.
    public var reason: String

    public init(id: Int64, uuid: String, time: UTCTime, reason: String) {
        self.id = id
        self.uuid = uuid
        self.time = time
        self.reason = reason
    }
}

/// Points, decisions, sessions, the upload queue and geofences on one durable file. Synchronous; when a call returns, what it
/// wrote survives a power cut.
public protocol TrackStore: TrackArchive {
    /// Where it is, for status.
    var name: String { get }

    /// The session left open, if any.
    func openSession() throws(StoreFailure) -> Session?
    /// Opens a session; at most one may be open.
    func begin(_ session: Session) throws(StoreFailure)
    func end(sessionID: String, at time: UTCTime) throws(StoreFailure)
    /// The newest point of a session by insertion.
    func lastPoint(sessionID: String) throws(StoreFailure) -> TrackPoint?
    /// Rows stored in a session.
    func pointCount(sessionID: String) throws(StoreFailure) -> Int64

    /// One transaction. Returns the insertion id of the point, or `nil` when there is none or its uuid is already
    /// stored (the second insert of a fix is ignored).
    func commit(_ record: FixRecord) throws(StoreFailure) -> Int64?

    /// Queued rows, oldest insertion first.
    func pending(limit: Int) throws(StoreFailure) -> [TrackPoint]
    /// Marks rows sent; rows that are not queued any more are left alone, and so are those that were marked as a
    /// significant stop after they were read: they stay queued, as the server does not know that yet.
    /// - Parameter stops: those of `ids` that were sent as significant stops.
    func markSent(ids: [Int64], stops: Set<Int64>, at time: UTCTime) throws(StoreFailure)
    /// Takes queued rows out of the queue for good: they stay stored and are never sent. `reason` says why.
    func quarantine(ids: [Int64], reason: String) throws(StoreFailure)
    /// The newest queued row.
    func newestPending() throws(StoreFailure) -> TrackPoint?
    /// Rows taken out of the queue, oldest insertion first.
    func quarantined(limit: Int) throws(StoreFailure) -> [QuarantinedRow]
    /// Queues rows again that were taken out, all for `nil`; returns how many.
    func requeueQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64
    /// Deletes rows that were taken out of the queue, all for `nil`; returns how many.
    func dropQuarantined(ids: [Int64]?) throws(StoreFailure) -> Int64
    /// Deletes the oldest queued rows, all but `keeping`, a piece at a time; returns how many.
    func shedQueue(keeping: Int64) throws(StoreFailure) -> Int64
    /// Deletes the queued rows as one: when a kill or a failure leaves some of them, they go before the queue is read
    /// again. Returns how many went now.
    func wipeQueue() throws(StoreFailure) -> Int64
    /// Marks a stored point as a significant stop; one that was sent already is queued once more.
    func markSignificantStop(uuid: String) throws(StoreFailure)
    func queueSummary() throws(StoreFailure) -> QueueSummary

    /// Arms a fence; one of the same id is replaced in the same transaction, its history kept. Returns it with its newest
    /// crossing.
    func arm(_ fence: Geofence, at time: UTCTime) throws(StoreFailure) -> ArmedFence
    /// Forgets a fence, its history kept; false when there is none of that id. A stay in it ends with it: the history
    /// gets an unreported exit.
    func removeFence(id: String, at time: UTCTime) throws(StoreFailure) -> Bool
    /// The same with all; returns the ids of those there were, in order.
    func removeAllFences(at time: UTCTime) throws(StoreFailure) -> [String]
    /// The armed fences by id, each with its newest crossing.
    func fences() throws(StoreFailure) -> [ArmedFence]
    /// Returns the insertion id, or `nil` when the history has no place for it (`FenceCrossing.excludes`): then nobody
    /// is told. Only the newest rows of all fences are kept (10 000, spec api §6).
    func append(_ crossing: FenceCrossing) throws(StoreFailure) -> Int64?
    /// Reported crossings of one fence, armed or not, or of all; newest first.
    func crossings(fenceID: String?, limit: Int) throws(StoreFailure) -> [FenceCrossing]
    /// Reported crossings of all fences that were stored after that one; oldest first.
    func crossings(after id: Int64, limit: Int) throws(StoreFailure) -> [FenceCrossing]
    /// Deletes the history of one fence, or all of it; returns how many reported crossings that were.
    func deleteCrossings(fenceID: String?) throws(StoreFailure) -> Int64

    /// Rows of the diagnostic layers; a layer that is switched off has none but old ones.
    func rawFixes(_ page: LayerPage) throws(StoreFailure) -> [RawFix]
    func decisions(_ page: LayerPage) throws(StoreFailure) -> [StoredDecision]
    /// `nil` when it is not there, or not any more.
    func decision(id: Int64) throws(StoreFailure) -> StoredDecision?
    func judgedPoints(_ page: LayerPage) throws(StoreFailure) -> [JudgedPoint]
    /// Why the diagnostic layers miss rows; `nil` when the last were written.
    var layerFailure: StoreFailure? { get }

    func state(_ key: StateKey) throws(StoreFailure) -> String?
    func setState(_ key: StateKey, _ value: String) throws(StoreFailure)

    /// Does the next bounded piece of what is due: salvage of a damaged file, retention, room on a full disk, a look for
    /// damage. Failures are not told: what could not be done is due again.
    /// - Parameter time: UTC, `nil` while it is not trusted; nothing is deleted by age then.
    func maintain(at time: UTCTime?) -> StoreUpkeep
    /// The salvage that is under way.
    var salvage: SalvageReport? { get }
    var writes: StoreWrites { get }
    /// `nil` where that has no meaning.
    func usage() -> StorageUsage?
    /// Writes back what is held and closes; further calls fail with `cannotOpen`.
    func close()
}
