import Foundation
import Glibc

/// The gpsd of the distribution as a child process, on a pseudo-terminal of the test.
final class RealGPSD {
    let port: Int
    private let process = Process()

    /// Where it is; `nil` where it is not installed.
    static let path: String? = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").path
        let places = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", root + "/.peers/usr/sbin/gpsd"]
        return places.first { access($0, X_OK) == 0 }
    }()

    init(_ path: String, device: String) throws {
        // As root, gpsd becomes another user.
        chmod(device, 0o666)
        // A port that was free a moment ago: gpsd takes no 0.
        port = ScriptedGPSD.freePort()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-n", "-N", "-S", String(port), device]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        // It may have inherited from a thread of the tests that SIGTERM is blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
