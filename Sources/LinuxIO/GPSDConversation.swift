import WireText

/// The client's side of gpsd's protocol (gpsd_json(5)), without its socket: bytes in, steps out.
///
/// gpsd greets with a VERSION object. Its devices are asked for, then their bytes as they are (`"raw":2`, "super-raw");
/// or NMEA that gpsd writes itself (`"nmea":true`), for a receiver whose own bytes nobody here understands. Up to the
/// answer to the WATCH gpsd sends JSON, a line an object; after it, only what was asked for.
struct GPSDConversation {
    /// What gpsd sends of its receiver.
    enum Form { case raw, pseudoNMEA }

    enum Step: Equatable {
        case send([UInt8])
        /// The connection is of no use; nothing follows.
        case refuse(Refusal)
        /// The answer to a WATCH has come; the receiver's bytes follow.
        case watching
        case bytes([UInt8])
    }

    enum Refusal: Equatable {
        /// What talks there is no gpsd; the start of what it said.
        case notGPSD(String)
        case noDevice
        /// gpsd's own words.
        case error(String)
    }

    private enum State { case greeting, devices, watch, streaming, refused }

    /// gpsd's longest line is 10 240 bytes (GPS_JSON_RESPONSE_MAX of its gps_json.h).
    private static let longestLine = 65_536
    private static let newline = UInt8(ascii: "\n")
    private static let objectStart = Array("{\"class\":".utf8)

    private var state = State.greeting
    private var line: [UInt8] = []
    private(set) var form = Form.raw
    /// The receivers that gpsd has, by path.
    private(set) var devices: [String] = []
    /// The one that is listened to.
    private(set) var device: String?

    var isStreaming: Bool { state == .streaming }

    mutating func take(_ bytes: [UInt8]) -> [Step] {
        if state == .streaming { return [.bytes(bytes)] }
        var steps: [Step] = []
        for (index, byte) in bytes.enumerated() {
            guard byte == Self.newline else {
                line.append(byte)
                if line.count > Self.longestLine { overflow(&steps) }
                continue
            }
            let whole = line
            line = []
            answer(whole, &steps)
            if state == .streaming, index + 1 < bytes.count { steps.append(.bytes(Array(bytes[(index + 1)...]))) }
            if state == .streaming || state == .refused { break }
        }
        return steps
    }

    /// Asks for gpsd's own NMEA instead of the receiver's bytes.
    mutating func fallBack() -> Step {
        form = .pseudoNMEA
        state = .watch
        line = []
        return watch
    }

    private var watch: Step {
        var request: JSONObject = ["enable": true, "raw": form == .raw ? 2 : 0, "nmea": .bool(form == .pseudoNMEA)]
        // Several receivers' bytes would come mixed.
        if devices.count > 1 { request["device"] = device.map { .string($0) } }
        return .send(Array("?WATCH=\(JSONValue.object(request).text);\n".utf8))
    }

    private mutating func overflow(_ steps: inout [Step]) {
        if state == .greeting { refuse(.notGPSD(Self.excerpt(line)), &steps) }
        line = []
    }

    private mutating func refuse(_ refusal: Refusal, _ steps: inout [Step]) {
        state = .refused
        steps.append(.refuse(refusal))
    }

    private mutating func answer(_ line: [UInt8], _ steps: inout [Step]) {
        let object = Self.object(in: line)
        switch (state, object?["class"]?.stringValue) {
        case (.greeting, "VERSION"):
            state = .devices
            steps.append(.send(Array("?DEVICES;\n".utf8)))
        case (.greeting, _):
            refuse(.notGPSD(Self.excerpt(line)), &steps)
        case (.devices, "DEVICES"):
            note(object?["devices"]?.arrayValue ?? [])
            guard device != nil else { return refuse(.noDevice, &steps) }
            state = .watch
            steps.append(watch)
        case (.watch, "WATCH"):
            state = .streaming
            steps.append(.watching)
        case (.devices, "ERROR"), (.watch, "ERROR"):
            refuse(.error(object?["message"]?.stringValue ?? Self.excerpt(line)), &steps)
        default: break
        }
    }

    /// Of several receivers, the first that gpsd has opened, else the first.
    private mutating func note(_ list: [JSONValue]) {
        devices = list.compactMap { $0["path"]?.stringValue }
        device = list.first { $0["activated"] != nil && $0["activated"] != 0 }?["path"]?.stringValue ?? devices.first
    }

    /// The JSON object of a line; after a change of the watch, bytes of the receiver may stand before it.
    private static func object(in line: [UInt8]) -> JSONValue? {
        guard line.count >= objectStart.count else { return nil }
        let starts = (0...(line.count - objectStart.count)).first { line[$0...].starts(with: objectStart) }
        return starts.flatMap { try? JSONReader.parse(Array(line[$0...])) }
    }

    private static func excerpt(_ line: [UInt8]) -> String {
        String(decoding: line.prefix(40).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }
}
