public import Ports
import TrackerModel
import WireText

/// The control socket's language (spec api §1): one JSON object a line, exactly one reply each.
public struct ControlProtocol {
    public static let version: Int64 = 1
    let runtime: Runtime

    public init(runtime: Runtime) { self.runtime = runtime }

    /// Answers one request line; nothing that comes from outside can fail here.
    /// - Returns: `nil` when the reply comes later, to the subscriber.
    public func reply(to asked: ControlRequest) -> [UInt8]? {
        let request: JSONValue
        do throws(JSONFailure) { request = try JSONReader.parse(asked.line) } catch {
            return Self.refusal(nil, .invalidRequest, "no JSON: \(error.message) at byte \(error.offset)").bytes
        }
        let id = request["id"]
        guard let op = request["op"]?.stringValue else {
            return Self.refusal(id, .invalidRequest, "the request has no \"op\"").bytes
        }
        if let given = request["args"], given != .null, given.objectValue == nil {
            return Self.refusal(id, .invalidRequest, "args is an object, not \(given.text)").bytes
        }
        if let operation = SyncOperation(rawValue: op) {
            return sync(operation, request["args"]?.objectValue ?? [:], id, asked)?.bytes
        }
        if let operation = TrackOperation(rawValue: op) {
            return track(operation, request["args"]?.objectValue ?? [:], id, asked).bytes
        }
        guard let operation = Operation(rawValue: op) else {
            return Self.refusal(id, .unknownOperation, "there is no operation '\(op)'").bytes
        }
        let arguments = request["args"]?.objectValue ?? [:]
        if let unknown = arguments.names.first(where: { !operation.arguments.contains($0) }) {
            return Self.refusal(id, .invalidRequest, "\(op) takes no argument '\(unknown)'").bytes
        }
        return perform(operation, arguments, id, asked.subscriber)?.bytes
    }

    private enum Operation: String, CaseIterable {
        case hello
        case state
        case start
        case stop
        case changePace
        case getCurrentLocation
        case getOdometerMeters
        case getSensors
        case getDecisions
        case getRawFixes
        case getRawPoints
        case exportFixture
        case subscribe
        case link
        case gnss
        case gnssReset = "gnss.reset"
        case gnssRaw = "gnss.raw"
        case addGeofence
        case getGeofences
        case removeGeofence
        case removeAllGeofences
        case getGeofenceEvents
        case deleteGeofenceEvents
        case batteryInfo
        case power
        case powerSet = "power.set"

        var arguments: [String] {
            switch self {
            case .gnssReset: ["mode"]
            case .start: ["tag"]
            case .changePace: ["moving"]
            case .getSensors: ["selfTest"]
            case .powerSet: ["tier", "forMs"]
            case .getDecisions: ["sessionID", "limit", "offset", "id"]
            case .getRawFixes, .getRawPoints: ["sessionID", "limit", "offset"]
            case .exportFixture: ["sessionID", "name"]
            case .subscribe: ["topics"]
            case .getCurrentLocation: ["accuracyM", "timeoutMs", "feed"]
            case .addGeofence: FenceRequest.arguments
            case .removeGeofence, .deleteGeofenceEvents: ["id"]
            case .getGeofenceEvents: ["id", "limit"]
            default: []
            }
        }
    }

    /// `nil`: the reply comes later, to the subscriber.
    private func perform(
        _ operation: Operation, _ arguments: JSONObject, _ id: JSONValue?, _ subscriber: any ControlSubscriber
    ) -> JSONValue? {
        switch operation {
        case .start: return start(arguments, id)
        case .stop: return capturing(id) { () throws(StoreFailure) in try runtime.stopCapture() }
        case .changePace: return changePace(arguments, id)
        case .getCurrentLocation: return currentLocation(arguments, id, subscriber)
        case .getOdometerMeters: return odometer(id)
        case .getSensors: return sensors(arguments, id, subscriber)
        case .getDecisions: return decisions(arguments, id)
        case .getRawFixes: return rawFixes(arguments, id)
        case .getRawPoints: return judgedPoints(arguments, id)
        case .exportFixture: return fixture(arguments, id)
        case .subscribe: return subscribe(arguments, id, subscriber)
        case .hello: return Self.result(id, hello)
        case .state: return Self.result(id, runtime.status())
        case .link: return Self.result(id, .object(runtime.link.json))
        case .gnss: return Self.result(id, runtime.gnssStatus)
        case .gnssReset:
            if let problem = Self.notText("mode", arguments) { return Self.refusal(id, .invalidRequest, problem) }
            switch runtime.resetReceiver(arguments["mode"]?.stringValue ?? "hot") {
            case .done(let message): return Self.result(id, ["message": .string(message)])
            case .refused(let message): return Self.refusal(id, .conflict, message)
            }
        case .gnssRaw:
            runtime.hub.subscribe(subscriber, to: .gnssRaw)
            return Self.result(id, ["subscribed": "gnss.raw"])
        case .addGeofence: return Self.answer(id, runtime.addGeofence(arguments))
        case .getGeofences: return Self.answer(id, runtime.geofences())
        case .removeGeofence: return Self.answer(id, runtime.removeGeofence(arguments))
        case .removeAllGeofences: return Self.answer(id, runtime.removeAllGeofences())
        case .getGeofenceEvents: return Self.answer(id, runtime.geofenceEvents(arguments))
        case .deleteGeofenceEvents: return Self.answer(id, runtime.deleteGeofenceEvents(arguments))
        case .batteryInfo: return Self.result(id, .object(runtime.batteryJSON))
        case .power: return Self.result(id, runtime.powerReport)
        case .powerSet: return Self.answer(id, runtime.setPower(arguments))
        }
    }

    /// The connection becomes a stream of the topics that are named.
    private func subscribe(
        _ arguments: JSONObject, _ id: JSONValue?, _ subscriber: any ControlSubscriber
    ) -> JSONValue {
        let names = (arguments["topics"]?.arrayValue ?? []).map { $0.stringValue ?? $0.text }
        var topics: [EventHub.Topic] = []
        for name in names {
            guard let topic = EventHub.Topic(rawValue: name) else {
                return Self.refusal(id, .invalidRequest, "there is no topic '\(name)'")
            }
            topics.append(topic)
        }
        if topics.isEmpty { return Self.refusal(id, .invalidRequest, "name the topics, such as [\"fixes\"]") }
        topics.forEach { runtime.hub.subscribe(subscriber, to: $0) }
        return Self.result(id, ["topics": .array(topics.map { .string($0.rawValue) })])
    }

    /// What the listener says by itself.
    public static var texts: ControlTexts {
        ControlTexts(oversized: refusal(nil, .invalidRequest, "a request is at most 1 MiB").bytes) { count in
            let line: JSONValue = ["event": "dropped", "data": ["count": .int(Int64(count))]]
            return line.bytes
        }
    }

    /// What is said before the runtime is up.
    public static var startingReply: [UInt8] { refusal(nil, .notReady, "the daemon is starting; ask again").bytes }

    private var hello: JSONValue {
        [
            "protocol": .int(Self.version), "version": .string(runtime.host.version),
            "bootID": .string(runtime.host.bootID),
            "capabilities": .array(
                (Operation.allCases.map(\.rawValue) + TrackOperation.allCases.map(\.rawValue)
                    + SyncOperation.allCases.map(\.rawValue)).map { .string($0) }),
        ]
    }

    /// What is wrong with an argument that is there and no text.
    static func notText(_ name: String, _ arguments: JSONObject) -> String? {
        guard let value = arguments[name], value.stringValue == nil else { return nil }
        return "\(name) must be a text, not \(value.text)"
    }

    /// The reply at once where it is known at once, else pushed.
    func later(
        _ subscriber: any ControlSubscriber, _ ask: (@escaping (JSONValue) -> Void) -> Void
    ) -> JSONValue? {
        var immediate: JSONValue?
        var isLater = false
        ask { reply in if isLater { subscriber.reply(reply.bytes) } else { immediate = reply } }
        isLater = true
        return immediate
    }

    static func answer(_ id: JSONValue?, _ answer: OperationAnswer) -> JSONValue {
        switch answer {
        case .done(let value): result(id, value)
        case .refused(let code, let message): refusal(id, code, message)
        }
    }

    static func result(_ id: JSONValue?, _ value: JSONValue) -> JSONValue {
        var reply = JSONObject()
        reply["id"] = id ?? .null
        reply["ok"] = true
        reply["result"] = value
        return .object(reply)
    }

    static func refusal(_ id: JSONValue?, _ failure: StoreFailure) -> JSONValue {
        refusal(id, ErrorCode(failure), failure.message)
    }

    static func refusal(_ id: JSONValue?, _ code: ErrorCode, _ message: String) -> JSONValue {
        var reply = JSONObject()
        reply["id"] = id ?? .null
        reply["ok"] = false
        reply["code"] = .string(code.rawValue)
        reply["message"] = .string(message)
        return .object(reply)
    }
}
