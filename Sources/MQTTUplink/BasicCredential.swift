import Ports

/// Name and password as HTTP writes them into `Authorization: Basic …` (RFC 7617), so that both uplinks take them from
/// the same place.
struct BasicCredential: Equatable, Sendable {
    var user: String
    var password: String

    /// `nil` when no header is one; a header of another kind is no credential for a broker.
    init?(_ headers: [UplinkRequest.Header]) {
        guard let value = headers.first(where: { $0.name.lowercased() == "authorization" })?.value,
            value.lowercased().hasPrefix("basic "), let text = Self.base64(value.dropFirst(6).filter { $0 != " " }),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        user = String(text[..<colon])
        password = String(text[text.index(after: colon)...])
    }

    /// Somebody gave a credential, readable or not: without it the broker would be met as nobody.
    static func isMeant(by headers: [UplinkRequest.Header]) -> Bool {
        headers.contains { $0.name.lowercased() == "authorization" }
    }

    private static func base64(_ text: String) -> String? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bytes: [UInt8] = []
        var held: UInt32 = 0
        var bits = 0
        for digit in text.utf8 where digit != UInt8(ascii: "=") {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            held = (held << 6 | UInt32(value)) & 0xFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
