/// What is kept of a response while it arrives: two headers and the start of the body.
final class ResponseCollector {
    /// The part of the body that is kept (contract of `UplinkResult.answered`).
    static let keptBodyBytes = 4_096
    /// An answer to an upload has no reason to be longer: what follows is not paid for on a metered link.
    static let acceptedBodyBytes = 1 << 20

    private(set) var body: [UInt8] = []
    private(set) var retryAfter: String?
    private(set) var date: String?
    /// The empty line after the headers has come: without it an answer is half an answer, whatever its status line says.
    private(set) var isHeaderComplete = false
    /// The body was longer than accepted and the transfer was ended here.
    private(set) var isOverlong = false
    /// Request lines, headers and bodies that went out.
    var bytesUp: Int64 = 0
    /// Lines of libcurl's account that are about TLS. Others may repeat headers, and so credentials.
    private(set) var tlsFacts: [String] = []
    private static let tlsWords = [
        "SSL connection using ", "subject: ", "start date: ", "expire date: ", "issuer: ", "SSL certificate problem",
    ]
    /// Asked about once a second; true ends the transfer.
    let isClosing: () -> Bool
    private var receivedBytes = 0

    init(isClosing: @escaping () -> Bool) { self.isClosing = isClosing }

    /// Returns false when the transfer is to be ended.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        receivedBytes += bytes.count
        body += bytes.prefix(Self.keptBodyBytes - body.count)
        isOverlong = receivedBytes > Self.acceptedBodyBytes
        return !isOverlong
    }

    /// One header line with its line end. A status line begins a new response (after `100 Continue`, for example).
    func takeHeader(_ line: UnsafeRawBufferPointer) {
        if line.starts(with: "HTTP/".utf8) {
            retryAfter = nil
            date = nil
            isHeaderComplete = false
            return
        }
        if line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) { isHeaderComplete = true }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        // Longer than any date or number of seconds: not worth a name comparison.
        guard colon <= 16, line.count <= 256 else { return }
        let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "retry-after": retryAfter = Self.trimmed(value)
        case "date": date = Self.trimmed(value)
        default: break
        }
    }

    /// One or more lines of libcurl's account.
    func takeAccount(_ text: UnsafeRawBufferPointer) {
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = Self.trimmed(String(line))
            guard tlsFacts.count < 8, Self.tlsWords.contains(where: words.hasPrefix) else { continue }
            tlsFacts.append(String(words.prefix(160)))
        }
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
