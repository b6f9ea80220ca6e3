import Ports
import SyncEngine

extension ConfigTable {
    /// What a request looks like.
    static var formats: [ConfigKey] {
        [
            .choice(
                "upload.format", FormatName.allCases.map(\.rawValue), "what the server reads",
                get: { $0.sync.payload.format.rawValue },
                set: { config, text in FormatName(rawValue: text).map { config.sync.payload.format = $0 } }),
            .flag(
                "upload.geofenceEvents", \.sync.sendsCrossings,
                "format owntracks: send entries and exits of geofences too, as transition messages"),
            .flag(
                "upload.extended", \.sync.payload.isExtended,
                "format native: send altitude, bearing, odometer, session and the like too"),
            .text(
                "upload.user", \.sync.payload.user, valid: "1…64 letters, digits and -._",
                "format owntracks: whose device it is", check: userProblem),
            .text(
                "upload.caFile", \.sync.payload.caFile, valid: "absolute path; empty: the system's",
                "https and mqtts: the certificates to trust",
                check: { $0.isEmpty || $0.hasPrefix("/") ? nil : "'\($0)' is no absolute path" }),
            .flag(
                "upload.gzipRequestBody", \.sync.payload.isCompressed,
                "compress requests of 1 KiB and more; only for servers that know Content-Encoding: gzip"),
        ]
    }

    /// What is wrong with a broker's address.
    static func brokerProblem(_ url: String, allowCleartext: Bool) -> String? {
        guard let address = MQTTAddress(url) else {
            return "that is no mqtts://host[:port]/topic without wildcards; credentials go into upload.headers"
        }
        if address.isSecure || address.isLoopback || allowCleartext { return nil }
        return "mqtt would send positions in the clear; use mqtts, or set upload.allowCleartext: true"
    }

    /// Settings that a broker's uplink does not look at.
    static func brokerIgnores(_ config: TrackerConfig, line: (String) -> Int) -> [ConfigProblem] {
        guard MQTTAddress.isMeant(config.uploadURL) else { return [] }
        var keys = config.sync.headers.map(\.name).filter { $0.lowercased() != "authorization" }.map {
            headerPrefix + $0
        }
        keys += ["upload.method", "upload.gzipRequestBody"].filter { line($0) > 0 }
        return keys.map { key in
            ConfigProblem(line: line(key), message: "\(key) means nothing to a broker; remove it")
        }
    }

    /// What is wrong with a format for where the points go.
    static func brokerFormatProblem(_ url: String, _ format: FormatName) -> String? {
        guard MQTTAddress.isMeant(url), format == .osmand else { return nil }
        return "a broker's readers expect JSON; use another format, such as owntracks"
    }

    /// What is wrong with sending crossings in a format.
    static func crossingsProblem(_ config: TrackerConfig) -> String? {
        let format = config.sync.payload.format
        guard config.sync.sendsCrossings, format != .owntracks else { return nil }
        return "format \(format.rawValue) has no words for crossings; use upload.format: owntracks, or set it to false"
    }

    /// The name stands in a header and in a topic.
    private static func userProblem(_ text: String) -> String? {
        isName(text) && (1...64).contains(text.utf8.count) ? nil : "'\(text)' is no name; give letters, digits and -._"
    }

    /// The same for the device's, where it stands there too.
    static func deviceNameProblem(_ url: String, _ format: FormatName, _ deviceID: String) -> String? {
        let isUsed = format == .owntracks || MQTTAddress.isMeant(url)
        if !isUsed || isName(deviceID) { return nil }
        return "'\(deviceID)' does not fit into a topic; give letters, digits and -._"
    }

    /// Letters, digits and `-._`, which mean nothing else in topics, headers and file names.
    static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._".utf8.contains(byte)
            }
        }
    }
}
