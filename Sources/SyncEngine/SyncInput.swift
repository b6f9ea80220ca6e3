public import TrackerModel

/// What happens to the uploader.
public enum SyncInput: Equatable, Sendable {
    /// A point is durable.
    case pointCommitted
    /// Rows may be left from before: health loop, backstop, start-up.
    case backlogChecked
    /// `sync request`: upload soon.
    case requested
    /// `sync now`: upload at once; answered with `SyncAction.finished`.
    case demanded
    /// `nil`: nobody watches it.
    case linkChanged(LinkState?)
    /// Rows must not wait for a better moment.
    case urgent(UploadUrgency)
    /// Tier, motion or charger are others now.
    case conditionsChanged
    case timerFired
    /// To `SyncAction.send`: no row is to be sent.
    case queueEmpty
    /// To `SyncAction.send`: how the exchange ended.
    case exchangeFinished(SyncBatch, SyncReply)
    /// To `SyncAction.rereadCredential`.
    case credentialReread(isChanged: Bool)
    /// The store could not do what the last answer asked for.
    case storeRefused
    /// An endpoint, a new one as a rule, or none.
    case configured(SyncConfig)
}

/// The rows of one request.
public struct SyncBatch: Equatable, Sendable {
    /// Insertion ids, in the order of the request.
    public var ids: [Int64]
    public var uuids: [String]
    /// Those of `ids` that are sent as significant stops.
    public var stops: Set<Int64>
    /// Taken from the head of the queue, oldest first; false for the newest row alone.
    public var isHead: Bool
    /// Nothing else was queued when they were read.
    public var isAll: Bool
    /// Instead of points one crossing of a fence, by its insertion id.
    public var crossingID: Int64?

    /// A crossing alone.
    public init(crossingID: Int64) {
        self.init(ids: [], uuids: [], isHead: false)
        self.crossingID = crossingID
    }

    /// Rows that it carries.
    public var count: Int { crossingID == nil ? ids.count : 1 }

    public init(
        ids: [Int64], uuids: [String], stops: Set<Int64> = [], isHead: Bool = true, isAll: Bool = false
    ) {
        self.stops = stops
        self.isAll = isAll
        self.ids = ids
        self.uuids = uuids
        self.isHead = isHead
    }
}

/// How an exchange ended.
public enum SyncReply: Equatable, Sendable {
    /// With the headers `Retry-After` and `Date` as they came. `isHalt`: of this format's servers the status means what a
    /// 403 means elsewhere (`PayloadFormat.haltReason`).
    case answered(status: Int, retryAfter: String? = nil, date: String? = nil, isHalt: Bool = false)
    case unanswered(SyncFault)
}

/// Why there was no answer.
public enum SyncFault: String, Equatable, Sendable {
    case name
    case connect
    case tls
    case timeout
    case cut
    case badRequest
}

/// What the machine is told about the moment, beside the moment itself.
public struct SyncFacts: Equatable, Sendable {
    /// Of the host's clock, which certificates are checked against.
    public var wallTrust: WallTrust
    /// UTC if it is certain.
    public var trustedNow: UTCTime?
    /// Queued; `.max` when the store does not say.
    public var rows: Int64
    /// How long the oldest queued row has waited; `nil` when nothing is queued or that is not known.
    public var oldestAgeMillis: Int64?
    /// Since the last confirmation, of an earlier run too.
    public var sinceSentMillis: Int64?
    public var isMoving = false
    public var tier = PowerTier.normal
    public var isCharging = false
    /// `UploadSituation.spentForMillis`
    public var spentForMillis: Int64?

    public init(
        wallTrust: WallTrust, trustedNow: UTCTime? = nil, rows: Int64 = .max, oldestAgeMillis: Int64? = nil,
        sinceSentMillis: Int64? = nil
    ) {
        self.wallTrust = wallTrust
        self.trustedNow = trustedNow
        self.rows = rows
        self.oldestAgeMillis = oldestAgeMillis
        self.sinceSentMillis = sinceSentMillis
    }
}
