/// The references of XML: five names, and characters by number.
enum XMLReference {
    private static let names: [String: String] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
    /// `#x10FFFF` is the longest.
    private static let longest = 8

    /// Resolves each once; what is none of them stays as it is.
    static func resolving(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...]
            let body = rest.dropFirst().prefix(longest + 1)
            guard let end = body.firstIndex(of: ";"), let value = value(of: body[..<end]) else {
                result += "&"
                rest = rest.dropFirst()
                continue
            }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func value(of body: Substring) -> String? {
        if let known = names[String(body)] { return known }
        guard body.first == "#" else { return nil }
        let digits = body.dropFirst()
        let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
