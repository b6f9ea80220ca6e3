public import TrackerModel

/// Which stored points to read (spec api §2): those that fit all of what is given, in the order of their insertion.
public struct PointQuery: Equatable, Sendable {
    /// `nil`: of all sessions.
    public var sessionID: String?
    /// Inclusive, by the time of the fix.
    public var from: UTCTime?
    public var to: UTCTime?
    /// Only rows that were inserted after this one.
    public var afterID: Int64?
    public var limit: Int
    /// Rows to pass over.
    public var offset: Int

    public init(sessionID: String? = nil, limit: Int = 500, offset: Int = 0) {
        self.sessionID = sessionID
        self.limit = limit
        self.offset = offset
    }
}

/// Which sessions to read, by when they began, inclusive; the newest first.
public struct SessionQuery: Equatable, Sendable {
    public var from: UTCTime?
    public var to: UTCTime?
    public var limit: Int
    public var offset: Int

    public init(limit: Int = 100, offset: Int = 0) {
        self.limit = limit
        self.offset = offset
    }
}

/// A session and what is stored of it.
public struct SessionSummary: Equatable, Sendable {
    /// Without `configSnapshot` in a list.
    public var session: Session
    public var points: Int64
    /// Of its newest point, millimetres.
    public var distanceMM: Int64
    /// The daemons that captured in it, oldest first; none for sessions of versions that did not note them.
    public var runs: [SessionRun]

    public init(session: Session, points: Int64, distanceMM: Int64, runs: [SessionRun]) {
        self.session = session
        self.points = points
        self.distanceMM = distanceMM
        self.runs = runs
    }
}

/// How many rows went with a session.
public struct DeletedRows: Equatable, Sendable {
    public var points: Int64 = 0
    public var decisions: Int64 = 0
    public var rawFixes: Int64 = 0
    public var judgedPoints: Int64 = 0

    public init() {}
}

/// What was stored, to be read again by session and by time; and sessions as a whole.
public protocol TrackArchive: AnyObject {
    func points(_ query: PointQuery) throws(StoreFailure) -> [TrackPoint]
    /// How many fit, whatever limit and offset.
    func pointCount(_ query: PointQuery) throws(StoreFailure) -> Int64
    func sessions(_ query: SessionQuery) throws(StoreFailure) -> [SessionSummary]
    /// `nil` when there is none of that id.
    func session(id: String) throws(StoreFailure) -> SessionSummary?
    /// Ids that begin like this, in order, `limit` at most.
    func sessionIDs(startingWith prefix: String, limit: Int) throws(StoreFailure) -> [String]
    /// Notes that a daemon captures in a session.
    func append(_ run: SessionRun, sessionID: String) throws(StoreFailure)
    /// Points of a session that no server has confirmed: queued, or set aside.
    func unsentCount(sessionID: String) throws(StoreFailure) -> Int64
    /// Deletes a session that has ended with all its points, sent or not, and its rows of the diagnostic layers, in one
    /// transaction. An open or unknown one is left alone.
    func deleteSession(id: String) throws(StoreFailure) -> DeletedRows
}
