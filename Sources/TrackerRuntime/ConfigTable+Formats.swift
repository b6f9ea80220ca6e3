import SyncEngine

extension ConfigTable {
    /// What a request looks like.
    static var formats: [ConfigKey] {
        [
            .choice(
                "upload.format", FormatName.allCases.map(\.rawValue), "what the server reads",
                get: { $0.sync.format.rawValue },
                set: { config, text in FormatName(rawValue: text).map { config.sync.format = $0 } }),
            .flag(
                "upload.extended", \.sync.isExtended,
                "format native: send altitude, bearing, odometer, session and the like too"),
            .text(
                "upload.user", \.sync.user, valid: "1…64 letters, digits and -._",
                "format owntracks: whose device it is", check: userProblem),
            .flag(
                "upload.gzipRequestBody", \.sync.gzipsBody,
                "compress requests of 1 KiB and more; only for servers that know Content-Encoding: gzip"),
        ]
    }

    /// The name stands in a header and in a topic.
    private static func userProblem(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._".utf8.contains(byte)
            }
        }
        return isName && (1...64).contains(text.utf8.count) ? nil : "'\(text)' is no name; give letters, digits and -._"
    }
}
