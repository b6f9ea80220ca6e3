/// The lines of a text without their ends (LF or CR LF), numbered from 1; a byte order mark is skipped.
struct TextLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var at: Int
    /// Of the line returned last.
    private(set) var number = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    var isAtEnd: Bool { at >= bytes.count }

    mutating func next() -> ArraySlice<UInt8>? {
        guard !isAtEnd else { return nil }
        let rest = bytes[at...]
        let end = rest.firstIndex(of: 0x0A) ?? bytes.endIndex
        at = end + 1
        number += 1
        let line = rest[..<end]
        return line.last == 0x0D ? line.dropLast() : line
    }
}

extension UInt8 {
    /// Space, tab, carriage return or line feed: white space of JSON and XML alike.
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}

extension Collection where Element == UInt8 {
    /// As text without white space at its ends; what is no UTF-8 is replaced.
    var trimmedText: String {
        let bytes = Array(self)
        guard let first = bytes.firstIndex(where: { !$0.isBlank }), let last = bytes.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
