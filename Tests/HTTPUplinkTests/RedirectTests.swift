import CLinux
import Glibc
import Ports
import TestKit
import Testing

@testable import HTTPUplink

@Suite("Redirects, and what an exchange tells of itself", .serialized)
struct RedirectTests {
    private static let ok = ScriptedServer.Answer.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    private static func moved(_ status: Int, _ place: String) -> ScriptedServer.Answer {
        .text("HTTP/1.1 \(status) Moved\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n")
    }

    private static func report(_ url: String, isExplained: Bool = false) -> UplinkReport? {
        let reactor = PumpedReactor()
        let uplink = CurlUplink(reactor: reactor, userAgent: "tracker/1")
        defer { uplink.close() }
        var request = UplinkRequest(
            url: url, method: "PUT", headers: [.init(name: "X-Token", value: "secret")], body: Array("points".utf8),
            connectTimeoutSec: 5, totalTimeoutSec: 20)
        request.isExplained = isExplained
        var reports: [UplinkReport] = []
        uplink.start(request) { reports.append($0) }
        _ = reactor.pump(seconds: 30) { !reports.isEmpty }
        return reports.first
    }

    private static func status(_ report: UplinkReport?) -> Int? {
        if case .answered(let status, _, _, _) = report?.result { status } else { nil }
    }

    @Test("Within the origin a redirect is followed with method, body and credential", arguments: [301, 302, 307, 308])
    func sameOrigin(status: Int) throws {
        let server = try ScriptedServer([Self.moved(status, "/new"), Self.ok])
        defer { server.stop() }
        #expect(Self.status(Self.report(server.url)) == 200)
        let last = try #require(server.requests.last)
        #expect(server.requests.count == 2 && last.lines.first == "PUT /new HTTP/1.1")
        #expect(last.lines.contains("X-Token: secret") && last.body == Array("points".utf8))
    }

    @Test("Three redirects are followed, a fourth is the answer")
    func most() throws {
        let server = try ScriptedServer([Self.moved(307, "/again")])
        defer { server.stop() }
        #expect(Self.status(Self.report(server.url)) == 307)
        #expect(server.requests.count == 4)
    }

    @Test("Another origin gets neither the points nor the credential (E-184, E-192)")
    func otherOrigin() throws {
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"
        let portal = try ScriptedServer([.text(page)])
        defer { portal.stop() }
        for place in [portal.url, "http://localhost:\(portal.port)/points", "//127.0.0.1:\(portal.port)/points"] {
            let server = try ScriptedServer([Self.moved(302, place)])
            #expect(Self.status(Self.report(server.url)) == 302, "\(place)")
            server.stop()
        }
        let secure = try ScriptedServer([Self.moved(302, "https://127.0.0.1/points")])
        #expect(Self.status(Self.report(secure.url)) == 302)
        secure.stop()
        #expect(portal.connections == 0)
    }

    @Test("See Other would turn the upload into a question, and a redirect without a place leads nowhere")
    func notFollowed() throws {
        let placeless = ScriptedServer.Answer.text("HTTP/1.1 307 Moved\r\nContent-Length: 0\r\n\r\n")
        let server = try ScriptedServer([Self.moved(303, "/new"), placeless])
        defer { server.stop() }
        #expect(Self.status(Self.report(server.url)) == 303)
        #expect(Self.status(Self.report(server.url)) == 307)
        #expect(server.requests.count == 2)
    }

    @Test("Bytes of both directions are counted, redirects included; the connection is told where it is asked for")
    func facts() throws {
        let server = try ScriptedServer([Self.moved(307, "/new"), Self.ok])
        defer { server.stop() }
        let report = try #require(Self.report(server.url, isExplained: true))
        let sent = server.requests.reduce(0) { $0 + $1.lines.reduce(2) { $0 + $1.utf8.count + 2 } + $1.body.count }
        #expect(report.bytesUp == Int64(sent))
        #expect(report.bytesDown > 80)
        #expect(report.connection?.remote == "127.0.0.1:\(server.port)")
        #expect(report.connection?.connectMillis != nil || report.connection?.answerMillis != nil)
        #expect(report.connection?.tlsFacts.isEmpty == true)
        #expect(Self.report(server.url)?.connection == nil)
    }

    @Test("Of libcurl's account only lines about TLS are kept: others repeat headers")
    func account() {
        let collector = ResponseCollector { false }
        let text = """
            * [HTTP/2] [1] [authorization: Bearer secret]
             SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384
             expire date: Dec 31 23:59:59 2026 GMT
            Server auth using Basic with user 'secret'

            """
        Array(text.utf8).withUnsafeBytes { collector.takeAccount($0) }
        #expect(collector.tlsFacts.count == 2 && !collector.tlsFacts.contains { $0.contains("secret") })
    }
}
