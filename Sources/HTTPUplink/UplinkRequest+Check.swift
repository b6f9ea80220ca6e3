import CCurl
import Ports

extension UplinkRequest {
    /// Why this must not be sent, or `nil`. Looks at header names only in its answer: values may be credentials.
    var refusal: UplinkFailure? {
        if !["POST", "PUT", "PATCH"].contains(method) {
            return UplinkFailure(code: .badRequest, cause: "The method must be POST, PUT or PATCH.")
        }
        for header in headers {
            guard let problem = header.problem else { continue }
            let cause =
                switch problem {
                case .noName: "A header name holds characters that HTTP does not allow: correct it."
                case .lineBreak: "The value of header \(header.name) holds a line break: remove it."
                case .reserved: "Header \(header.name) is set by the uploader itself: remove it."
                }
            return UplinkFailure(code: .badRequest, cause: cause)
        }
        return Self.refusal(ofURL: url)
    }

    /// The scheme of `https`, in any letters.
    var isSecure: Bool { Origin(url)?.scheme == "https" }

    private static func refusal(ofURL url: String) -> UplinkFailure? {
        let bad = UplinkFailure(
            code: .badRequest, cause: "The address is not a complete http:// or https:// URL: correct it.")
        guard !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }), let parsed = curl_url() else { return bad }
        defer { curl_url_cleanup(parsed) }
        guard curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK else { return bad }
        var scheme: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parsed, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK, let scheme else { return bad }
        defer { curl_free(scheme) }
        return ["http", "https"].contains(String(cString: scheme).lowercased()) ? nil : bad
    }
}
