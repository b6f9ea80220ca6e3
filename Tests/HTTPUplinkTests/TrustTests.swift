import Foundation
import Ports
import TestKit
import Testing

@testable import HTTPUplink

@Suite(
    "Certificates of servers", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "skipped: no openssl"))
struct TrustTests {
    private static func openssl(_ arguments: [String], _ input: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
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

    @Test("With upload.caFile a server of one's own authority is trusted, and nobody else is")
    func caFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["own", "other"] {
            let made = try Self.openssl([
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", "\(folder.path)/\(name).key",
                "-out", "\(folder.path)/\(name).pem", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost",
            ])
            made.waitUntilExit()
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
