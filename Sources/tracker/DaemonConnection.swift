import ConfigFile
import LinuxIO
import Ports
import TrackerRuntime
import WireText

/// The operator's side of the control socket: where it is, and one question or one stream.
struct DaemonConnection {
    /// Options that name the daemon; every command that talks to it takes them.
    static let options: Set<String> = ["--config", "--socket", "--state-dir"]
    static let defaultConfig = "/etc/tracker/tracker.yaml"
    private static let timeoutMillis: Int64 = 5_000

    let socket: String
    let stateDir: String

    /// From the options, else from the configuration as far as it can be read, else the defaults.
    init(_ arguments: Arguments) {
        let entries = (try? YAMLFile.read(path: arguments.value("--config") ?? Self.defaultConfig)) ?? []
        let service = entries.filter { $0.path.hasPrefix("service.") }
        let config = (try? ConfigTable.resolve(service).config) ?? TrackerConfig()
        socket = arguments.value("--socket") ?? config.socket
        stateDir = arguments.value("--state-dir") ?? config.stateDir
    }

    /// Why an operation gave no result, with the exit status that goes with it.
    enum Failure: Error {
        case unreachable(String)
        /// One is there, and does not answer in time.
        case overdue(String)
        case refused(String)

        /// The daemon speaks another version of the protocol, or is none.
        static let otherAnswer = Failure.refused("an answer of another kind")

        /// An answer without the member that it is about.
        static func missing(_ name: String) -> Failure {
            .refused("the daemon's answer has no \"\(name)\"; are daemon and tool of the same version?")
        }

        var status: Int32 {
            switch self {
            case .unreachable, .overdue: ExitStatus.notReachable
            case .refused: ExitStatus.refused
            }
        }

        var message: String {
            switch self {
            case .unreachable(let message), .overdue(let message), .refused(let message): message
            }
        }
    }

    /// Asks for one operation and returns its result.
    func ask(
        _ op: String, _ arguments: JSONObject = [:], timeoutMillis: Int64 = timeoutMillis
    ) throws(Failure) -> JSONValue {
        do throws(ControlFailure) {
            let line = Self.request(op, arguments)
            return try Self.result(
                of: try ControlClient.exchange(path: socket, line: line, timeoutMillis: timeoutMillis))
        } catch {
            throw Self.failure(error)
        }
    }

    /// Subscribes with an operation and hands over the data of every event until `take` returns false.
    func follow(_ op: String, _ take: (JSONValue) -> Bool) throws(Failure) {
        try listen(op, [:], look: nil) { event in event["data"].map(take) ?? true }
    }

    /// Subscribes with an operation, hands over its result, then whole events until `take` returns false.
    func follow(
        _ op: String, _ arguments: JSONObject, result: @escaping (JSONValue) -> Void, _ take: (JSONValue) -> Bool
    ) throws(Failure) {
        try listen(op, arguments, look: nil, result: result, take)
    }

    /// Subscribes to topics and hands over whole events until `take` returns false, or `isWanted`, which is asked
    /// several times a second.
    func listen(
        to topics: [String], while isWanted: @escaping () -> Bool, _ take: (JSONValue) -> Bool
    ) throws(Failure) {
        let arguments: JSONObject = ["topics": .array(topics.map { .string($0) })]
        try listen("subscribe", arguments, look: (200, isWanted), take)
    }

    private func listen(
        _ op: String, _ arguments: JSONObject, look: (everyMillis: Int64, isWanted: () -> Bool)?,
        result: ((JSONValue) -> Void)? = nil, _ take: (JSONValue) -> Bool
    ) throws(Failure) {
        var refusal: Failure?
        do throws(ControlFailure) {
            let line = Self.request(op, arguments)
            try ControlClient.stream(path: socket, line: line, timeoutMillis: Self.timeoutMillis, look: look) { bytes in
                guard let json = try? JSONReader.parse(bytes) else { return true }
                if json["event"] != nil { return take(json) }
                guard json["ok"]?.boolValue == true else {
                    let code = json["code"]?.stringValue.map { "\($0): " } ?? ""
                    refusal = .refused(code + (json["message"]?.stringValue ?? "an answer of another kind"))
                    return false
                }
                result?(json["result"] ?? .null)
                return true
            }
        } catch {
            throw Self.failure(error)
        }
        if let refusal { throw refusal }
    }

    private static func request(_ op: String, _ arguments: JSONObject) -> [UInt8] {
        var request: JSONObject = ["id": 1, "op": .string(op)]
        if !arguments.names.isEmpty { request["args"] = .object(arguments) }
        return JSONValue.object(request).bytes
    }

    private static func result(of reply: [UInt8]) throws(ControlFailure) -> JSONValue {
        let json = try? JSONReader.parse(reply)
        guard let json, json["ok"]?.boolValue == true, let result = json["result"] else {
            let code = json?["code"]?.stringValue.map { "\($0): " } ?? ""
            throw ControlFailure(
                code: .io, cause: code + (json?["message"]?.stringValue ?? "an answer of another kind"), remedy: "")
        }
        return result
    }

    private static func failure(_ error: ControlFailure) -> Failure {
        let text = error.remedy.isEmpty ? error.cause : "\(error.cause); \(error.remedy)"
        switch error.code {
        case .unreachable: return .unreachable(text)
        case .overdue: return .overdue(text)
        case .inUse, .cannotBind, .io: return .refused(text)
        }
    }
}
