/// Why a text is no JSON, and where (byte offset).
public struct JSONFailure: Error, Equatable, Sendable {
    public var offset: Int
    public var message: String
}

/// Reads one JSON value (RFC 8259), strictly; nesting is limited to 64 so that no input can exhaust the stack.
public struct JSONReader {
    private let bytes: [UInt8]
    private var at = 0
    private static let deepest = 64

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Throws: `JSONFailure` with the place; the caller answers its peer with it or drops the text.
    public static func parse(_ bytes: [UInt8]) throws(JSONFailure) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        if reader.at < bytes.count { throw reader.failure("text after the value") }
        return value
    }

    public static func parse(_ text: String) throws(JSONFailure) -> JSONValue { try parse(Array(text.utf8)) }

    private func failure(_ message: String) -> JSONFailure { JSONFailure(offset: at, message: message) }
    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        at += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
        if depth > Self.deepest { throw failure("nested too deep") }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        case nil: throw failure("the text ends where a value is expected")
        default: throw failure("no JSON value starts like this")
        }
    }

    private mutating func word(_ text: String, _ value: JSONValue) throws(JSONFailure) -> JSONValue {
        guard bytes[at...].starts(with: text.utf8) else { throw failure("expected \(text)") }
        at += text.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(JSONFailure) -> JSONValue {
        at += 1
        var object = JSONObject()
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(object) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw failure("expected a member name") }
            let name = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw failure("expected ':'") }
            object[name] = try value(depth: depth + 1)
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(object) }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or '}'") }
        }
    }

    private mutating func array(depth: Int) throws(JSONFailure) -> JSONValue {
        at += 1
        var items: [JSONValue] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(items) }
        while true {
            items.append(try value(depth: depth + 1))
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(items) }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or ']'") }
        }
    }

    private mutating func number() throws(JSONFailure) -> JSONValue {
        let start = at
        _ = take(UInt8(ascii: "-"))
        let first = next
        let count = digits()
        guard count > 0 else { throw failure("expected a digit") }
        if first == UInt8(ascii: "0"), count > 1 { throw failure("leading zero") }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            guard digits() > 0 else { throw failure("expected a digit after the point") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            at += 1
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw failure("expected a digit in the exponent") }
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .int(integer) }
        guard let double = Double(text), double.isFinite else { throw failure("number out of range") }
        return .double(double)
    }

    private mutating func digits() -> Int {
        let start = at
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return at - start
    }

    private mutating func string() throws(JSONFailure) -> String {
        at += 1
        var out: [UInt8] = []
        while let byte = next {
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: out, as: UTF8.self) else { throw failure("not UTF-8") }
                return text
            case UInt8(ascii: "\\"): try escape(into: &out)
            case 0..<0x20: throw failure("control character in a string")
            default: out.append(byte)
            }
        }
        throw failure("the string does not end")
    }

    private mutating func escape(into out: inout [UInt8]) throws(JSONFailure) {
        guard let byte = next else { throw failure("the string does not end") }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexUnit()
            if (0xD800..<0xDC00).contains(code) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw failure("half a surrogate pair") }
                let low = try hexUnit()
                guard (0xDC00..<0xE000).contains(low) else { throw failure("half a surrogate pair") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw failure("half a surrogate pair") }
            out += Array(String(Character(scalar)).utf8)
        default: throw failure("unknown escape")
        }
    }

    private mutating func hexUnit() throws(JSONFailure) -> UInt32 {
        guard at + 4 <= bytes.count,
            let code = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16),
            bytes[at] != UInt8(ascii: "+"), bytes[at] != UInt8(ascii: "-")
        else { throw failure("expected four hex digits") }
        at += 4
        return code
    }
}
