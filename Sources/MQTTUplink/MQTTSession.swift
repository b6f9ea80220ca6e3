import CMosquitto
import Glibc
import Ports

/// One connection to a broker, used by the worker thread alone. It is not used again after it broke: the library would
/// send what it still holds a second time, and so would the queue.
final class MQTTSession {
    /// What a connection is made for; another needs a new one.
    struct Peer: Equatable {
        var address: MQTTAddress
        var topic: String
        var credential: BasicCredential?
    }

    let peer: Peer
    private let handle: OpaquePointer
    /// What the broker answered to CONNECT; 0 is yes (MQTT 3.1.1 §3.2.2.3).
    private(set) var connectAnswer: Int32?
    /// Of the message that was published last, once the broker has confirmed it. Ids come again after 65 535 messages, so
    /// older ones must not be remembered.
    private(set) var confirmedID: Int32?
    /// Why the connection ended, in the library's numbers.
    private(set) var endedBy: Int32?
    /// The library's last words on an error; those on TLS are in no result.
    private var complaint: String?
    /// The socket takes bytes but the library has none to give it yet, as while TLS is being agreed on.
    private var isHeldBack = false

    /// Once in the life of the process, before any handle.
    private static let isReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    /// - Throws: `UplinkFailure` when the settings are refused.
    init(_ peer: Peer, _ account: MQTTAccount) throws(UplinkFailure) {
        guard Self.isReady, let handle = mosquitto_new(account.clientID, true, nil) else { throw .noWorker }
        self.handle = handle
        self.peer = peer
        // From here on deinit frees the handle.
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks()
        try check(setWill())
        if let credential = peer.credential {
            try check(mosquitto_username_pw_set(handle, credential.user, credential.password))
        }
        if peer.address.isSecure { try secure(account.tls) }
        // The name is looked up here, which blocks; the connection itself is made while `turn` waits.
        let code = mosquitto_connect_async(
            handle, peer.address.host, Int32(peer.address.port), Int32(account.keepAliveSec))
        try check(code)
    }

    deinit { mosquitto_destroy(handle) }

    private func check(_ code: Int32) throws(UplinkFailure) {
        let systemError = errno
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw UplinkFailure(mosquitto: code, systemError: systemError, complaint: complaint)
    }

    /// What the broker publishes for us when the connection breaks without a good-bye.
    private func setWill() -> Int32 {
        let text = Array("{\"_type\":\"lwt\",\"tst\":\(time(nil))}".utf8)
        return text.withUnsafeBytes {
            mosquitto_will_set(handle, peer.topic, Int32($0.count), $0.baseAddress, 1, false)
        }
    }

    /// TLS 1.2 or newer with peer and host verified: the library's defaults.
    private func secure(_ files: TLSFiles) throws(UplinkFailure) {
        if let refusal = files.refusal { throw refusal }
        let isSystems = files.authorities.isEmpty
        let isShown = !files.certificate.isEmpty
        // Without a pass phrase OpenSSL would ask for one on the terminal, and wait.
        try check(
            mosquitto_tls_set(
                handle, isSystems ? nil : files.authorities, isSystems ? "/etc/ssl/certs" : nil,
                isShown ? files.certificate : nil, isShown ? files.key : nil, { _, _, _, _ in 0 }))
    }

    private func setCallbacks() {
        mosquitto_connect_callback_set(handle) { _, context, answer in MQTTSession.of(context)?.connectAnswer = answer }
        mosquitto_publish_callback_set(handle) { _, context, id in MQTTSession.of(context)?.confirmedID = id }
        mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            MQTTSession.of(context)?.complaint = String(cString: text)
        }
        mosquitto_disconnect_callback_set(handle) { _, context, code in MQTTSession.of(context)?.endedBy = code }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MQTTSession? {
        context.map { Unmanaged<MQTTSession>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Hands one message over, to be confirmed by the broker: then `confirmedID` is the id returned here.
    func publish(_ payload: [UInt8]) throws(UplinkFailure) -> Int32 {
        confirmedID = nil
        var id: Int32 = 0
        let code = payload.withUnsafeBytes {
            mosquitto_publish(handle, &id, peer.topic, Int32(clamping: $0.count), $0.baseAddress, 1, false)
        }
        try check(code)
        return id
    }

    /// Waits for the broker or for `bell` to be readable, at most so long, and does what is due.
    /// - Throws: `UplinkFailure` when the connection is no more.
    func turn(bell: Int32, atMostMillis: Int32) throws(UplinkFailure) {
        let descriptor = mosquitto_socket(handle)
        guard descriptor >= 0 else {
            throw UplinkFailure(mosquitto: endedBy ?? MOSQ_ERR_CONN_LOST.rawValue, complaint: complaint)
        }
        let wantsWrite = mosquitto_want_write(handle) && !isHeldBack
        let most = isHeldBack ? min(atMostMillis, Self.heldBackMillis) : atMostMillis
        isHeldBack = false
        var polls = [
            pollfd(fd: descriptor, events: Int16(POLLIN | (wantsWrite ? POLLOUT : 0)), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polls, 2, most) >= 0 || errno == EINTR else { throw .noWorker }
        let ready = Int32(polls[0].revents)
        if ready & POLLOUT != 0 {
            try check(mosquitto_loop_write(handle, 1))
            isHeldBack = mosquitto_want_write(handle)
        }
        if ready & (POLLIN | POLLHUP | POLLERR) != 0 {
            let code = mosquitto_loop_read(handle, 1)
            // The broker's refusal has been taken down: it says more than this code.
            if code == MOSQ_ERR_CONN_REFUSED.rawValue, connectAnswer != nil { return }
            try check(code)
        }
        try check(mosquitto_loop_misc(handle))
    }

    private static let heldBackMillis: Int32 = 20

    /// Says good-bye, so that the broker does not publish the will.
    func end() {
        guard connectAnswer == 0, endedBy == nil else { return }
        mosquitto_disconnect(handle)
        mosquitto_loop_write(handle, 1)
    }
}
