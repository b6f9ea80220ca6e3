extension RecordingFormat {
    /// As much of a file as is looked at.
    private static let lookBytes = 65_536

    /// What a file is by its content; its name only decides where that does not.
    /// - Throws: for what cannot be read, with the way to make it readable.
    static func detect(_ bytes: [UInt8], name: String) throws(JudgeFailure) -> RecordingFormat {
        let look = bytes.prefix(lookBytes)
        if look.allSatisfy(\.isBlank) {
            throw JudgeFailure(cause: "the file is empty", remedy: "give one with positions")
        }
        if look.starts(with: "SQLite format 3\0".utf8) { throw database(name) }
        if look.starts(with: [0xFF, 0xFE]) || look.starts(with: [0xFE, 0xFF]) {
            throw JudgeFailure(cause: "text in UTF-16", remedy: "save it as UTF-8")
        }
        let text = look.starts(with: [0xEF, 0xBB, 0xBF]) ? look.dropFirst(3) : look
        let visible = text.drop(while: \.isBlank)
        switch visible.first {
        case UInt8(ascii: "{") where visible.dropFirst().drop(while: \.isBlank).first == UInt8(ascii: "\""):
            return .jsonLines
        case UInt8(ascii: "[") where !isReceiverOutput(visible):
            throw JudgeFailure(
                line: 1, cause: "a JSON array", remedy: "give JSON Lines: one object with t, lat and lon on each line")
        case UInt8(ascii: "<") where hasGPXTag(visible) || !isReceiverOutput(visible): return .gpx
        default: break
        }
        if hasCSVHeader(bytes) { return .csv }
        if isReceiverOutput(look) { return .receiverLog }
        return try byName(name)
    }

    private static func byName(_ name: String) throws(JudgeFailure) -> RecordingFormat {
        let lower = name.lowercased()
        func ends(_ extensions: [String]) -> Bool { extensions.contains { lower.hasSuffix($0) } }
        if ends([".csv", ".tsv", ".txt"]) { return .csv }
        if ends([".jsonl", ".ndjson", ".json"]) { return .jsonLines }
        if ends([".gpx"]) { return .gpx }
        if ends([".nmea", ".ubx", ".log"]) { return .receiverLog }
        throw JudgeFailure(
            cause: "neither JSON Lines, GPX, CSV with a header, NMEA nor UBX",
            remedy: "convert it, for example with gpsbabel -o gpx")
    }

    private static func hasCSVHeader(_ bytes: [UInt8]) -> Bool {
        var lines = TextLines(Array(bytes.prefix(lookBytes)))
        while let line = lines.next() {
            if line.first == UInt8(ascii: "#") || line.allSatisfy(\.isBlank) { continue }
            return CSVHeader(line) != nil
        }
        return false
    }

    private static func hasGPXTag(_ bytes: ArraySlice<UInt8>) -> Bool {
        let tag = Array("<gpx".utf8)
        return bytes.indices.contains { bytes[$0] == tag[0] && bytes[$0...].starts(with: tag) }
    }

    /// A `$` with two capitals behind it, or the two bytes that begin a UBX frame.
    private static func isReceiverOutput(_ bytes: ArraySlice<UInt8>) -> Bool {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return bytes.indices.dropLast(2).contains { index in
            if bytes[index] == 0xB5 { return bytes[index + 1] == 0x62 }
            return bytes[index] == UInt8(ascii: "$") && capitals.contains(bytes[index + 1])
                && capitals.contains(bytes[index + 2])
        }
    }

    private static func database(_ name: String) -> JudgeFailure {
        JudgeFailure(
            cause: "a database",
            remedy: """
                write a session's points out first: sqlite3 -readonly -csv -header \(name) "SELECT time_ms, \
                latitude_e7/1e7 AS lat, longitude_e7/1e7 AS lon, accuracy_mm/1e3 AS acc FROM point WHERE session_id = \
                (SELECT id FROM session ORDER BY started_at_ms DESC LIMIT 1) ORDER BY id" > track.csv
                """)
    }
}
