import SyncEngine
import WireText

/// The configuration in force (spec api §2, `getConfig`).
extension Runtime {
    /// What `sync configure` sets aside of the file.
    private static let endpointKeys: Set<String> = [
        "upload.url", "upload.method", "upload.credentialFile", "upload.systemdCredential",
        "upload.credentialEnvironment",
    ]

    /// Every key with its value and where that is from: `default`, `supplied` by the file, or `persisted`, which is the
    /// last good file or `sync configure`. Of an address only scheme and host are shown, of a header only the name.
    var effectiveConfig: JSONValue {
        var effective = config
        if let uploader { effective.sync = uploader.config }
        let isEndpointKept = uploader?.isConfiguredHere == true
        let ofFile = configSource == "supplied" ? "supplied" : "persisted"
        func row(_ path: String, _ value: String, isKept: Bool, unit: String = "") -> JSONValue {
            let source = isKept ? "persisted" : givenKeys.contains(path) ? ofFile : "default"
            var row: JSONObject = ["key": .string(path), "value": .string(value), "source": .string(source)]
            if !unit.isEmpty { row["unit"] = .string(unit) }
            return .object(row)
        }
        var rows = ConfigTable.keys.map { key in
            let value = key.path == "upload.url" ? uploader?.shownEndpoint ?? "" : key.text(effective)
            return row(
                key.path, value, isKept: isEndpointKept && Self.endpointKeys.contains(key.path), unit: key.unit)
        }
        for header in effective.sync.headers {
            let path = ConfigTable.headerPrefix + header.name
            // One that the file does not have comes from where the credential is kept.
            rows.append(row(path, "***", isKept: isEndpointKept || !givenKeys.contains(path)))
        }
        return ["configSource": .string(configSource), "keys": .array(rows)]
    }
}
