import WireText

/// Where the receiver was heard last, kept over a restart (F-13).
struct ReceiverMemory: Equatable {
    var port: String
    var baud: Int
    var usesUBX: Bool

    init(port: String, baud: Int, usesUBX: Bool) {
        self.port = port
        self.baud = baud
        self.usesUBX = usesUBX
    }

    var text: String {
        JSONValue.object([
            "port": .string(port), "baud": .int(Int64(baud)), "protocol": .string(usesUBX ? "ubx" : "nmea"),
        ]).text
    }

    /// `nil` when the text is not of this form: then everything is looked for afresh.
    init?(text: String) {
        guard let json = try? JSONReader.parse(text), let port = json["port"]?.stringValue,
            let baud = json["baud"]?.intValue, (1_200...4_000_000).contains(baud)
        else { return nil }
        self.init(port: port, baud: Int(baud), usesUBX: json["protocol"]?.stringValue == "ubx")
    }
}
