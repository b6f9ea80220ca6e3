/// A body of the type `application/x-www-form-urlencoded`.
struct FormBody {
    private(set) var bytes: [UInt8] = []

    /// Everything but letters, digits and `*-._` is written as `%XX` (WHATWG URL §5.2, a blank too).
    mutating func add(_ name: String, _ value: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        encode(name)
        bytes.append(UInt8(ascii: "="))
        encode(value)
    }

    private mutating func encode(_ text: String) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}
