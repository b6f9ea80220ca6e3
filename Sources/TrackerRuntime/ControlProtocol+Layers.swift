import Ports
import Recordings
import TrackerEngine
import TrackerModel
import WireText

/// The diagnostic layers (spec capture §15 and §16).
extension ControlProtocol {
    private static let usualLimit: Int64 = 200
    private static let mostRows: Int64 = 5_000

    func decisions(_ arguments: JSONObject, _ id: JSONValue?) -> JSONValue {
        if let number = arguments["id"] { return explanation(of: number, id) }
        return rows(arguments, id, isOn: runtime.config.layers.keepsDecisions, oldestFirst: false) {
            page throws(StoreFailure) in
            try runtime.ports.store.decisions(page).map { $0.decision.json(number: $0.id) }
        }
    }

    /// The newest, but oldest first: the answer is a recording.
    func rawFixes(_ arguments: JSONObject, _ id: JSONValue?) -> JSONValue {
        rows(arguments, id, isOn: runtime.config.layers.keepsRawFixes, oldestFirst: true) {
            page throws(StoreFailure) in
            try runtime.ports.store.rawFixes(page).map { LocationLine($0).json }
        }
    }

    func judgedPoints(_ arguments: JSONObject, _ id: JSONValue?) -> JSONValue {
        rows(arguments, id, isOn: runtime.config.layers.keepsRawPoints, oldestFirst: true) {
            page throws(StoreFailure) in
            try runtime.ports.store.judgedPoints(page).map(Self.line)
        }
    }

    private static func line(_ judged: JudgedPoint) -> JSONValue {
        let point = judged.point
        var object = LocationLine(point).json.objectValue ?? [:]
        object["movement"] = .string(point.movement.rawValue)
        object["odometerM"] = .fixed(point.odometerMM, places: 3)
        object["reason"] = .string(point.acceptReason.rawValue)
        object["session"] = .string(point.sessionID)
        object["verdict"] = .string(judged.verdict.rawValue)
        return .object(object)
    }

    private func explanation(of number: JSONValue, _ id: JSONValue?) -> JSONValue {
        guard let row = number.intValue else { return Self.refusal(id, .invalidRequest, "id is a row's number") }
        do throws(StoreFailure) {
            guard let stored = try runtime.ports.store.decision(id: row) else {
                return Self.refusal(id, .notFound, "there is no decision \(row), or not any more")
            }
            let words =
                DecisionExplanation(stored.decision, runtime.config.capture).text
                + " Limits are those of the present configuration."
            let result: JSONValue = [
                "enabled": .bool(runtime.config.layers.keepsDecisions),
                "rows": .array([stored.decision.json(number: row)]), "explanation": .string(words),
            ]
            return Self.result(id, result)
        } catch { return Self.refusal(id, error) }
    }

    /// A page of what `read` gives, newest first.
    private func rows(
        _ arguments: JSONObject, _ id: JSONValue?, isOn: Bool, oldestFirst: Bool,
        _ read: (LayerPage) throws(StoreFailure) -> [JSONValue]
    ) -> JSONValue {
        if let problem = Self.notText("sessionID", arguments) { return Self.refusal(id, .invalidRequest, problem) }
        let limit = arguments["limit"].map { $0.intValue ?? 0 } ?? Self.usualLimit
        let offset = arguments["offset"].map { $0.intValue ?? -1 } ?? 0
        guard (1...Self.mostRows).contains(limit), offset >= 0 else {
            return Self.refusal(id, .invalidRequest, "limit is 1…\(Self.mostRows), offset 0 or more")
        }
        let answer = OperationAnswer { () throws(OperationRefusal) in
            let wanted = min(Int(limit), ReplyPage.mostRows)
            let asked = LayerPage(
                sessionID: try sessionID(arguments), limit: wanted + 1, offset: Int(clamping: offset))
            let found = try OperationRefusal.store { () throws(StoreFailure) in try read(asked) }
            let page = ReplyPage(found, wanted: wanted, offset: asked.offset)
            var result = page.result("rows")
            if oldestFirst { result["rows"] = .array(page.rows.reversed()) }
            result["enabled"] = .bool(isOn)
            return .object(result)
        }
        return Self.answer(id, answer)
    }

    /// Whole, where it was given short.
    private func sessionID(_ arguments: JSONObject) throws(OperationRefusal) -> String? {
        guard let given = arguments["sessionID"]?.stringValue else { return nil }
        return try runtime.sessionID(given)
    }

    /// Of the session that is named, else of the one that is open or was last.
    func fixture(_ arguments: JSONObject, _ id: JSONValue?) -> JSONValue {
        if let problem = Self.notText("sessionID", arguments) ?? Self.notText("name", arguments) {
            return Self.refusal(id, .invalidRequest, problem)
        }
        let answer = OperationAnswer { () throws(OperationRefusal) in
            guard let sessionID = try sessionID(arguments) ?? (runtime.session ?? runtime.closedSession)?.id else {
                throw OperationRefusal(.notFound, "no session is open; name one")
            }
            let name = arguments["name"]?.stringValue ?? sessionID
            return try OperationRefusal.store { () throws(StoreFailure) in
                try runtime.fixture(sessionID: sessionID, name: name).json
            }
        }
        return Self.answer(id, answer)
    }
}
