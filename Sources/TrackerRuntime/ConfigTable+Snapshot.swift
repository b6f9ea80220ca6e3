public import Ports
public import WireText

extension ConfigTable {
    /// Every key with its text, without what may hold credentials: the receiver of points and its headers.
    public static func snapshot(_ config: TrackerConfig) -> JSONObject {
        var object = JSONObject()
        for key in keys where key.path != "upload.url" { object[key.path] = .string(key.text(config)) }
        return object
    }

    /// The configuration of a snapshot; keys of other versions are passed over.
    public static func resolve(snapshot: JSONObject) throws(ConfigFailure) -> TrackerConfig {
        let entries = zip(snapshot.names, snapshot.values).map { path, value in
            ConfigEntry(path: path, text: value.plain, line: 0)
        }
        return try resolve(entries).config
    }
}
