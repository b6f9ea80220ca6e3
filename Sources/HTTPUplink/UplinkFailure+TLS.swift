import CCurl
import Ports

extension UplinkFailure {
    /// nginx answers 400 to a connection without the client certificate that it demands, or with one that it does not
    /// trust, and to one without TLS where it wants TLS (`ngx_http_special_response.c`, pages 495 to 497). No point is at
    /// fault then, and none may be looked for.
    /// - Parameter body: the start of an answer of 400.
    static func refusedConnection(_ body: [UInt8]) -> UplinkFailure? {
        let page = String(decoding: body, as: UTF8.self)
        let known: [(words: String, code: Code, remedy: String)] = [
            ("No required SSL certificate was sent", .tls, clientRemedy),
            ("The SSL certificate error", .tls, clientRemedy),
            ("The plain HTTP request was sent to HTTPS port", .badRequest, "write the address with https://."),
        ]
        return known.first { page.contains($0.words) }.map { words, code, remedy in
            UplinkFailure(code: code, cause: "The server answered 400, \(words): \(remedy)", isAnswer: true)
        }
    }

    private static let clientRemedy =
        "the server wants a certificate of this device that it trusts; check upload.clientCertificate and "
        + "upload.clientKey."

    /// What to do about words of OpenSSL and libcurl on a connection without TLS.
    static func tlsRemedy(_ code: CURLcode, _ words: String) -> String {
        func says(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
        if code == CURLE_SSL_CERTPROBLEM {
            return "check that upload.clientCertificate and upload.clientKey are PEM and belong together."
        }
        if code == CURLE_SSL_CACERT_BADFILE { return "check that upload.caFile holds certificates in PEM." }
        if says("protocol version", "unsupported protocol") { return "the server must offer TLS 1.2 or newer." }
        // An alert is the server's word on us (RFC 8446 §6).
        if says(" alert ") { return clientRemedy }
        if says("not yet valid", "expired") { return "check the clock of this device, then the server's certificate." }
        if says("subject name", "hostname") {
            return "the certificate is another host's; check the address, then the server's certificate."
        }
        if says("reset by peer", "SYSCALL", "unexpected eof") {
            return "the server ended the connection before TLS was agreed on; it will be tried again."
        }
        return "check that the address is an https server and that its certificate is trusted here (upload.caFile)."
    }
}
