import Foundation
import Testing

/// The distribution's subscriber at a broker; what it has seen is in a file, one line a message.
final class TopicWatcher {
    static let path = "/usr/bin/mosquitto_sub"
    private let process = Process()
    private let file: URL

    /// Its session outlives the broker, which keeps for it what arrives meanwhile.
    init(_ broker: MosquittoBroker) throws {
        file = broker.folder.appendingPathComponent("seen")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = [
            "-h", "127.0.0.1", "-p", String(broker.port), "-i", "watcher", "-c", "-q", "1", "-t", "#", "-F", "%t %p",
        ]
        process.standardOutput = try FileHandle(forWritingTo: file)
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        // A gentler signal may be blocked in a child of a thread of the dispatcher.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// `topic payload` of each message so far.
    var lines: [String] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits for so many messages that the test asks about.
    func waitFor(_ count: Int, seconds: Int = 15, where isMeant: (String) -> Bool = { _ in true }) -> [String] {
        for _ in 0..<(seconds * 50) {
            let seen = lines.filter(isMeant)
            if seen.count >= count { return seen }
            usleep(20_000)
        }
        return lines.filter(isMeant)
    }
}
