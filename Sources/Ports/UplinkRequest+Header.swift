extension UplinkRequest.Header {
    /// Why a header cannot be sent.
    public enum Problem: Equatable, Sendable {
        /// The name is no `token` of RFC 9110 §5.6.2. It is not to be shown: it may be part of a credential.
        case noName
        /// CR, LF or NUL in the value.
        case lineBreak
        /// Computed from the body; another value would break the framing.
        case reserved
    }

    public var problem: Problem? {
        if name.isEmpty || !name.utf8.allSatisfy(Self.isTokenByte) { return .noName }
        if value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) { return .lineBreak }
        return ["content-length", "transfer-encoding"].contains(name.lowercased()) ? .reserved : nil
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
