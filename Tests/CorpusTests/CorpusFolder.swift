import Foundation

/// `Tests/Corpus`, wherever the tests are started.
enum CorpusFolder {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Corpus")

    /// Folders with a plan, by name.
    static var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? [])
            .filter { FileManager.default.fileExists(atPath: root.appendingPathComponent("\($0)/journey.txt").path) }
            .sorted()
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func write(_ text: String, to path: String) throws {
        try text.write(to: root.appendingPathComponent(path), atomically: true, encoding: .utf8)
    }

    /// Whether what is found becomes what is expected: `scripts/golden` sets it.
    static let isWriting = ProcessInfo.processInfo.environment["TRACKER_GOLDEN"] != nil
}
