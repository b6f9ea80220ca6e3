import CCurl
import Ports

extension UplinkFailure {
    /// What a libcurl result means to the operator (libcurl-errors(3)).
    /// - Parameter detail: libcurl's own words, which name host and port but no header; may be empty.
    init(curl code: CURLcode, detail: String) {
        // libcurl takes headers that end with the connection for an answer; this uplink does not.
        let ownWords =
            code == CURLE_OK ? "The answer ended inside its headers" : String(cString: curl_easy_strerror(code))
        let words = detail.isEmpty ? ownWords : detail
        // With TLS 1.3 the server refuses our certificate only after the handshake, in the place of an answer.
        let kind = words.contains(" alert ") ? .tls : Self.kind(code)
        let remedy = kind == .tls ? Self.tlsRemedy(code, words) : Self.remedy(kind)
        self.init(code: kind, cause: "\(words) (curl \(code.rawValue)): \(remedy)")
    }

    private static func kind(_ code: CURLcode) -> Code {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .name
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY: .connect
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT:
            .tls
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: .badRequest
        // Half an answer, no answer, or bytes that are no HTTP.
        default: .cut
        }
    }

    private static func remedy(_ kind: Code) -> String {
        switch kind {
        case .name: "check the network and the host name in the address."
        case .connect: "check that the server is up and that address and port are right."
        case .timeout: "the link is slow or the server hangs; it will be tried again."
        case .cut: "no complete HTTP answer came; check what serves this address."
        case .badRequest, .tls, .tlsFiles: "correct the address."
        }
    }
}
