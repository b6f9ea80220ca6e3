/// Decimal text of integers in stated units: no floating point, no exponent, a dot.
public enum FixedPoint {
    /// `text(-1234, places: 3)` is `-1.234`; all places are written.
    public static func text(_ units: Int64, places: Int) -> String {
        guard places > 0 else { return String(units) }
        var digits = String(units.magnitude)
        if digits.utf8.count <= places {
            digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
        }
        let point = digits.index(digits.endIndex, offsetBy: -places)
        return (units < 0 ? "-" : "") + digits[..<point] + "." + digits[point...]
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
}
