public import TrackerModel

/// Which diagnostic layers are written beside the points, and how much of each is kept (spec capture §16).
public struct DiagnosticLayers: Equatable, Sendable {
    /// Layer 1: each fix that was judged or refused, as it came.
    public var keepsRawFixes = false
    /// Rows of all sessions.
    public var rawFixCapacity: Int64 = 50_000
    /// Layer 2.
    public var keepsDecisions = true
    public var decisionDays: Int64 = 3
    public var decisionCapacity: Int64 = 50_000
    /// Layer 3: each judged fix in the shape of a point.
    public var keepsRawPoints = false
    /// Rows of one session; of all together ten times as many.
    public var rawPointCapacity: Int64 = 20_000
    /// In a file of their own whose loss costs nothing: written after the point, without waiting for the disk.
    public var hasOwnFile = false

    public init() {}
}

/// Which rows of a layer to read: the newest first.
public struct LayerPage: Equatable, Sendable {
    /// `nil`: of all sessions.
    public var sessionID: String?
    public var limit: Int
    /// Newest rows to pass over.
    public var offset: Int

    public init(sessionID: String? = nil, limit: Int, offset: Int = 0) {
        self.sessionID = sessionID
        self.limit = limit
        self.offset = offset
    }
}

/// A decision and the number of its row.
public struct StoredDecision: Equatable, Sendable {
    public var id: Int64
    public var decision: Decision

    public init(id: Int64, decision: Decision) {
        self.id = id
        self.decision = decision
    }
}

/// A judged fix in the shape of a point, whatever became of it; its reason is the point's `acceptReason`, and its odometer
/// the running one.
public struct JudgedPoint: Equatable, Sendable {
    public var point: TrackPoint
    public var verdict: Verdict

    public init(point: TrackPoint, verdict: Verdict) {
        self.point = point
        self.verdict = verdict
    }
}
