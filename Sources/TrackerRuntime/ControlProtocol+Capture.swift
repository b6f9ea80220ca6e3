import GNSSCodecs
import Ports
import TrackerEngine
import TrackerModel
import WireText

/// Sessions, pace and one-shots (spec api §2).
extension ControlProtocol {
    /// A session, or null when there is none.
    func capturing(_ id: JSONValue?, _ change: () throws(StoreFailure) -> Session?) -> JSONValue {
        do throws(StoreFailure) {
            guard let session = try change() else { return Self.result(id, .null) }
            var object: JSONObject = [
                "id": .string(session.id), "startedAt": .string(TimeText.iso(session.startedAt)),
            ]
            object["endedAt"] = session.endedAt.map { .string(TimeText.iso($0)) }
            object["tag"] = session.tag.map { .string($0) }
            return Self.result(id, .object(object))
        } catch { return Self.refusal(id, error) }
    }

    func start(_ arguments: JSONObject, _ id: JSONValue?) -> JSONValue {
        if let problem = Self.notText("tag", arguments) { return Self.refusal(id, .invalidRequest, problem) }
        let tag = arguments["tag"]?.stringValue
        guard tag?.utf8.count ?? 0 <= Session.longestTag else {
            return Self.refusal(id, .invalidRequest, "a tag has at most \(Session.longestTag) bytes")
        }
        return capturing(id) { () throws(StoreFailure) in try runtime.startCapture(tag: tag) }
    }

    func odometer(_ id: JSONValue?) -> JSONValue {
        do throws(StoreFailure) {
            return Self.result(id, ["meters": .fixed(try runtime.totalOdometerMM(), places: 3)])
        } catch { return Self.refusal(id, error) }
    }

    func changePace(_ arguments: JSONObject, _ id: JSONValue?) -> JSONValue {
        guard let isMoving = arguments["moving"]?.boolValue else {
            return Self.refusal(id, .invalidRequest, "say \"moving\": true or false")
        }
        guard runtime.changePace(isMoving: isMoving) else {
            return Self.refusal(id, .notReady, "no session is open; start one first")
        }
        return Self.result(id, ["motion": .string(runtime.engine.motionState.rawValue)])
    }

    /// The reply comes when there is a fix, or none.
    func currentLocation(
        _ arguments: JSONObject, _ id: JSONValue?, _ subscriber: any ControlSubscriber
    ) -> JSONValue? {
        var request = OneShotRequest(id: 0)
        if let given = arguments["feed"] {
            guard let feeds = given.boolValue else {
                return Self.refusal(id, .invalidRequest, "feed must be true or false")
            }
            request.feedsTrack = feeds
        }
        if let given = arguments["accuracyM"] {
            guard let accuracy = given.doubleValue, (1...10_000).contains(accuracy) else {
                return Self.refusal(id, .invalidRequest, "accuracyM must be 1…10000")
            }
            request.accuracyM = accuracy
        }
        if let given = arguments["timeoutMs"] {
            guard let timeout = given.intValue, (1_000...300_000).contains(timeout) else {
                return Self.refusal(id, .invalidRequest, "timeoutMs must be 1000…300000")
            }
            request.timeoutMillis = timeout
        }
        return later(subscriber) { take in
            runtime.requestFix(request) { answer in
                switch answer {
                case .fix(let fix): take(Self.result(id, .object(FixLine.object(fix))))
                case .failed(let code, let message): take(Self.refusal(id, code, message))
                }
            }
        }
    }
}
