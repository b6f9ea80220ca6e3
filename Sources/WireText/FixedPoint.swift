/// Decimal text of integers in stated units: no floating point, no exponent, a dot.
public enum FixedPoint {
    /// `text(-1234, places: 3)` is `-1.234`; all places are written.
    public static func text(_ units: Int64, places: Int) -> String {
        var out: [UInt8] = []
        write(units, places: places, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    /// Appends the same as ASCII.
    static func write(_ units: Int64, places: Int, to out: inout [UInt8]) {
        if units < 0 { out.append(UInt8(ascii: "-")) }
        let start = out.count
        var (rest, count) = (units.magnitude, 0)
        // From the last digit to the first, then turned round.
        repeat {
            if count == places, places > 0 { out.append(UInt8(ascii: ".")) }
            out.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
            count += 1
        } while rest > 0 || count <= places
        out[start...].reverse()
    }
}

/// Lower-case hexadecimal.
public enum Hex {
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var out: [UInt8] = []
        for byte in bytes {
            out.append(digits[Int(byte >> 4)])
            out.append(digits[Int(byte & 15)])
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Reads pairs of digits of either case; `nil` for anything else.
    public static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            out.append(high << 4 | low)
        }
        return out
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
