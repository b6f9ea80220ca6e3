import Glibc
public import Ports

/// HTTP and HTTPS over libcurl, one exchange at a time on a thread of its own.
///
/// TLS 1.2 or newer with peer and host verified; no redirect to another origin is followed, no proxy, cookie or `.netrc`
/// used, so that credentials go where the request says and nowhere else. The connection is kept for the next exchange.
public final class CurlUplink: Uplink {
    private let worker: UplinkWorker
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

    /// - Parameters:
    ///   - userAgent: product/version; no CR or LF.
    ///   - caFile: the certificates to trust, instead of the system's unless empty.
    public convenience init(reactor: any Reactor, userAgent: String, caFile: String = "") {
        self.init(reactor: reactor, limits: CurlExchange.Limits(userAgent: userAgent, caFile: caFile))
    }

    init(reactor: any Reactor, limits: CurlExchange.Limits) {
        let inbox = Inbox()
        results = Mailbox(signal: reactor.makeSignal { [weak inbox] in inbox?.deliver() })
        inbox.results = results
        self.inbox = inbox
        worker = UplinkWorker(results: results, limits: limits)
    }

    deinit { close() }

    /// After `close` this does nothing.
    public func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void) {
        guard !isClosed else { return }
        inbox.waiting.append(finished)
        // The thread costs nothing where nothing is sent.
        if thread == nil { thread = worker.start() }
        if thread == nil {
            results.post(UplinkReport(.failed(CurlExchange.unavailable)))
        } else {
            worker.jobs.put(request)
        }
    }

    /// Returns when the thread has ended: at once when idle, within about a second of a hanging exchange (libcurl asks
    /// its progress callback once a second).
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        inbox.waiting = []
        worker.jobs.close()
        if let thread { pthread_join(thread, nil) }
        thread = nil
    }
}
