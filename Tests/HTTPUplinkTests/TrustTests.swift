import CCurl
import Foundation
import Ports
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
        let reactor = PumpedReactor()
        let uplink = CurlUplink(reactor: reactor, userAgent: "tracker/1", tls: TLSFiles(authorities: caFile))
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

    @Test("With upload.caFile a server of one's own authority is trusted, and nobody else is")
    func caFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["own", "other"] {
            try TestCertificate.make("\(folder.path)/\(name).pem", key: "\(folder.path)/\(name).key")
        }
        // Below the ports that the system gives away.
        let port = UInt16.random(in: 10_000...30_000)
        let input = Pipe()
        let server = try Self.openssl(
            [
                "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", "\(folder.path)/own.pem", "-key",
                "\(folder.path)/own.key",
            ], input)
        defer {
            kill(server.processIdentifier, SIGKILL)
            server.waitUntilExit()
        }
        let url = "https://localhost:\(port)/points"
        func isRefused(_ result: UplinkResult?) -> Bool {
            guard case .failed(let failure) = result, failure.code == .tls else { return false }
            return failure.cause.contains("upload.caFile")
        }
        // Until it listens; each of these asks it and is refused by the client.
        var result: UplinkResult?
        for _ in 0..<100 {
            result = Self.exchange(url, caFile: "")
            guard case .failed(let failure) = result, failure.code == .connect else { break }
            usleep(50_000)
        }
        #expect(isRefused(result), "the system does not know it: \(String(describing: result))")
        #expect(isRefused(Self.exchange(url, caFile: folder.path + "/other.pem")))
        // What it is told here it says to the next client.
        input.fileHandleForWriting.write(Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        let trusted = Self.exchange(url, caFile: folder.path + "/own.pem")
        #expect(trusted == .answered(status: 200, retryAfter: nil, date: nil, body: []))
    }
}
