import Foundation

/// A directory of one test, removed with it.
final class TemporaryDirectory {
    let path: String

    init() {
        // Short, because a socket's path has 107 bytes.
        path = "/tmp/lio-" + UUID().uuidString.prefix(8)
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes text, making directories on the way.
    func put(_ name: String, _ text: String) {
        let url = URL(fileURLWithPath: file(name))
        try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? Data(text.utf8).write(to: url)
    }
}
