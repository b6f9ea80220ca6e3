public import Ports
public import TrackerModel

/// Nobody asks a replay for what it stored: the points go out as they are made.
extension ReplayStore {
    public func points(_ query: PointQuery) throws(StoreFailure) -> [TrackPoint] { [] }
    public func pointCount(_ query: PointQuery) throws(StoreFailure) -> Int64 { 0 }
    public func sessions(_ query: SessionQuery) throws(StoreFailure) -> [SessionSummary] { [] }
    public func session(id: String) throws(StoreFailure) -> SessionSummary? { nil }
    public func sessionIDs(startingWith prefix: String, limit: Int) throws(StoreFailure) -> [String] { [] }
    public func append(_ run: SessionRun, sessionID: String) throws(StoreFailure) {}
    public func unsentCount(sessionID: String) throws(StoreFailure) -> Int64 { 0 }
    public func deleteSession(id: String) throws(StoreFailure) -> DeletedRows { DeletedRows() }
}
