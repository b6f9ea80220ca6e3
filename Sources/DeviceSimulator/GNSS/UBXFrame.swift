/// Writes UBX frames, and knows nothing of how the tracker reads them: a mistake of one side must not hide one of the
/// other.
enum UBXFrame {
    /// `B5 62`, class and number, length, payload, and the checksum of everything after the sync pair (8-bit Fletcher,
    /// RFC 1145 as u-blox uses it).
    static func bytes(_ id: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let body = [UInt8(id >> 8), UInt8(id & 0xFF), UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
        let sums = checksum(body)
        return [0xB5, 0x62] + body + [sums.0, sums.1]
    }

    static func checksum(_ body: some Sequence<UInt8>) -> (UInt8, UInt8) {
        var a: UInt8 = 0
        var b: UInt8 = 0
        for byte in body {
            a &+= byte
            b &+= a
        }
        return (a, b)
    }
}

/// Bytes of a payload, little-endian; values that do not fit are cut to what does.
struct PayloadWriter {
    private(set) var bytes: [UInt8] = []

    mutating func u1(_ value: Int) { append(value, 1, 0...255) }
    mutating func i1(_ value: Int) { append(value, 1, -128...127) }
    mutating func u2(_ value: Int) { append(value, 2, 0...65_535) }
    mutating func i2(_ value: Int) { append(value, 2, -32_768...32_767) }
    mutating func u4(_ value: Int) { append(value, 4, 0...4_294_967_295) }
    mutating func i4(_ value: Int) { append(value, 4, -2_147_483_648...2_147_483_647) }
    mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    /// ASCII, filled up with zeros.
    mutating func text(_ text: String, width: Int) {
        let letters = Array(text.utf8.prefix(width))
        bytes += letters + [UInt8](repeating: 0, count: width - letters.count)
    }

    private mutating func append(_ value: Int, _ count: Int, _ range: ClosedRange<Int>) {
        let cut = min(range.upperBound, max(range.lowerBound, value))
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: cut >> (8 * index))) }
    }
}

/// Little-endian values out of a command's payload; what lies beyond its end is `nil`.
struct PayloadReader {
    let bytes: [UInt8]

    func unsigned(at offset: Int, _ count: Int) -> UInt64? {
        guard offset >= 0, offset + count <= bytes.count else { return nil }
        return (0..<count).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }

    func u1(_ offset: Int) -> Int? { unsigned(at: offset, 1).map(Int.init) }
    func u2(_ offset: Int) -> Int? { unsigned(at: offset, 2).map(Int.init) }
    func u4(_ offset: Int) -> Int? { unsigned(at: offset, 4).map(Int.init) }
}
