/// One request as the receiver needs it.
struct HTTPRequest: Equatable, Sendable {
    var method: String
    /// Without the query.
    var path: String
    var body: [UInt8]
    /// True unless the client asked for a close or speaks HTTP/1.0.
    var keepsAlive: Bool

    var isUpload: Bool { method == "POST" || method == "PUT" || method == "PATCH" }
}

/// Why a request cannot be served: the status to answer with before the connection closes.
struct HTTPRefusal: Error, Equatable {
    var status: Int
    var message: String
}

/// Finds the requests in a byte stream: HTTP/1.x with Content-Length bodies (RFC 9112).
struct HTTPRequestReader {
    static let largestHead = 16_384
    static let largestBody = 4 * 1_024 * 1_024

    private var buffer: [UInt8] = []
    private var head: Head?
    /// The client waits for `100 Continue` before it sends the body; cleared by who sends it.
    var wantsContinue = false

    private struct Head {
        var request: HTTPRequest
        var bodyLength: Int
        var isGzip = false
    }

    mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

    /// The next whole request; `nil` while bytes are missing.
    /// - Throws: `HTTPRefusal`; the stream is of no more use then.
    mutating func next() throws(HTTPRefusal) -> HTTPRequest? {
        if head == nil { head = try takeHead() }
        guard let waiting = head, buffer.count >= waiting.bodyLength else { return nil }
        var request = waiting.request
        request.body = Array(buffer[..<waiting.bodyLength])
        buffer.removeFirst(waiting.bodyLength)
        head = nil
        wantsContinue = false
        if waiting.isGzip {
            guard let body = GunzippedBody.bytes(request.body) else {
                throw HTTPRefusal(status: 400, message: "the body is no whole gzip frame, or too large a one")
            }
            request.body = body
        }
        return request
    }

    private mutating func takeHead() throws(HTTPRefusal) -> Head? {
        while buffer.starts(with: [0x0D, 0x0A]) { buffer.removeFirst(2) }
        guard let end = endOfHead() else {
            if buffer.count > Self.largestHead { throw HTTPRefusal(status: 431, message: "the head is over 16 KiB") }
            return nil
        }
        let text = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 4)
        return try parse(text)
    }

    private func endOfHead() -> Int? {
        guard buffer.count >= 4 else { return nil }
        let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        let last = min(buffer.count - 4, Self.largestHead)
        return (0...last).first { buffer[$0] == 0x0D && buffer[$0..<$0 + 4].elementsEqual(mark) }
    }

    private mutating func parse(_ text: String) throws(HTTPRefusal) -> Head {
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1].hasPrefix("/"), words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw HTTPRefusal(status: 400, message: "expected METHOD /path HTTP/1.1")
        }
        let path = words[1].prefix { $0 != "?" }
        var request = HTTPRequest(
            method: String(words[0]), path: String(path), body: [], keepsAlive: words[2] == "HTTP/1.1")
        var length: Int?
        var isGzip = false
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw HTTPRefusal(status: 400, message: "a header line without a colon")
            }
            let value = line[line.index(after: colon)...].trimmingBlanks().lowercased()
            switch line[..<colon].lowercased() {
            case "content-length":
                guard let count = Int(value), count >= 0, length == nil || length == count else {
                    throw HTTPRefusal(status: 400, message: "Content-Length is no length")
                }
                length = count
            case "transfer-encoding": throw HTTPRefusal(status: 411, message: "send the body with a Content-Length")
            case "content-encoding" where value == "gzip": isGzip = true
            case "content-encoding" where value != "identity":
                throw HTTPRefusal(status: 415, message: "send the body as it is or as gzip")
            case "connection" where value == "close": request.keepsAlive = false
            case "expect" where value == "100-continue": wantsContinue = true
            default: break
            }
        }
        if request.isUpload, length == nil { throw HTTPRefusal(status: 411, message: "Content-Length is missing") }
        if let length, length > Self.largestBody { throw HTTPRefusal(status: 413, message: "the body is over 4 MiB") }
        return Head(request: request, bodyLength: length ?? 0, isGzip: isGzip)
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
