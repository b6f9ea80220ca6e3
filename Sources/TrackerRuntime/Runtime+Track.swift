import Ports
import TrackerModel
import WireText

/// Points and sessions for the operator (spec api §2 and §3).
extension Runtime {
    private static let pointLimits: ClosedRange<Int64> = 1...20_000
    private static let sessionLimits: ClosedRange<Int64> = 1...1_000

    /// `next` is the offset of the first row that the page does not have; absent on the last one.
    func pointsPage(_ arguments: JSONObject) -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in
            var query = try pointQuery(arguments)
            let wanted = min(query.limit, ReplyPage.mostRows)
            query.limit = wanted + 1
            let rows = try OperationRefusal.store { () throws(StoreFailure) in try ports.store.points(query) }
            return .object(ReplyPage(rows.map(\.json), wanted: wanted, offset: query.offset).result("points"))
        }
    }

    func pointCount(_ arguments: JSONObject) -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in
            let query = try pointQuery(arguments)
            return ["count": .int(try countPoints(query))]
        }
    }

    /// The newest points that fit, in the order of insertion, then every new one as an event `location`: nothing comes
    /// between the page and the first event.
    func followPoints(_ arguments: JSONObject, _ client: any ControlSubscriber) -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in
            var query = try pointQuery(arguments)
            query.limit = min(query.limit, ReplyPage.mostRows)
            query.offset = Int(clamping: max(0, try countPoints(query) - Int64(query.limit)))
            let rows = try OperationRefusal.store { () throws(StoreFailure) in try ports.store.points(query) }
            hub.subscribe(client, to: .points, sessionID: query.sessionID)
            return ["points": .array(ReplyPage(rows.reversed().map(\.json)).rows.reversed())]
        }
    }

    private func countPoints(_ query: PointQuery) throws(OperationRefusal) -> Int64 {
        try OperationRefusal.store { () throws(StoreFailure) in try ports.store.pointCount(query) }
    }

    private func pointQuery(_ arguments: JSONObject) throws(OperationRefusal) -> PointQuery {
        var reader = ArgumentReader(arguments)
        let sessionID = reader.text("sessionID")
        let span = reader.span()
        let limit = reader.integer("limit", Self.pointLimits)
        let offset = reader.integer("offset", 0...Int64.max)
        let afterID = reader.integer("afterID", 0...Int64.max)
        try reader.check()
        var query = PointQuery(limit: Int(limit ?? 500), offset: Int(clamping: offset ?? 0))
        query.sessionID = try sessionID.map { id throws(OperationRefusal) in try self.sessionID(id) }
        query.from = span.from
        query.to = span.to
        query.afterID = afterID
        return query
    }

    /// The id that begins like this, where only one does.
    func sessionID(_ prefix: String) throws(OperationRefusal) -> String {
        let found = try OperationRefusal.store { () throws(StoreFailure) in
            // Of those that begin with a whole id it is the first in order.
            try ports.store.sessionIDs(startingWith: prefix, limit: 2)
        }
        guard let first = found.first, !prefix.isEmpty else {
            throw OperationRefusal(.notFound, "there is no session '\(prefix)'; see device-cli sessions")
        }
        guard found.count == 1 || first == prefix else {
            throw OperationRefusal(
                .invalidRequest, "more than one session begins with '\(prefix)'; give more of its id")
        }
        return first
    }

    func sessionsPage(_ arguments: JSONObject) -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in
            var reader = ArgumentReader(arguments)
            let span = reader.span()
            let limit = reader.integer("limit", Self.sessionLimits) ?? 100
            let offset = Int(clamping: reader.integer("offset", 0...Int64.max) ?? 0)
            try reader.check()
            var query = SessionQuery(limit: Int(limit) + 1, offset: offset)
            query.from = span.from
            query.to = span.to
            let found = try OperationRefusal.store { () throws(StoreFailure) in try ports.store.sessions(query) }
            let rows = found.map { JSONValue.object($0.json(now: utcNow)) }
            return .object(ReplyPage(rows, wanted: Int(limit), offset: offset).result("sessions"))
        }
    }

    /// The one that is named, else the open one; with its configuration. Null where none is open.
    func oneSession(_ arguments: JSONObject) -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in
            var reader = ArgumentReader(arguments)
            let named = reader.text("id")
            try reader.check()
            guard let id = try named.map({ id throws(OperationRefusal) in try sessionID(id) }) ?? session?.id else {
                return .null
            }
            let found = try OperationRefusal.store { () throws(StoreFailure) in try ports.store.session(id: id) }
            guard let found else { throw OperationRefusal(.notFound, "there is no session '\(id)'") }
            var object = found.json(now: utcNow)
            object["configSnapshot"] = found.session.configSnapshot.flatMap { try? JSONReader.parse(Array($0.utf8)) }
            return .object(object)
        }
    }

    /// Points that no server has confirmed go only with `force`, and only on the word of who may lose points.
    func deleteSession(_ arguments: JSONObject, mayLosePoints: Bool) -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in
            var reader = ArgumentReader(arguments)
            reader.need("id")
            let named = reader.text("id") ?? ""
            let isForced = reader.flag("force") ?? false
            try reader.check()
            let id = try sessionID(named)
            if id == session?.id {
                throw OperationRefusal(.conflict, "that session is open; device-cli stop closes it")
            }
            // What the store has not taken yet may belong to it, and would never fit in again.
            flushJournal()
            if let failure = journal.failure { throw OperationRefusal(failure) }
            let unsent = try OperationRefusal.store { () throws(StoreFailure) in
                try ports.store.unsentCount(sessionID: id)
            }
            guard unsent == 0 || isForced else {
                throw OperationRefusal(
                    .conflict, "\(unsent) of its points have not been sent; --force deletes them all the same")
            }
            guard unsent == 0 || mayLosePoints else {
                throw OperationRefusal(
                    .forbidden, "only root and the user of the service may delete unsent points; use sudo device-cli …")
            }
            let rows = try OperationRefusal.store { () throws(StoreFailure) in try ports.store.deleteSession(id: id) }
            if closedSession?.id == id { closedSession = nil }
            log(.notice, "session.deleted", [("session", .text(id)), ("points", .int(rows.points))])
            return [
                "id": .string(id), "points": .int(rows.points), "decisions": .int(rows.decisions),
                "rawFixes": .int(rows.rawFixes), "judgedPoints": .int(rows.judgedPoints),
            ]
        }
    }

    /// Sets the odometer to zero; what it had counted stays in the store.
    func resetOdometer() -> OperationAnswer {
        OperationAnswer { () throws(OperationRefusal) in
            let before = try OperationRefusal.store { () throws(StoreFailure) in
                let before = try totalOdometerMM()
                try ports.store.setState(.odometerOffset, String(try state(.odometer) ?? 0))
                return before
            }
            log(.notice, "odometer.reset", [("before_mm", .int(before))])
            return ["meters": .fixed(0, places: 3), "beforeMeters": .fixed(before, places: 3)]
        }
    }

    /// Of all sessions since the last reset, millimetres; 0 before the first leg.
    func totalOdometerMM() throws(StoreFailure) -> Int64 {
        max(0, try (state(.odometer) ?? 0) - (state(.odometerOffset) ?? 0))
    }

    private func state(_ key: StateKey) throws(StoreFailure) -> Int64? {
        try ports.store.state(key).flatMap { Int64($0) }
    }
}
