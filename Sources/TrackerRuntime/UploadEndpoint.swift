import SyncEngine
import WireText

/// Where points go as `sync configure` said it; kept apart from the configuration file, which it goes before.
struct UploadEndpoint: Equatable {
    var url: String
    var method: String?
    var headers: [SyncHeader] = []
    /// A file with further header lines; empty: none.
    var credentialFile = ""

    init(url: String, method: String? = nil, headers: [SyncHeader] = [], credentialFile: String = "") {
        self.url = url
        self.method = method
        self.headers = headers
        self.credentialFile = credentialFile
    }

    /// Unknown members are left aside, missing ones have their default.
    init?(json: JSONValue) {
        guard let url = json["url"]?.stringValue else { return nil }
        self.url = url
        method = json["method"]?.stringValue
        credentialFile = json["credentialFile"]?.stringValue ?? ""
        headers = (json["headers"]?.arrayValue ?? []).compactMap { pair in
            guard let name = pair["name"]?.stringValue, let value = pair["value"]?.stringValue else { return nil }
            return SyncHeader(name, value)
        }
    }

    /// With the credential: for the vault only.
    var json: JSONValue {
        var object: JSONObject = ["url": .string(url)]
        object["method"] = method.map { .string($0) }
        object["headers"] = .array(headers.map { ["name": .string($0.name), "value": .string($0.value)] })
        if !credentialFile.isEmpty { object["credentialFile"] = .string(credentialFile) }
        return .object(object)
    }

    /// Everything that is wrong with it (spec sync §8), on a device of that name that sends that format.
    func problems(allowCleartext: Bool, format: FormatName, deviceID: String) -> [String] {
        var problems = headers.compactMap { HeaderLines.problem(name: $0.name, value: $0.value) }
        if let problem = ConfigTable.urlProblem(url, allowCleartext: allowCleartext) {
            problems.append("url: \(problem)")
        }
        if let problem = ConfigTable.brokerFormatProblem(url, format) { problems.append("upload.format: \(problem)") }
        if let problem = ConfigTable.deviceNameProblem(url, format, deviceID) {
            problems.append("device.id: \(problem)")
        }
        if let method, !SyncConfig.methods.contains(method) {
            problems.append("method: '\(method)' is not one of \(SyncConfig.methods.joined(separator: ", "))")
        }
        if HeaderLines.sizeBytes(headers) > HeaderLines.limitBytes {
            problems.append("headers: more than 8 KiB in all; give fewer or shorter ones")
        }
        if !credentialFile.isEmpty, !credentialFile.hasPrefix("/") {
            problems.append("credentialFile: '\(credentialFile)' is no absolute path")
        }
        return problems
    }

    /// The configuration of the file with this endpoint instead of its own.
    func applied(to base: SyncConfig) -> SyncConfig {
        var config = base
        config.url = url
        config.headers = headers
        config.credentialFile = credentialFile
        config.systemdCredential = ""
        config.credentialEnvironment = ""
        if let method { config.method = method }
        return config
    }
}
