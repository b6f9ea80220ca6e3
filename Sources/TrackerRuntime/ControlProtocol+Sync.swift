import Ports
import SyncEngine
import TrackerModel
import WireText

/// What an operator can ask of the uploader.
enum SyncOperation: String, CaseIterable {
    case status = "sync.status"
    case now = "sync.now"
    case request = "sync.request"
    case configure = "sync.configure"
    case useFile = "sync.useFile"
    case resume = "sync.resume"
    case wipe = "sync.wipe"
    case quarantine = "sync.quarantine"
    case retry = "sync.quarantine.retry"
    case drop = "sync.quarantine.drop"
    case test = "sync.test"
    case events = "sync.events"

    var arguments: [String] {
        switch self {
        case .configure: ["url", "method", "headers", "credentialFile"]
        case .retry, .drop: ["ids"]
        case .quarantine: ["limit"]
        case .test: ["bare"]
        case .status, .now, .request, .useFile, .resume, .wipe, .events: []
        }
    }

    /// Credentials and lost points are a matter of root and the service user (spec api §1).
    var isPrivileged: Bool {
        switch self {
        case .configure, .useFile, .wipe, .drop: true
        case .status, .now, .request, .resume, .quarantine, .retry, .test, .events: false
        }
    }
}

extension ControlProtocol {
    /// `nil`: the reply comes later.
    func sync(
        _ operation: SyncOperation, _ arguments: JSONObject, _ id: JSONValue?, _ asked: ControlRequest
    ) -> JSONValue? {
        if let unknown = arguments.names.first(where: { !operation.arguments.contains($0) }) {
            return Self.refusal(id, .invalidRequest, "\(operation.rawValue) takes no argument '\(unknown)'")
        }
        if operation.isPrivileged, !isPrivileged(asked.peer) {
            return Self.refusal(
                id, .forbidden, "only root and the user of the service may do that; use sudo device-cli …")
        }
        guard let uploader = runtime.uploader else {
            return Self.refusal(id, .notReady, "nothing is uploaded here")
        }
        switch operation {
        case .status: return Self.result(id, .object(runtime.syncStatus))
        case .request: return request(uploader, id)
        case .now: return later(asked.subscriber) { take in uploader.uploadNow { take(reply(id, $0)) } }
        case .test: return test(uploader, arguments, id, asked.subscriber)
        case .configure: return changing(id) { () throws(Uploader.Refusal) in try configure(uploader, arguments) }
        case .useFile: return changing(id) { () throws(Uploader.Refusal) in try uploader.useFile() }
        case .resume: return changing(id) { () throws(Uploader.Refusal) in try uploader.resume() }
        case .wipe: return counting(id) { () throws(StoreFailure) in try uploader.wipe() }
        case .quarantine: return quarantine(arguments, id)
        case .retry, .drop: return quarantined(uploader, operation, arguments, id)
        case .events:
            runtime.hub.subscribe(asked.subscriber, to: .sync)
            var result: JSONObject = ["subscribed": "sync"]
            result["last"] = uploader.lastEvent.map { .object($0.json) }
            return Self.result(id, .object(result))
        }
    }

    private func request(_ uploader: Uploader, _ id: JSONValue?) -> JSONValue {
        guard uploader.isConfigured, !uploader.machine.isHalted else {
            return Self.refusal(id, .conflict, uploader.shownProblem ?? "nothing is uploaded now")
        }
        uploader.request()
        return Self.result(id, .object(runtime.syncStatus))
    }

    private func test(
        _ uploader: Uploader, _ arguments: JSONObject, _ id: JSONValue?, _ subscriber: any ControlSubscriber
    ) -> JSONValue? {
        if let given = arguments["bare"], given.boolValue == nil {
            return Self.refusal(id, .invalidRequest, "bare must be true or false")
        }
        let isBare = arguments["bare"]?.boolValue == true
        return later(subscriber) { take in uploader.test(isBare: isBare) { take(Self.answer(id, $0)) } }
    }

    private func changing(_ id: JSONValue?, _ change: () throws(Uploader.Refusal) -> Void) -> JSONValue {
        do throws(Uploader.Refusal) {
            try change()
            return Self.result(id, .object(runtime.syncStatus))
        } catch { return Self.refusal(id, error.code, error.message) }
    }

    private func counting(_ id: JSONValue?, _ change: () throws(StoreFailure) -> Int64) -> JSONValue {
        do throws(StoreFailure) { return Self.result(id, ["count": .int(try change())]) } catch {
            return Self.refusal(id, error)
        }
    }

    private func configure(_ uploader: Uploader, _ arguments: JSONObject) throws(Uploader.Refusal) {
        guard let url = arguments["url"]?.stringValue else {
            throw Uploader.Refusal(code: .invalidRequest, message: "say \"url\": where points go")
        }
        var endpoint = UploadEndpoint(
            url: url, method: arguments["method"]?.stringValue,
            credentialFile: arguments["credentialFile"]?.stringValue ?? "")
        for line in arguments["headers"]?.arrayValue ?? [] {
            guard let header = line.stringValue.flatMap({ HeaderLines.header($0) }) else {
                throw Uploader.Refusal(code: .invalidConfig, message: "a header is no NAME: VALUE")
            }
            endpoint.headers.append(header)
        }
        try uploader.configure(endpoint)
    }

    private func quarantine(_ arguments: JSONObject, _ id: JSONValue?) -> JSONValue {
        let limit = arguments["limit"]?.intValue ?? 200
        guard (1...5_000).contains(limit) else { return Self.refusal(id, .invalidRequest, "limit must be 1…5000") }
        do throws(StoreFailure) {
            let rows = try runtime.ports.store.quarantined(limit: Int(limit))
            let items = rows.map { row -> JSONValue in
                [
                    "id": .int(row.id), "uuid": .string(row.uuid), "time": .string(TimeText.iso(row.time)),
                    "reason": .string(row.reason),
                ]
            }
            return Self.result(id, ["rows": .array(items)])
        } catch { return Self.refusal(id, error) }
    }

    /// All rows when no ids are given.
    private func quarantined(
        _ uploader: Uploader, _ operation: SyncOperation, _ arguments: JSONObject, _ id: JSONValue?
    ) -> JSONValue {
        var ids: [Int64]?
        if let given = arguments["ids"] {
            let numbers = (given.arrayValue ?? []).compactMap(\.intValue)
            guard let count = given.arrayValue?.count, count > 0, numbers.count == count else {
                return Self.refusal(id, .invalidRequest, "ids must be a list of row numbers")
            }
            ids = numbers
        }
        return counting(id) { () throws(StoreFailure) in
            operation == .retry ? try uploader.retryQuarantined(ids) : try uploader.dropQuarantined(ids)
        }
    }

    private func reply(_ id: JSONValue?, _ result: SyncResult) -> JSONValue {
        switch result {
        case .uploaded(let count): return Self.result(id, ["outcome": "uploaded", "count": .int(Int64(count))])
        case .empty: return Self.result(id, ["outcome": "empty", "count": 0])
        case .retry(let reason, let afterMillis):
            var object: JSONObject = ["outcome": "retry", "reason": .string(reason)]
            object["afterSec"] = afterMillis.map { .int(($0 + 999) / 1_000) }
            if reason == SyncMachine.Obstacle.offline.rawValue, runtime.link.modem?.isComingUp == true {
                object["text"] = "the modem is being powered; what waits is sent when it is up"
            }
            return Self.result(id, .object(object))
        case .authExpired: return Self.result(id, ["outcome": "authExpired"])
        case .forbidden:
            return Self.refusal(id, .conflict, "the server forbids uploads (403); see device-cli sync resume")
        case .alreadyDraining: return Self.refusal(id, .conflict, "already draining: an upload is under way")
        case .notConfigured: return Self.refusal(id, .notReady, "no endpoint is in use; see device-cli sync status")
        }
    }
}
