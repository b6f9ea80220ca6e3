import TrackerModel

/// MON-VER: what a u-blox receiver says it is.
enum UBXIdentity {
    /// 30 bytes of software version, 10 of hardware version, and 30 for each extension; `nil` for another length.
    static func identity(_ payload: UnsafeRawBufferPointer) -> ReceiverIdentity? {
        guard payload.count >= 40, (payload.count - 40) % 30 == 0 else { return nil }
        var identity = ReceiverIdentity(
            family: .ublox, model: generation(payload.text(30..<40)), firmware: trimmed(payload.text(0..<30)))
        for start in stride(from: 40, to: payload.count, by: 30) {
            let line = payload.text(start..<start + 30)
            if let model = value(line, "MOD=") { identity.model = model }
            if let firmware = value(line, "FWVER=") { identity.firmware = firmware }
            // `PROTVER 14.00` on u-blox 7, `PROTVER=18.00` later.
            if let version = value(line, "PROTVER=") ?? value(line, "PROTVER ") {
                identity.protocolVersion = hundredths(version)
            }
        }
        return identity
    }

    private static func trimmed(_ text: String) -> String? {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? nil : String(text)
    }

    private static func value(_ line: String, _ name: String) -> String? {
        line.hasPrefix(name) ? trimmed(String(line.dropFirst(name.count))) : nil
    }

    /// `18.00` as 1800, `27.1` as 2710.
    static func hundredths(_ text: String) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int($0) }), (0...999).contains(whole) else { return nil }
        guard parts.count == 2 else { return whole * 100 }
        let digits = parts[1].prefix(2)
        guard let fraction = Int(digits), fraction >= 0 else { return nil }
        return whole * 100 + (digits.count == 1 ? fraction * 10 : fraction)
    }

    /// What the hardware version tells of a receiver that does not name its model.
    private static func generation(_ hardware: String) -> String? {
        switch hardware {
        case "00040005": "u-blox 5"
        case "00040007": "u-blox 6"
        case "00070000": "u-blox 7"
        case "00080000": "u-blox 8"
        case "00190000": "u-blox 9"
        case "000A0000": "u-blox 10"
        default: nil
        }
    }
}
