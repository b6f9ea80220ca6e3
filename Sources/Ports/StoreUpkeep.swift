/// How long points are kept (spec api §11, persistence; capture §16).
public struct PointRetention: Equatable, Sendable {
    /// Points that were sent are deleted when they are older; 0 = never.
    public var days: Int64 = 7
    /// Beyond so many points the oldest that were sent go; 0 = none.
    public var most: Int64 = 0

    public init() {}
}

/// The database's place on its file system, bytes.
public struct StorageUsage: Equatable, Sendable {
    public var usedBytes: Int64
    /// What this user may still write.
    public var freeBytes: Int64
    public var totalBytes: Int64

    public init(usedBytes: Int64, freeBytes: Int64, totalBytes: Int64) {
        self.usedBytes = usedBytes
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
    }

    /// Below 5 % free the database makes room for itself (spec sync §2).
    public var isLow: Bool { isLow(with: 0) }
    /// The same when so many more bytes are written.
    public func isLow(with bytes: Int64) -> Bool { totalBytes > 0 && freeBytes - bytes < totalBytes / 20 }
}

/// What was read out of a damaged database into the fresh one.
public struct SalvageReport: Equatable, Sendable {
    /// The damaged file.
    public var file: String
    public var points: Int64 = 0
    /// Sessions, fences, crossings and values of the state.
    public var others: Int64 = 0
    /// Sent points that stay in the damaged file, for want of room.
    public var leftPoints: Int64 = 0
    /// Points that the damaged database said it had, less those that were found; `nil` when it does not say.
    public var lostPoints: Int64?
    /// Pages and rows that make no sense.
    public var unreadable: Int64 = 0
    /// Of 100; 100 when it is done.
    public var percent: Int64 = 0

    public init(file: String) { self.file = file }
}

/// What the store did on its own account.
public enum StoreNotice: Equatable, Sendable {
    /// The database was damaged and a fresh one begun.
    case reset(cause: String, setAside: String)
    case salvaged(SalvageReport)
    /// Free storage fell below the limit, or the disk is full.
    case low(freeBytes: Int64)
    /// There is room again.
    case roomAgain
    /// Queued points were deleted for want of room.
    case shed(Int64)
}

/// What a piece of upkeep came to.
public struct StoreUpkeep: Equatable, Sendable {
    public var notices: [StoreNotice]
    /// More of it is due soon.
    public var isUnfinished: Bool

    public init(notices: [StoreNotice] = [], isUnfinished: Bool = false) {
        self.notices = notices
        self.isUnfinished = isUnfinished
    }
}

/// What the store wrote since it was opened.
public struct StoreWrites: Equatable, Sendable {
    public var commits: Int64 = 0
    /// Into the log.
    public var pages: Int64 = 0
    public var bytes: Int64 = 0
    /// The log written back into the file; each writes at most its pages once more, and syncs twice.
    public var checkpoints: Int64 = 0

    public init() {}
}
