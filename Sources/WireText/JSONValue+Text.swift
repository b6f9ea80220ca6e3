extension JSONValue {
    /// Compact JSON, members in their order, UTF-8, no exponents.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// For people: a text without its quotes, anything else as JSON.
    public var plain: String { stringValue ?? text }

    /// A number for people, with `places` decimals; `nil` for what is no number or has no end.
    public func rounded(_ places: Int) -> String? {
        doubleValue.flatMap { JSONValue.decimal($0, places: places)?.text }
    }

    public var bytes: [UInt8] {
        var out: [UInt8] = []
        write(to: &out)
        return out
    }

    private func write(to out: inout [UInt8]) {
        switch self {
        case .null: out += Array("null".utf8)
        case .bool(let flag): out += Array((flag ? "true" : "false").utf8)
        case .int(let number): FixedPoint.write(number, places: 0, to: &out)
        case .fixed(let units, let places): FixedPoint.write(units, places: places, to: &out)
        case .double(let number): out += Array((number.isFinite ? "\(number)" : "null").utf8)
        case .string(let text): Self.writeQuoted(text, to: &out)
        case .array(let items):
            out.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                item.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let object):
            out.append(UInt8(ascii: "{"))
            for (index, name) in object.names.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                Self.writeQuoted(name, to: &out)
                out.append(UInt8(ascii: ":"))
                object.values[index].write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    private static func writeQuoted(_ text: String, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(isPlain) {
            out += text.utf8
        } else {
            writeEscaped(text, to: &out)
        }
        out.append(UInt8(ascii: "\""))
    }

    /// Stands for itself in a JSON string.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func writeEscaped(_ text: String, to out: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                out.append(UInt8(ascii: "\\"))
                out.append(byte)
            case UInt8(ascii: "\n"): out += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): out += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case UInt8(ascii: "\t"): out += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case 0..<0x20: out += Array("\\u00".utf8) + Array(Hex.text([byte]).utf8)
            default: out.append(byte)
            }
        }
    }
}
