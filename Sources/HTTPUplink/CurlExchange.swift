import CCurl
import Glibc
import Ports

/// A libcurl handle, used by the worker thread alone and again for every exchange, so that connections and TLS
/// sessions are reused.
final class CurlExchange {
    struct Limits: Sendable {
        var userAgent: String
        var tls = TLSFiles()
        /// Whom the system trusts, in a folder and in a bundle; `nil`: where libcurl was built to look.
        var systemFolder: String?
        var systemBundle: String?
        /// Seconds without a byte in either direction before an exchange is given up (spec sync §4).
        var stallSec = 30
    }

    /// Once in the life of the process, before any handle.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    let handle: UnsafeMutableRawPointer
    private let limits: Limits
    private let isClosing: () -> Bool
    /// Whether the system's folder of certificates is not enough and its bundle is read as well.
    private var readsBundle = false
    /// libcurl's own words about the last failure.
    private let detail = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init?(limits: Limits, isClosing: @escaping () -> Bool) {
        guard Self.isReady, let handle = curl_easy_init() else {
            detail.deallocate()
            return nil
        }
        self.handle = handle
        self.limits = limits
        self.isClosing = isClosing
    }

    deinit {
        curl_easy_cleanup(handle)
        detail.deallocate()
    }

    private static let mostRedirects = 3

    /// Performs one exchange with its redirects and waits for its end.
    func perform(_ request: UplinkRequest) -> UplinkReport {
        if let refusal = request.refusal ?? (request.isSecure ? limits.tls.refusal : nil) {
            return UplinkReport(.failed(refusal))
        }
        var request = request
        if request.gzipsBody, let compressed = GzipBody.compressed(request.body) {
            request.body = compressed
            request.headers.append(.init(name: "Content-Encoding", value: "gzip"))
        }
        var whole = UplinkReport(.failed(.noWorker))
        for hop in 0...Self.mostRedirects {
            let step = performTrusting(request)
            whole.result = step.result
            whole.bytesUp += step.bytesUp
            whole.bytesDown += step.bytesDown
            whole.connection = whole.connection ?? step.connection
            if request.isExplained, case .failed(let failure) = step.result, failure.code == .tls {
                whole.connection?.tlsFacts = Self.certificateFacts(request, limits, isClosing)
            }
            guard hop < Self.mostRedirects, let target = redirect(step.result, from: request.url) else { break }
            request.url = target
            let spentSec = Int(clamping: ccurl_info_size(handle, CURLINFO_TOTAL_TIME_T) / 1_000_000)
            request.totalTimeoutSec = max(1, request.totalTimeoutSec - spentSec)
        }
        return whole
    }

    /// Of the folder, OpenSSL reads the one certificate that a server's is signed with. The bundle is 140 certificates, all
    /// parsed and kept: 0.8 MB more of memory of our own. So it is for a system whose folder does not have them by name
    /// hash (openssl-rehash(1)), which the first refusal shows.
    private func performTrusting(_ request: UplinkRequest) -> UplinkReport {
        let first = performOnce(request)
        guard case .failed = first.result, limits.tls.authorities.isEmpty, !readsBundle,
            ccurl_info_long(handle, CURLINFO_SSL_VERIFYRESULT) != 0
        else { return first }
        readsBundle = true
        var second = performOnce(request)
        second.bytesUp += first.bytesUp
        second.bytesDown += first.bytesDown
        return second
    }

    private func performOnce(_ request: UplinkRequest) -> UplinkReport {
        let response = ResponseCollector(isClosing: isClosing)
        let headers = headerList(request)
        defer { curl_slist_free_all(headers) }
        curl_easy_reset(handle)
        detail[0] = 0
        setBounds(request)
        setSecurity()
        if request.isExplained { makeNewConnection() }
        setSinks(response)
        setAccount(response)
        // A body of no bytes still needs an address: with none libcurl would ask for the body.
        let body = request.body.isEmpty ? [0] : request.body
        let code = body.withUnsafeBytes { bytes in
            setMessage(request, headers: headers, body: bytes)
            return curl_easy_perform(handle)
        }
        return withExtendedLifetime(response) {
            UplinkReport(
                outcome(code, response), bytesUp: response.bytesUp, bytesDown: bytesDown,
                connection: request.isExplained ? connection(response) : nil)
        }
    }

    private func outcome(_ code: CURLcode, _ response: ResponseCollector) -> UplinkResult {
        let isAnswered = code == CURLE_OK || (code == CURLE_WRITE_ERROR && response.isOverlong)
        guard isAnswered, response.isHeaderComplete else {
            return .failed(UplinkFailure(curl: code, detail: String(cString: detail)))
        }
        let status = ccurl_status(handle)
        if status == 400, let refusal = UplinkFailure.refusedConnection(response.body) { return .failed(refusal) }
        return .answered(
            status: status, retryAfter: response.retryAfter, date: response.date, body: response.body)
    }

    /// The list is the caller's to free. Values never leave it.
    private func headerList(_ request: UplinkRequest) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        func add(_ line: String) { list = curl_slist_append(list, line) ?? list }
        for header in request.headers {
            // libcurl's notation for a header without a value ends in a semicolon (CURLOPT_HTTPHEADER).
            add(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        // A name with nothing after the colon takes a header out that libcurl would add: waiting for `100 Continue`
        // costs a round trip and a second where nobody answers it; the form type is not what the body is.
        add("Expect:")
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { add("Content-Type:") }
        return list
    }

    private func setMessage(
        _ request: UplinkRequest, headers: UnsafeMutablePointer<curl_slist>?, body: UnsafeRawBufferPointer
    ) {
        ccurl_set_text(handle, CURLOPT_URL, request.url)
        ccurl_set_text(handle, CURLOPT_USERAGENT, limits.userAgent)
        ccurl_set_long(handle, CURLOPT_POST, 1)
        ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(request.body.count))
        ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: body.baseAddress))
        ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    }

    func setBounds(_ request: UplinkRequest) {
        // 0 would mean libcurl's own defaults: 300 s to connect, and no end.
        ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT, max(1, request.connectTimeoutSec))
        ccurl_set_long(handle, CURLOPT_TIMEOUT, max(1, request.totalTimeoutSec))
        ccurl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        ccurl_set_long(handle, CURLOPT_LOW_SPEED_TIME, limits.stallSec)
        ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // A resolver that hangs is left to end by itself instead of being waited for.
        ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
    }

    private func setSecurity() {
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        ccurl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1)
        ccurl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2)
        if limits.tls.authorities.isEmpty {
            if let folder = limits.systemFolder { ccurl_set_text(handle, CURLOPT_CAPATH, folder) }
            if let bundle = limits.systemBundle { ccurl_set_text(handle, CURLOPT_CAINFO, bundle) }
            if !readsBundle { ccurl_set_text(handle, CURLOPT_CAINFO, nil) }
        } else {
            ccurl_set_text(handle, CURLOPT_CAINFO, limits.tls.authorities)
            // The system's folder of certificates would be trusted beside the file.
            ccurl_set_text(handle, CURLOPT_CAPATH, nil)
        }
        if !limits.tls.certificate.isEmpty {
            ccurl_set_text(handle, CURLOPT_SSLCERT, limits.tls.certificate)
            ccurl_set_text(handle, CURLOPT_SSLKEY, limits.tls.key)
            // With none OpenSSL would ask for it on the terminal, and wait.
            ccurl_set_text(handle, CURLOPT_KEYPASSWD, "")
        }
        // Empty: the environment's proxy variables are not used either.
        ccurl_set_text(handle, CURLOPT_PROXY, "")
    }

    /// What is to be explained is how a connection comes about: a kept one, or a resumed session, shows half of it.
    private func makeNewConnection() {
        ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
        ccurl_set_long(handle, CURLOPT_SSL_SESSIONID_CACHE, 0)
    }

    private func setSinks(_ response: ResponseCollector) {
        let context = Unmanaged.passUnretained(response).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, detail)
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        ccurl_set_writer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let response = CurlExchange.collector(context) else { return 0 }
            let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return response.takeBody(part) ? part.count : 0
        }
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        ccurl_set_writer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            CurlExchange.collector(context)?.takeHeader(line)
            return line.count
        }
        ccurl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
        ccurl_set_progress(handle) { context, _, _, _, _ in
            CurlExchange.collector(context)?.isClosing() == false ? 0 : 1
        }
        ccurl_set_long(handle, CURLOPT_NOPROGRESS, 0)
    }

    static func collector(_ context: UnsafeMutableRawPointer?) -> ResponseCollector? {
        context.map { Unmanaged<ResponseCollector>.fromOpaque($0).takeUnretainedValue() }
    }
}
