public import Ports
public import TrackerModel

extension MemoryStore {
    public func points(_ query: PointQuery) throws(StoreFailure) -> [TrackPoint] {
        Array(matching(query).dropFirst(query.offset).prefix(query.limit))
    }

    public func pointCount(_ query: PointQuery) throws(StoreFailure) -> Int64 { Int64(matching(query).count) }

    private func matching(_ query: PointQuery) -> [TrackPoint] {
        points.filter { point in
            (query.sessionID == nil || query.sessionID == point.sessionID) && point.id > query.afterID ?? 0
                && point.time.millis >= query.from?.millis ?? .min && point.time.millis <= query.to?.millis ?? .max
        }
    }

    public func sessions(_ query: SessionQuery) throws(StoreFailure) -> [SessionSummary] {
        let fitting = sessions.filter {
            $0.startedAt.millis >= query.from?.millis ?? .min && $0.startedAt.millis <= query.to?.millis ?? .max
        }
        // Of two that began together the later one first.
        let newest = fitting.enumerated().sorted {
            ($0.element.startedAt.millis, $0.offset) > ($1.element.startedAt.millis, $1.offset)
        }
        return newest.dropFirst(query.offset).prefix(query.limit).map { _, session in
            var bare = session
            bare.configSnapshot = nil
            return summary(bare)
        }
    }

    public func session(id: String) throws(StoreFailure) -> SessionSummary? {
        sessions.first { $0.id == id }.map(summary)
    }

    private func summary(_ session: Session) -> SessionSummary {
        let own = points.filter { $0.sessionID == session.id }
        return SessionSummary(
            session: session, points: Int64(own.count), distanceMM: own.last?.odometerMM ?? 0,
            runs: runs[session.id] ?? [])
    }

    public func sessionIDs(startingWith prefix: String, limit: Int) throws(StoreFailure) -> [String] {
        Array(sessions.map(\.id).filter { $0.hasPrefix(prefix) }.sorted().prefix(limit))
    }

    public func append(_ run: SessionRun, sessionID: String) throws(StoreFailure) {
        try write()
        runs[sessionID, default: []].append(run)
    }

    public func unsentCount(sessionID: String) throws(StoreFailure) -> Int64 {
        Int64(points.count { $0.sessionID == sessionID && !sentIDs.contains($0.id) })
    }

    public func deleteSession(id: String) throws(StoreFailure) -> DeletedRows {
        try write()
        var rows = DeletedRows()
        guard let index = sessions.firstIndex(where: { $0.id == id && $0.endedAt != nil }) else { return rows }
        sessions.remove(at: index)
        let gone = points.filter { $0.sessionID == id }
        rows.points = Int64(gone.count)
        points.removeAll { $0.sessionID == id }
        sentIDs.subtract(gone.map(\.id))
        for point in gone { quarantineReasons[point.id] = nil }
        runs[id] = nil
        return rows
    }
}
