public import Ports

/// HTTP and HTTPS over libcurl, one exchange at a time on a thread of its own.
///
/// TLS 1.2 or newer with peer and host verified; no redirect to another origin is followed, no proxy, cookie or `.netrc`
/// used, so that credentials go where the request says and nowhere else. The connection is kept for the next exchange.
public final class CurlUplink: Uplink {
    private let uplink: ThreadedUplink

    /// - Parameters:
    ///   - userAgent: product/version; no CR or LF.
    public convenience init(reactor: any Reactor, userAgent: String, tls: TLSFiles = TLSFiles()) {
        self.init(reactor: reactor, limits: CurlExchange.Limits(userAgent: userAgent, tls: tls))
    }

    init(reactor: any Reactor, limits: CurlExchange.Limits) {
        uplink = ThreadedUplink(reactor: reactor) { CurlWorker(results: $0, limits: limits) }
    }

    /// After `close` this does nothing.
    public func start(_ request: UplinkRequest, finished: @escaping (UplinkReport) -> Void) {
        uplink.start(request, finished: finished)
    }

    /// Returns when the thread has ended: at once when idle, within about a second of a hanging exchange (libcurl asks
    /// its progress callback once a second).
    public func close() { uplink.close() }
}
