/// Whether a receiver's bytes hold a frame that can be decoded here: one whole NMEA sentence or UBX frame with the right
/// checksum. Asked only until the answer is yes.
struct GPSDFrameCheck {
    /// A UBX frame that is longer is not waited for: the ones of every epoch are shorter.
    private static let window = 2_048
    /// NMEA 0183 allows 82 characters; receivers go beyond.
    private static let longestSentence = 120

    private var recent: [UInt8] = []
    private(set) var hasSeenFrame = false

    mutating func note(_ bytes: [UInt8]) {
        guard !hasSeenFrame else { return }
        recent += bytes
        hasSeenFrame = recent.indices.contains { isSentence(at: $0) || isUBX(at: $0) }
        recent = hasSeenFrame ? [] : recent.suffix(Self.window)
    }

    /// `$`, printable characters, `*`, and the XOR of what is between as two hexadecimal digits.
    private func isSentence(at start: Int) -> Bool {
        guard recent[start] == UInt8(ascii: "$") else { return false }
        var sum: UInt8 = 0
        for index in (start + 1)..<min(recent.count, start + Self.longestSentence) {
            let byte = recent[index]
            guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "$") else { return false }
            if byte == UInt8(ascii: "*") {
                guard index > start + 5, index + 2 < recent.count else { return false }
                return UInt8(String(decoding: recent[(index + 1)...(index + 2)], as: UTF8.self), radix: 16) == sum
            }
            sum ^= byte
        }
        return false
    }

    /// `B5 62`, class, id, length, payload, and the 8-bit Fletcher sum of all from the class on (u-blox interface
    /// description, "UBX frame structure").
    private func isUBX(at start: Int) -> Bool {
        guard recent.count >= start + 8, recent[start] == 0xB5, recent[start + 1] == 0x62 else { return false }
        let length = Int(recent[start + 4]) | Int(recent[start + 5]) << 8
        let end = start + 6 + length
        guard recent.count >= end + 2 else { return false }
        var a: UInt8 = 0
        var b: UInt8 = 0
        for byte in recent[(start + 2)..<end] {
            a &+= byte
            b &+= a
        }
        return recent[end] == a && recent[end + 1] == b
    }
}
