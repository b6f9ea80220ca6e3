public import Ports

/// MQTT 3.1.1 over libmosquitto: each request is one message of QoS 1, and its answer is 200 once the broker has confirmed
/// it. A name or password that the broker refuses is answered with 401 or 403, as a web server would.
///
/// One thread of its own. The connection is kept for the next request; a broken one is not mended but made anew, with the
/// request that needs it, so that the queue alone decides what is sent again.
public final class MosquittoUplink: Uplink {
    private let uplink: ThreadedUplink

    public init(reactor: any Reactor, account: MQTTAccount) {
        uplink = ThreadedUplink(reactor: reactor) { MQTTWorker(results: $0, account: account) }
    }

    /// `url` is an `MQTTAddress`; an `Authorization: Basic` header is name and password; method and the other headers mean
    /// nothing here. A request to be explained (`isExplained`) connects and publishes nothing. After `close` this does
    /// nothing.
    public func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void) {
        uplink.start(request, finished: finished)
    }

    /// Returns when the thread has ended: at once, unless it is looking up a name.
    public func close() { uplink.close() }
}
