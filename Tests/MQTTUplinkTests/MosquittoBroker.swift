import CLinux
import Foundation
import Testing

/// The real broker on 127.0.0.1, and the messages that one subscriber of it has seen.
final class MosquittoBroker {
    static let path = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static var isInstalled: Bool { path != nil }

    let port: UInt16
    let folder: URL
    private var process: Process?

    /// - Parameter lines: of its configuration, beside the listener; `%FOLDER%` is its folder.
    init(_ lines: [String] = ["allow_anonymous true"]) throws {
        // Below the ports that the system gives away, so that nobody gets it while the broker is down.
        port = try #require((0..<100).map { _ in UInt16.random(in: 10_000...30_000) }.first(where: Self.isFree))
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let here = folder.path
        _ = FileManager.default.createFile(atPath: here + "/log", contents: nil)
        let text =
            ([
                "log_dest stderr", "log_type all", "listener \(port) 127.0.0.1", "persistence true",
                "persistence_location \(here)/",
            ] + lines)
            .joined(separator: "\n").replacingOccurrences(of: "%FOLDER%", with: here)
        // Root would become the user `mosquitto`, who may not write here.
        let user = NSUserName() == "root" ? "\nuser root\n" : "\n"
        try (text + user).write(toFile: here + "/conf", atomically: true, encoding: .utf8)
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts it, again if need be, and waits until it takes connections.
    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.path))
        process.arguments = ["-c", folder.path + "/conf"]
        let log = try FileHandle(forWritingTo: log)
        log.seekToEndOfFile()
        process.standardError = log
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process = process
        for _ in 0..<500 where !Self.takesConnections(port) { usleep(10_000) }
        try #require(Self.takesConnections(port), "the broker does not listen")
    }

    private var log: URL { folder.appendingPathComponent("log") }

    /// Messages that it has read from a client, the same one twice counted twice.
    func received(from client: String) -> Int {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count { $0.contains("Received PUBLISH from \(client) ") }
    }

    /// As a power cut would.
    func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Stops it in its tracks, and lets it go on.
    func freeze(_ isFrozen: Bool) {
        if let process { Foundation.kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }
    }

    private static func takesConnections(_ port: UInt16) -> Bool {
        atLoopback(port) { connect($0, $1, $2) == 0 }
    }

    private static func isFree(_ port: UInt16) -> Bool { atLoopback(port) { bind($0, $1, $2) == 0 } }

    private static func atLoopback(_ port: UInt16, _ attempt: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool)
        -> Bool
    {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                attempt(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
