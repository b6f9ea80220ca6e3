import Foundation
import Glibc

/// The gpsd of the distribution as a child process, on a pseudo-terminal of the test.
final class RealGPSD {
    let port: Int
    private let process = Process()

    /// `nil` where gpsd is not installed.
    init?(device: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..").path
        let places = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", root + "/.peers/usr/sbin/gpsd"]
        guard let path = places.first(where: { access($0, X_OK) == 0 }) else { return nil }
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
