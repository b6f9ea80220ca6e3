import Foundation

/// The recordings and vectors beside the repository, for tests only. Set `TRACKER_SHARED` where they are elsewhere.
///
/// A test over them has the trait `.enabled(if: SharedData.isAvailable, "skipped: no shared data")` and reads with
/// `require`: without the data it shows as skipped, with them it cannot pass by reading nothing.
public enum SharedData {
    /// The data folder, or `nil` where there is none: the test then says "skipped: no shared data".
    public static let root: String? = {
        let place = ProcessInfo.processInfo.environment["TRACKER_SHARED"] ?? "../shared"
        let data = (place as NSString).appendingPathComponent("data")
        return FileManager.default.fileExists(atPath: data) ? data : nil
    }()

    public static var isAvailable: Bool { root != nil }

    /// The bytes of a file below `data/`; `nil` where it is not there.
    public static func bytes(_ path: String) -> [UInt8]? {
        guard let root, let data = FileManager.default.contents(atPath: root + "/" + path) else { return nil }
        return Array(data)
    }

    /// Its text, bytes that are no UTF-8 replaced.
    public static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// As `bytes`, for a test that cannot do without.
    public static func require(_ path: String) throws(SharedDataFailure) -> [UInt8] {
        guard let found = bytes(path) else { throw SharedDataFailure("data/\(path) is not there") }
        return found
    }

    /// As `text`, for a test that cannot do without.
    public static func requireText(_ path: String) throws(SharedDataFailure) -> String {
        String(decoding: try require(path), as: UTF8.self)
    }
}

/// What of the shared data is missing or not as it was.
public struct SharedDataFailure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
