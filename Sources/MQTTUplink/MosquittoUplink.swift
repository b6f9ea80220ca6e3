import Glibc
public import Ports

/// MQTT 3.1.1 over libmosquitto: each request is one message of QoS 1, and its answer is 200 once the broker has confirmed
/// it. A name or password that the broker refuses is answered with 401 or 403, as a web server would.
///
/// One thread of its own. The connection is kept for the next request; a broken one is not mended but made anew, with the
/// request that needs it, so that the queue alone decides what is sent again.
public final class MosquittoUplink: Uplink {
    private let worker: MQTTWorker
    private let results: Mailbox<UplinkReport>
    private let inbox: Inbox
    private var thread: pthread_t?
    private var isClosed = false

    /// What the loop still has to call, in the order of the requests.
    private final class Inbox {
        var waiting: [(UplinkReport) -> Void] = []
        var results: Mailbox<UplinkReport>?

        func deliver() {
            for result in results?.takeAll() ?? [] where !waiting.isEmpty { waiting.removeFirst()(result) }
        }
    }

    public init(reactor: any Reactor, account: MQTTAccount) {
        let inbox = Inbox()
        results = Mailbox(signal: reactor.makeSignal { [weak inbox] in inbox?.deliver() })
        inbox.results = results
        self.inbox = inbox
        worker = MQTTWorker(results: results, account: account)
        thread = worker.start()
    }

    deinit { close() }

    /// `url` is an `MQTTAddress`; an `Authorization: Basic` header is name and password; method and the other headers mean
    /// nothing here. A request to be explained (`isExplained`) connects and publishes nothing. After `close` this does
    /// nothing.
    public func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void) {
        guard !isClosed else { return }
        inbox.waiting.append(finished)
        if thread == nil {
            results.post(UplinkReport(.failed(.unavailable)))
        } else {
            worker.jobs.put(request)
        }
    }

    /// Returns when the thread has ended: at once, unless it is looking up a name.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        inbox.waiting = []
        worker.jobs.close()
        if let thread { pthread_join(thread, nil) }
        thread = nil
    }
}
