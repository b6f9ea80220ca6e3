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

/// Asked by GnuTLS when it is loaded (`GNUTLS_SKIP_GLOBAL_INIT` of gnutls.h): it comes with libcurl's LDAP and RTMP, which
/// `CURLOPT_PROTOCOLS_STR` closes, and gets ready with 0.7 MB in every process that has libcurl. Needs to be exported by
/// the linker (Package.swift).
@_cdecl("_gnutls_global_init_skip")
public func skipsGnuTLS() -> Int32 { 1 }
