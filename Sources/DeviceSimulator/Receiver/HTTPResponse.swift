import TrackerModel
import WireText

/// The bytes of an answer.
enum HTTPResponse {
    static let continued = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    /// What no client may take for an answer.
    static let garbage = Array("\u{1}\u{2}this is not the answer you are looking for\n\u{7F}\n".utf8)

    /// 204 and 304 carry no body whatever is given.
    static func bytes(status: Int, json: JSONValue, keepsAlive: Bool, headers: [String] = []) -> [UInt8] {
        let hasBody = status != 204 && status != 304
        let body = hasBody ? json.bytes : []
        var head = "HTTP/1.1 \(status) \(reason(status))\r\n"
        if hasBody { head += "Content-Type: application/json; charset=utf-8\r\nContent-Length: \(body.count)\r\n" }
        for line in headers { head += line + "\r\n" }
        if !keepsAlive { head += "Connection: close\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    static func date(_ seconds: Int64) -> String {
        let civil = CivilTime(UTCTime(millis: seconds * 1_000))
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [civil.hour, civil.minute, civil.second].map(two).joined(separator: ":")
        return
            "\(days[Int(civil.dayNumber % 7)]), \(two(civil.day)) \(months[civil.month - 1]) \(civil.year) \(time) GMT"
    }

    private static func reason(_ status: Int) -> String {
        let reasons = [
            200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently", 302: "Found",
            307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
            403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict",
            411: "Length Required", 413: "Content Too Large", 415: "Unsupported Media Type",
            422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
            500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        ]
        return reasons[status] ?? "Status"
    }
}
