import WireText

/// What a recording is; its content decides, never its name.
public enum RecordingKind: Equatable, Sendable {
    /// JSON Lines of fixes.
    case locations
    /// JSON Lines of acceleration samples.
    case motion
    /// One JSON object: fixes with what should be decided about them.
    case fixture
    /// Bytes of a receiver.
    case receiverLog

    /// - Parameter head: the beginning, with the whole first line when that is a line of JSON.
    /// - Throws: when it is JSON of another kind.
    public init(head: some Sequence<UInt8>, name: String) throws(RecordingFailure) {
        let text = head.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        let line = Array(text.prefix { $0 != 0x0A })
        // A fixture may be longer than what is at hand, or spread over lines by whoever completed it.
        if line.first == UInt8(ascii: "{"), (try? JSONReader.parse(line)) == nil,
            String(decoding: Array(text), as: UTF8.self).contains("\"fixes\"")
        {
            self = .fixture
            return
        }
        guard line.first == UInt8(ascii: "{") else {
            self = .receiverLog
            return
        }
        guard case .object(let object)? = try? JSONReader.parse(line), let kind = Self(object) else {
            throw RecordingFailure(
                name: name, line: 1,
                message: "neither a fix (lat, lon) nor a sample (x, y, z); is it a recording of this program?")
        }
        self = kind
    }

    private init?(_ object: JSONObject) {
        if object["lat"] != nil, object["lon"] != nil {
            self = .locations
        } else if object["x"] != nil, object["y"] != nil, object["z"] != nil {
            self = .motion
        } else if object["fixes"] != nil {
            self = .fixture
        } else {
            return nil
        }
    }
}
