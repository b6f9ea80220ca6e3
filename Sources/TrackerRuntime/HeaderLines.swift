import Ports
import SyncEngine

/// Request headers as operators write them.
enum HeaderLines {
    /// Of names and values together, bytes (spec sync §8).
    static let limitBytes = 8_192

    /// What is wrong with a header, or `nil`. The message repeats neither the value nor a name that is none: in
    /// `Bearer abc:def` that is half of the credential.
    static func problem(name: String, value: String) -> String? {
        switch UplinkRequest.Header(name: name, value: value).problem {
        case nil: nil
        case .noName: "there is no header name before the colon; write NAME: VALUE"
        case .lineBreak: "the value of \(name) has a line break; give one line"
        case .reserved: "\(name) is set by the uploader itself; remove it"
        }
    }

    /// Lines such as `Authorization: Bearer …`; empty ones and those that begin with `#` are left out.
    /// - Returns: the headers, and what is wrong with the other lines, by number.
    static func parse(_ text: String) -> (headers: [SyncHeader], problems: [String]) {
        var headers: [SyncHeader] = []
        var problems: [String] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let trimmed = trim(line)
            if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
            guard let header = header(trimmed) else {
                problems.append("line \(index + 1) is no header; write NAME: VALUE")
                continue
            }
            if let problem = problem(name: header.name, value: header.value) {
                problems.append("line \(index + 1): \(problem)")
            } else {
                headers.append(header)
            }
        }
        return (headers, problems)
    }

    /// One `NAME: VALUE`, the value as it is, whatever it holds.
    static func header(_ text: some StringProtocol) -> SyncHeader? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        return SyncHeader(trim(text[..<colon]), trim(text[text.index(after: colon)...]))
    }

    static func sizeBytes(_ headers: [SyncHeader]) -> Int {
        headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }

    private static func trim(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return String(start[...end])
    }
}
