import CCurl
import Foundation
import Ports
import Synchronization
import TestKit
import Testing

@testable import HTTPUplink

@Suite(
    "Certificates of servers", .serialized,
    .enabled(if: TestCertificate.isAvailable, "skipped: no openssl"))
struct TrustTests {
    private static func openssl(_ arguments: [String], _ input: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: TestCertificate.tool)
        process.arguments = arguments
        if let input { process.standardInput = input }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func exchange(_ url: String, caFile: String) -> UplinkResult? {
        exchange(url, CurlExchange.Limits(userAgent: "tracker/1", tls: TLSFiles(authorities: caFile)))
    }

    private static func exchange(_ url: String, _ limits: CurlExchange.Limits) -> UplinkResult? {
        let reactor = PumpedReactor()
        let uplink = CurlUplink(reactor: reactor, limits: limits)
        defer { uplink.close() }
        var result: UplinkResult?
        let request = UplinkRequest(
            url: url, method: "POST", headers: [], body: [1], connectTimeoutSec: 5, totalTimeoutSec: 20)
        uplink.start(request) { result = $0.result }
        _ = reactor.pump(seconds: 30) { result != nil }
        return result
    }

    @Test("A file that is missing, and a key that others can read or change, are told before anything is tried")
    func files() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID().uuidString)").path
        try #require(FileManager.default.createFile(atPath: path, contents: Data("x".utf8)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (mode, isFit) in [(0o600, true), (0o640, true), (0o604, false), (0o660, false), (0o644, false)] {
            chmod(path, mode_t(mode))
            let refusal = TLSFiles(certificate: "/dev/null", key: path).refusal
            #expect((refusal == nil) == isFit && refusal?.cause.contains("chmod") != false, "\(mode)")
            #expect(TLSFiles(authorities: path).refusal == nil, "who is trusted is no secret")
        }
        let missing = TLSFiles(authorities: "/nowhere/ca.pem").refusal
        #expect(missing?.code == .tlsFiles && missing?.cause.contains("/nowhere/ca.pem") == true)
        let server = try ScriptedServer([.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")])
        defer { server.stop() }
        #expect(
            Self.exchange("https://127.0.0.1:\(server.port)/", caFile: "/nowhere/ca.pem")
                == .failed(UplinkFailure(code: .tlsFiles, cause: "")))
        #expect(server.connections == 0)
        let plain = Self.exchange(server.url, caFile: "/nowhere/ca.pem")
        #expect(plain == .answered(status: 200, retryAfter: nil, date: nil, body: []), "http needs none")
    }

    @Test(
        "What to do follows what went wrong",
        arguments: [
            (CURLE_PEER_FAILED_VERIFICATION, "certificate has expired", "check the clock"),
            (CURLE_PEER_FAILED_VERIFICATION, "no alternative certificate subject name matches", "another host's"),
            (CURLE_SSL_CONNECT_ERROR, "tlsv1 alert protocol version", "TLS 1.2 or newer"),
            (CURLE_SSL_CONNECT_ERROR, "Connection reset by peer in connection to x", "it will be tried again"),
            (CURLE_SSL_CERTPROBLEM, "could not load PEM client certificate", "belong together"),
            (CURLE_SSL_CACERT_BADFILE, "error setting certificate file", "upload.caFile"),
            (CURLE_RECV_ERROR, "OpenSSL SSL_read: tlsv13 alert certificate required", "upload.clientCertificate"),
            (CURLE_SSL_CONNECT_ERROR, "wrong version number", "https server"),
        ] as [(CURLcode, String, String)])
    func remedies(code: CURLcode, words: String, remedy: String) {
        let failure = UplinkFailure(curl: code, detail: words)
        #expect(failure.code == .tls && failure.cause.contains(words) && failure.cause.contains(remedy))
    }

    @Test(
        "A 400 about the connection is a failure of it, which the server tells, and any other is an answer",
        arguments: [
            ("<title>400 No required SSL certificate was sent</title>", UplinkFailure.Code.tls, "upload.clientKey"),
            ("<title>400 The SSL certificate error</title>", .tls, "upload.clientKey"),
            ("<center>The plain HTTP request was sent to HTTPS port</center>", .badRequest, "https://"),
        ])
    func refusedConnection(page: String, code: UplinkFailure.Code, remedy: String) {
        let failure = UplinkFailure.refusedConnection(Array(page.utf8))
        #expect(failure?.code == code && failure?.isAnswer == true && failure?.cause.contains(remedy) == true)
        #expect(UplinkFailure.refusedConnection(Array("{\"error\":\"latitude\"}".utf8)) == nil)
    }

    /// A server with a certificate of its own, which it shows until the test ends.
    private final class Server {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID().uuidString)").path
        // Below the ports that the system gives away.
        let port = UInt16.random(in: 10_000...30_000)
        private let input = Pipe()
        private let process: Process

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in ["own", "other"] {
                try TestCertificate.make("\(folder)/\(name).pem", key: "\(folder)/\(name).key")
            }
            process = try openssl(
                [
                    "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", "\(folder)/own.pem", "-key",
                    "\(folder)/own.key",
                ], input)
        }

        var url: String { "https://localhost:\(port)/points" }

        /// Answers whoever comes while `work` runs: a client that refuses the certificate takes an answer too.
        func answering(_ work: () -> UplinkResult?) -> UplinkResult? {
            let isDone = Mutex(false)
            let thread = Thread { [input] in
                while !isDone.withLock({ $0 }) {
                    input.fileHandleForWriting.write(Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
                    usleep(100_000)
                }
            }
            thread.start()
            defer { isDone.withLock { $0 = true } }
            return work()
        }

        deinit {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private static func isRefused(_ result: UplinkResult?) -> Bool {
        guard case .failed(let failure) = result, failure.code == .tls else { return false }
        return failure.cause.contains("upload.caFile")
    }

    /// The first exchange with a server, which may not listen yet.
    private static func firstExchange(_ url: String, _ limits: CurlExchange.Limits) -> UplinkResult? {
        var result: UplinkResult?
        for _ in 0..<100 {
            result = exchange(url, limits)
            guard case .failed(let failure) = result, failure.code == .connect else { break }
            usleep(50_000)
        }
        return result
    }

    private static let accepted = UplinkResult.answered(status: 200, retryAfter: nil, date: nil, body: [])

    @Test("With upload.caFile a server of one's own authority is trusted, and nobody else is")
    func caFile() throws {
        let server = try Server()
        let stranger = Self.firstExchange(server.url, CurlExchange.Limits(userAgent: "tracker/1"))
        #expect(Self.isRefused(stranger), "the system does not know it: \(String(describing: stranger))")
        #expect(Self.isRefused(Self.exchange(server.url, caFile: server.folder + "/other.pem")))
        let trusted = server.answering { Self.exchange(server.url, caFile: server.folder + "/own.pem") }
        #expect(trusted == Self.accepted)
    }

    @Test("Of the system's authorities the folder is enough; where it has no names by hash, the bundle is read")
    func systemAuthorities() throws {
        let server = try Server()
        var limits = CurlExchange.Limits(userAgent: "tracker/1")
        limits.systemFolder = server.folder
        limits.systemBundle = server.folder + "/other.pem"
        #expect(Self.isRefused(Self.firstExchange(server.url, limits)), "in neither")
        limits.systemBundle = server.folder + "/own.pem"
        #expect(server.answering { Self.exchange(server.url, limits) } == Self.accepted, "in the bundle")
        try Self.openssl(["rehash", server.folder]).waitUntilExit()
        // A bundle that is read would end the exchange.
        limits.systemBundle = "/nowhere/bundle.pem"
        #expect(server.answering { Self.exchange(server.url, limits) } == Self.accepted, "in the folder")
    }
}
