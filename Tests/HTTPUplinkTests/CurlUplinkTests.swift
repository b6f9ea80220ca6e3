import CLinux
import Glibc
import Ports
import TestKit
import Testing
import TrackerModel

@testable import HTTPUplink

@Suite("One exchange over HTTP", .serialized)
struct CurlUplinkTests {
    private static func request(
        _ url: String, method: String = "POST", headers: [UplinkRequest.Header] = [], body: [UInt8] = [1],
        total: Int = 20
    ) -> UplinkRequest {
        UplinkRequest(
            url: url, method: method, headers: headers, body: body, connectTimeoutSec: 5, totalTimeoutSec: total)
    }

    /// The result of one request on an uplink of its own.
    private static func exchange(_ request: UplinkRequest, stallSec: Int = 30) -> UplinkResult? {
        let reactor = PumpedReactor()
        let limits = CurlExchange.Limits(userAgent: "tracker/1", stallSec: stallSec)
        let uplink = CurlUplink(reactor: reactor, limits: limits)
        defer { uplink.close() }
        return exchange(request, on: uplink, reactor)
    }

    private static func exchange(
        _ request: UplinkRequest, on uplink: CurlUplink, _ reactor: PumpedReactor
    ) -> UplinkResult? {
        var results: [UplinkResult] = []
        uplink.start(request) { results.append($0.result) }
        #expect(results.isEmpty, "never from inside start")
        _ = reactor.pump(seconds: 30) { !results.isEmpty }
        return results.first
    }

    private static func failure(_ result: UplinkResult?) -> UplinkFailure? {
        guard case .failed(let failure) = result else { return nil }
        #expect(failure.cause.hasSuffix("."))
        return failure
    }

    @Test("Method, headers and body arrive as they were given", arguments: ["POST", "PUT", "PATCH"])
    func verbatim(method: String) throws {
        let server = try ScriptedServer([.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")])
        defer { server.stop() }
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let headers = [
            UplinkRequest.Header(name: "Content-Type", value: "application/json; charset=utf-8"),
            UplinkRequest.Header(name: "Authorization", value: "Bearer a:b;c"),
            UplinkRequest.Header(name: "X-Empty", value: ""),
        ]
        let result = Self.exchange(Self.request(server.url, method: method, headers: headers, body: body))
        #expect(result == .answered(status: 200, retryAfter: nil, date: nil, body: Array("ok".utf8)))
        let request = try #require(server.requests.first)
        #expect(request.lines.first == "\(method) /points HTTP/1.1")
        #expect(request.lines.contains("Content-Type: application/json; charset=utf-8"))
        #expect(request.lines.contains("Authorization: Bearer a:b;c"))
        #expect(request.lines.contains("X-Empty:"))
        #expect(request.lines.contains("User-Agent: tracker/1"))
        #expect(request.lines.contains("Content-Length: 200000"))
        #expect(!request.lines.contains { $0.hasPrefix("Expect") || $0.hasPrefix("Accept-Encoding") })
        #expect(request.body == body)
    }

    @Test("A larger body is compressed when asked, a short or incompressible one is not")
    func compression() throws {
        let text = Array(String(repeating: "47.0500001,8.3000001;", count: 100).utf8)
        var random = SeededRandom(seed: 1)
        let noise = (0..<2_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for (body, isCompressed) in [(text, true), (Array(text.prefix(1_023)), false), (noise, false)] {
            let server = try ScriptedServer([.text("HTTP/1.1 204 No Content\r\n\r\n")])
            defer { server.stop() }
            var request = Self.request(server.url, body: body)
            request.gzipsBody = true
            #expect(Self.exchange(request) == .answered(status: 204, retryAfter: nil, date: nil, body: []))
            let arrived = try #require(server.requests.first)
            #expect(arrived.lines.contains("Content-Encoding: gzip") == isCompressed)
            #expect(arrived.lines.contains("Content-Length: \(arrived.body.count)"))
            if isCompressed {
                #expect(arrived.body.count < body.count / 5)
                // Magic, deflate, no flags, time 0 (RFC 1952 §2.3).
                #expect(arrived.body.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
                #expect(arrived.body == GzipBody.compressed(body), "the same bytes again")
            } else {
                #expect(arrived.body == body)
            }
        }
    }

    @Test("An empty body is sent as an empty body, without a type nobody gave")
    func emptyBody() throws {
        let server = try ScriptedServer([.text("HTTP/1.1 204 No Content\r\n\r\n")])
        defer { server.stop() }
        let result = Self.exchange(Self.request(server.url, body: []))
        #expect(result == .answered(status: 204, retryAfter: nil, date: nil, body: []))
        let request = try #require(server.requests.first)
        #expect(request.lines.contains("Content-Length: 0"))
        #expect(!request.lines.contains { $0.hasPrefix("Content-Type") })
    }

    @Test("Status, Retry-After and Date of the last response are reported")
    func errorAnswer() throws {
        let server = try ScriptedServer([
            .text(
                "HTTP/1.1 100 Continue\r\nRetry-After: 1\r\nDate: never\r\n\r\n"
                    + "HTTP/1.1 500 Oops\r\nretry-after:  120 \r\nContent-Length: 4\r\n\r\nbusy")
        ])
        defer { server.stop() }
        let result = Self.exchange(Self.request(server.url))
        #expect(result == .answered(status: 500, retryAfter: "120", date: nil, body: Array("busy".utf8)))
    }

    @Test("A redirect is an answer, not a journey")
    func redirect() throws {
        let target = try ScriptedServer([.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")])
        defer { target.stop() }
        let server = try ScriptedServer([
            .text(
                "HTTP/1.1 302 Found\r\nLocation: \(target.url)\r\nDate: Tue, 15 Nov 1994 08:12:31 GMT\r\n"
                    + "Content-Length: 0\r\n\r\n")
        ])
        defer { server.stop() }
        let date = "Tue, 15 Nov 1994 08:12:31 GMT"
        let result = Self.exchange(Self.request(server.url))
        #expect(result == .answered(status: 302, retryAfter: nil, date: date, body: []))
        #expect(target.connections == 0)
    }

    @Test(
        "Of a long body 4 096 bytes are kept, and past 1 MiB the transfer is ended", arguments: [100_000, 50_000_000])
    func longBody(size: Int) throws {
        let head = Array("HTTP/1.1 413 Too Large\r\nContent-Length: \(size)\r\n\r\n".utf8)
        let server = try ScriptedServer([.bytes(head + [UInt8](repeating: 0x61, count: size))])
        defer { server.stop() }
        let kept = [UInt8](repeating: 0x61, count: 4_096)
        let result = Self.exchange(Self.request(server.url))
        #expect(result == .answered(status: 413, retryAfter: nil, date: nil, body: kept))
    }

    @Test("One connection serves exchange after exchange, and a server that closes it between two costs nothing")
    func reuse() throws {
        let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        let server = try ScriptedServer([.keepAlive(ok), .keepAlive(ok), .bytes(ok), .bytes(ok)])
        defer { server.stop() }
        let reactor = PumpedReactor()
        let uplink = CurlUplink(reactor: reactor, userAgent: "tracker/1")
        defer { uplink.close() }
        for expected in [1, 1, 1, 2] {
            let result = Self.exchange(Self.request(server.url), on: uplink, reactor)
            #expect(result == .answered(status: 200, retryAfter: nil, date: nil, body: []))
            #expect(server.connections == expected)
        }
    }

    @Test(
        "What is no complete HTTP answer is a cut",
        arguments: [
            "", "\u{1}\u{2}garbage that is no HTTP\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        ])
    func cut(bytes: String) throws {
        let server = try ScriptedServer([.text(bytes)])
        defer { server.stop() }
        let failure = Self.failure(Self.exchange(Self.request(server.url)))
        #expect(failure?.code == .cut, "\(failure?.cause ?? "answered")")
    }

    @Test("Nobody listening is a failure to connect that names the address")
    func refused() throws {
        let server = try ScriptedServer([.hang])
        server.stop()
        let failure = Self.failure(Self.exchange(Self.request(server.url)))
        #expect(failure?.code == .connect)
        #expect(failure?.cause.contains("\(server.port)") == true)
    }

    @Test("A name that does not resolve is a failure of the name")
    func unknownName() {
        let failure = Self.failure(Self.exchange(Self.request("http://nothing.invalid/points")))
        #expect(failure?.code == .name)
        #expect(failure?.cause.contains("nothing.invalid") == true)
    }

    @Test("A server without TLS at an https address is a failure of TLS")
    func noTLS() throws {
        let server = try ScriptedServer([.hang], greeting: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        defer { server.stop() }
        let failure = Self.failure(Self.exchange(Self.request("https://127.0.0.1:\(server.port)/")))
        #expect(failure?.code == .tls, "\(failure?.cause ?? "answered")")
    }

    @Test("An answer slower than the total time allowed is a timeout")
    func slow() throws {
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        let server = try ScriptedServer([.drip(bytes, pauseMillis: 100)])
        defer { server.stop() }
        let failure = Self.failure(Self.exchange(Self.request(server.url, total: 1)))
        #expect(failure?.code == .timeout)
    }

    @Test("Silence for the stall time is a timeout, long before the total time")
    func stalled() throws {
        let server = try ScriptedServer([.hang])
        defer { server.stop() }
        let start = linux_clock_nanos(CLOCK_BOOTTIME)
        let failure = Self.failure(Self.exchange(Self.request(server.url, total: 60), stallSec: 2))
        #expect(failure?.code == .timeout)
        #expect(linux_clock_nanos(CLOCK_BOOTTIME) - start < 10_000_000_000)
    }

    @Test("Closing ends a hanging exchange promptly, and its end is not reported")
    func closeDuringExchange() throws {
        let server = try ScriptedServer([.hang])
        defer { server.stop() }
        let reactor = PumpedReactor()
        let uplink = CurlUplink(reactor: reactor, userAgent: "tracker/1")
        var isReported = false
        uplink.start(Self.request(server.url)) { _ in isReported = true }
        #expect(reactor.pump(seconds: 5) { !server.requests.isEmpty })
        let start = linux_clock_nanos(CLOCK_BOOTTIME)
        uplink.close()
        #expect(linux_clock_nanos(CLOCK_BOOTTIME) - start < 3_000_000_000)
        uplink.start(Self.request(server.url)) { _ in isReported = true }
        #expect(!reactor.pump(seconds: 0.1) { isReported })
        uplink.close()
    }

    @Test("An uplink that is let go ends its thread")
    func released() {
        let reactor = PumpedReactor()
        for _ in 0..<20 {
            let uplink = CurlUplink(reactor: reactor, userAgent: "tracker/1")
            uplink.start(Self.request("file:///")) { _ in }
        }
    }

    static let badRequests: [UplinkRequest] = [
        request("http://127.0.0.1:PORT/", headers: [.init(name: "X", value: "secret\r\nEvil: 1")]),
        request("http://127.0.0.1:PORT/", headers: [.init(name: "X", value: "secret\u{0}")]),
        request("http://127.0.0.1:PORT/", headers: [.init(name: "X\nEvil", value: "secret")]),
        request("http://127.0.0.1:PORT/", headers: [.init(name: "", value: "secret")]),
        request("http://127.0.0.1:PORT/", headers: [.init(name: "X Y", value: "secret")]),
        request("http://127.0.0.1:PORT/", headers: [.init(name: "content-length", value: "5")]),
        request("http://127.0.0.1:PORT/", method: "GET"),
        request("http://127.0.0.1:PORT/", method: "POST / HTTP/1.1\r\nX: y"),
        request("http://127.0.0.1:PORT/a b"), request("http://127.0.0.1:PORT/\r\nX"), request("127.0.0.1:PORT"),
        request("/points"), request(""), request("ftp://127.0.0.1:PORT/"), request("file:///etc/passwd"),
        request("http://"), request("http://127.0.0.1:99999/"),
    ]

    @Test("What HTTP does not allow is refused and nothing is sent", arguments: 0..<badRequests.count)
    func badRequest(index: Int) throws {
        let server = try ScriptedServer([.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")])
        defer { server.stop() }
        var request = Self.badRequests[index]
        if let range = request.url.firstRange(of: "PORT") { request.url.replaceSubrange(range, with: "\(server.port)") }
        let failure = Self.failure(Self.exchange(request))
        #expect(failure?.code == .badRequest, "\(request.url.debugDescription)")
        #expect(failure?.cause.contains("secret") == false)
        #expect(server.connections == 0)
    }
}
