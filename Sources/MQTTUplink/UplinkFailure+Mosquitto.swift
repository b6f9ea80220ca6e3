import CMosquitto
import Glibc
import Ports

extension UplinkFailure {
    static let unreadableCredential = UplinkFailure(
        code: .badRequest,
        cause: "A broker takes name and password from an Authorization: Basic header, the base64 of NAME:PASSWORD, and "
            + "this one is none: correct it.")

    static func timeout(_ what: String) -> UplinkFailure {
        UplinkFailure(code: .timeout, cause: "\(what): the link is slow or the broker hangs; it will be tried again.")
    }

    /// What a result of libmosquitto means to the operator (libmosquitto(3)).
    /// - Parameters:
    ///   - systemError: errno of that moment, which says more where the result is `MOSQ_ERR_ERRNO`.
    ///   - complaint: what the library said last, which says more where the result is about TLS.
    init(mosquitto code: Int32, systemError: Int32 = 0, complaint: String? = nil) {
        let kind: Code =
            switch mosq_err_t(rawValue: code) {
            // With TLS 1.3 a broker refuses our certificate only after the handshake; the library says EPROTO for what
            // OpenSSL cannot read.
            case _ where complaint?.contains(" alert ") == true: .tls
            case MOSQ_ERR_ERRNO where systemError == EPROTO: .tls
            case MOSQ_ERR_EAI: .name
            case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE: .tls
            case MOSQ_ERR_INVAL, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_MALFORMED_UTF8: .badRequest
            case MOSQ_ERR_KEEPALIVE: .timeout
            case MOSQ_ERR_CONN_LOST, MOSQ_ERR_PROTOCOL: .cut
            default: .connect
            }
        let words =
            switch (kind, complaint) {
            case (.tls, let complaint?): complaint
            default:
                code == MOSQ_ERR_ERRNO.rawValue
                    ? String(cString: strerror(systemError)) : String(cString: mosquitto_strerror(code))
            }
        self.init(code: kind, cause: "\(words): \(Self.remedy(kind))")
    }

    private static func remedy(_ kind: Code) -> String {
        switch kind {
        case .name: "check the network and the host name in the address."
        case .connect: "check that the broker is up and that address and port are right."
        case .tls:
            "check the clock of this device, then that the broker's certificate is trusted here (upload.caFile) and ours "
                + "there (upload.clientCertificate)."
        case .timeout: "the link is slow or the broker hangs; it will be tried again."
        case .cut:
            "check that an MQTT broker serves this address, and whether it demands a certificate "
                + "(upload.clientCertificate)."
        case .badRequest, .tlsFiles: "correct the address, or upload.caFile."
        }
    }
}
