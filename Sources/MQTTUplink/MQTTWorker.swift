import CMosquitto
import Glibc
import Ports

/// The thread that talks to the broker.
final class MQTTWorker: UplinkWorker {
    private let jobs = JobBox()
    var bell: Int32 { jobs.bell }
    private let results: Mailbox<UplinkReport>
    private let account: MQTTAccount
    /// Often enough for the library to keep a connection alive in time: it asks the broker at the first wake-up after
    /// `keepAliveSec` without a word, and the broker waits for 1.5 times as long (MQTT 3.1.1 §3.1.2.10). A third leaves
    /// room for the wake-up that comes just too early.
    private let idleMillis: Int32

    /// `nil` when the system has no descriptor for the bell: without it the thread would sleep for ever.
    init?(results: Mailbox<UplinkReport>, account: MQTTAccount) {
        self.results = results
        self.account = account
        idleMillis = Int32(clamping: account.keepAliveSec * 1_000 / 3)
        if jobs.bell < 0 { return nil }
    }

    func put(_ request: UplinkRequest) { jobs.put(request) }

    func close() { jobs.close() }

    func run() {
        var session: MQTTSession?
        var lastUse = Self.nowMillis()
        while !jobs.isClosing {
            if let request = jobs.take() {
                let result = perform(request, &session)
                lastUse = Self.nowMillis()
                if !jobs.isClosing { results.post(result) }
            } else if session != nil, Self.nowMillis() - lastUse >= Int64(account.idleLimitSec) * 1_000 {
                session?.end()
                session = nil
            } else {
                idle(&session)
            }
        }
        session?.end()
    }

    /// Keeps the connection while nothing is asked for; when it breaks, the next request makes another.
    private func idle(_ session: inout MQTTSession?) {
        if let live = session {
            do throws(UplinkFailure) { try live.turn(bell: jobs.bell, atMostMillis: idleMillis) } catch {
                session = nil
            }
        } else {
            var entry = pollfd(fd: jobs.bell, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
        }
    }

    /// One message, with a connection first if there is none; returns when the broker has confirmed it.
    private func perform(_ request: UplinkRequest, _ session: inout MQTTSession?) -> UplinkReport {
        guard let address = MQTTAddress(request.url) else {
            return UplinkReport(
                .failed(UplinkFailure(code: .badRequest, cause: "The address is no mqtt:// URL: correct it.")))
        }
        let credential = BasicCredential(request.headers)
        if credential == nil, BasicCredential.isMeant(by: request.headers) {
            return UplinkReport(.failed(.unreadableCredential))
        }
        let peer = MQTTSession.Peer(address: address, topic: address.topic ?? account.topic, credential: credential)
        // What is to be explained is how a connection comes about: one that is there already shows nothing.
        if request.isExplained || session?.peer != peer {
            session?.end()
            session = nil
        }
        do throws(UplinkFailure) {
            let live: MQTTSession
            if let session { live = session } else { live = try MQTTSession(peer, account) }
            session = live
            if let refusal = try connect(live, within: request.connectTimeoutSec) {
                session = nil
                return UplinkReport(refusal)
            }
            let connected = UplinkReport(.answered(status: 200, retryAfter: nil, date: nil, body: []))
            if request.isExplained { return connected }
            let id = try live.publish(request.body)
            try wait(live, seconds: request.totalTimeoutSec, "The broker did not confirm in time") {
                live.confirmedID == id
            }
            var report = connected
            report.bytesUp = Int64(Self.publishBytes(topic: peer.topic, payload: request.body))
            report.bytesDown = Self.confirmationBytes
            return report
        } catch {
            session = nil
            return UplinkReport(.failed(error))
        }
    }

    /// PUBACK (MQTT 3.1.1 §3.4).
    private static let confirmationBytes: Int64 = 4

    /// PUBLISH with QoS 1 (MQTT 3.1.1 §3.3): type, length of the rest in groups of seven bits, topic with its length,
    /// packet id, payload.
    private static func publishBytes(topic: String, payload: [UInt8]) -> Int {
        let rest = 2 + topic.utf8.count + 2 + payload.count
        return 1 + (rest < 128 ? 1 : rest < 16_384 ? 2 : rest < 2_097_152 ? 3 : 4) + rest
    }

    /// `nil` once the broker has let us in.
    private func connect(_ live: MQTTSession, within seconds: Int) throws(UplinkFailure) -> UplinkResult? {
        try wait(live, seconds: seconds, "The broker did not answer in time") { live.connectAnswer != nil }
        switch live.connectAnswer {
        case 0: return nil
        // Bad name or password, and not authorised (MQTT 3.1.1 §3.2.2.3), are what 401 and 403 are to a web server.
        case 4: return .answered(status: 401, retryAfter: nil, date: nil, body: [])
        case 5: return .answered(status: 403, retryAfter: nil, date: nil, body: [])
        case let answer:
            let words = String(cString: mosquitto_connack_string(answer ?? 0))
            return .failed(UplinkFailure(code: .connect, cause: "\(words): check the broker."))
        }
    }

    private func wait(
        _ live: MQTTSession, seconds: Int, _ complaint: String, until isDone: () -> Bool
    ) throws(UplinkFailure) {
        let end = Self.nowMillis() + Int64(max(1, seconds)) * 1_000
        while !isDone() {
            let left = end - Self.nowMillis()
            guard left > 0 else { throw .timeout(complaint) }
            guard !jobs.isClosing else { throw .timeout("The tracker is stopping") }
            try live.turn(bell: jobs.bell, atMostMillis: Int32(clamping: left))
            // It rings to close, or for a request that has its turn after this one: ringing on, it would let nobody sleep.
            jobs.hush()
        }
    }

    private static func nowMillis() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }
}
