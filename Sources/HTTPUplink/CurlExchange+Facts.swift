import CCurl
import Ports

/// What libcurl knows about an exchange beside its answer.
extension CurlExchange {
    var bytesDown: Int64 {
        Int64(ccurl_info_long(handle, CURLINFO_HEADER_SIZE)) + ccurl_info_size(handle, CURLINFO_SIZE_DOWNLOAD_T)
    }

    /// Where a redirect leads that keeps to the origin, method and body (RFC 9110 §15.4); `nil` for every other answer.
    func redirect(_ result: UplinkResult, from url: String) -> String? {
        guard case .answered(let status, _, _, _) = result, [301, 302, 307, 308].contains(status),
            let text = ccurl_info_text(handle, CURLINFO_REDIRECT_URL)
        else { return nil }
        let target = String(cString: text)
        guard let from = Origin(url), from == Origin(target) else { return nil }
        return target
    }

    /// What the server's certificate says that was not accepted: a handshake on a connection of its own, which is not
    /// checked, carries nothing and is closed.
    static func certificateFacts(
        _ request: UplinkRequest, _ limits: Limits, _ isClosing: @escaping () -> Bool
    ) -> [String] {
        guard let exchange = CurlExchange(limits: limits, isClosing: isClosing) else { return [] }
        let response = ResponseCollector(isClosing: isClosing)
        exchange.setBounds(request)
        ccurl_set_text(exchange.handle, CURLOPT_URL, request.url)
        ccurl_set_text(exchange.handle, CURLOPT_PROTOCOLS_STR, "https")
        ccurl_set_text(exchange.handle, CURLOPT_PROXY, "")
        ccurl_set_long(exchange.handle, CURLOPT_CONNECT_ONLY, 1)
        ccurl_set_long(exchange.handle, CURLOPT_SSL_VERIFYPEER, 0)
        ccurl_set_long(exchange.handle, CURLOPT_SSL_VERIFYHOST, 0)
        exchange.setAccount(response)
        return withExtendedLifetime(response) {
            curl_easy_perform(exchange.handle)
            return response.tlsFacts.filter { !$0.hasPrefix("SSL ") }
        }
    }

    func connection(_ response: ResponseCollector) -> UplinkConnection {
        func millis(_ info: CURLINFO) -> Int64? {
            let micros = ccurl_info_size(handle, info)
            return micros > 0 ? (micros + 500) / 1_000 : nil
        }
        let address = ccurl_info_text(handle, CURLINFO_PRIMARY_IP).map { String(cString: $0) } ?? ""
        let port = ccurl_info_long(handle, CURLINFO_PRIMARY_PORT)
        return UplinkConnection(
            nameMillis: millis(CURLINFO_NAMELOOKUP_TIME_T), connectMillis: millis(CURLINFO_CONNECT_TIME_T),
            tlsMillis: millis(CURLINFO_APPCONNECT_TIME_T), answerMillis: millis(CURLINFO_STARTTRANSFER_TIME_T),
            remote: address.isEmpty ? nil : address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)",
            tlsFacts: response.tlsFacts)
    }

    /// libcurl's own account of the connection. The collector counts what goes out (`CURLINFO_REQUEST_SIZE` counts a body
    /// or not, depending on its size and on libcurl's version) and keeps what is about TLS.
    func setAccount(_ response: ResponseCollector) {
        ccurl_set_pointer(handle, CURLOPT_DEBUGDATA, Unmanaged.passUnretained(response).toOpaque())
        ccurl_set_debug(handle) { _, kind, bytes, count, context in
            switch kind {
            case CURLINFO_TEXT:
                CurlExchange.collector(context)?.takeAccount(UnsafeRawBufferPointer(start: bytes, count: count))
            case CURLINFO_HEADER_OUT, CURLINFO_DATA_OUT: CurlExchange.collector(context)?.bytesUp += Int64(count)
            default: break
            }
            return 0
        }
        ccurl_set_long(handle, CURLOPT_VERBOSE, 1)
    }
}

/// Scheme, host and port: what credentials may not leave.
struct Origin: Equatable {
    var scheme: String
    var host: String
    var port: String

    init?(_ url: String) {
        guard let parsed = curl_url() else { return nil }
        defer { curl_url_cleanup(parsed) }
        guard curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK,
            let scheme = Self.part(parsed, CURLUPART_SCHEME), let host = Self.part(parsed, CURLUPART_HOST),
            let port = Self.part(parsed, CURLUPART_PORT)
        else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
    }

    private static func part(_ url: OpaquePointer, _ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
