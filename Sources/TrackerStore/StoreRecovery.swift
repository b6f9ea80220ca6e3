import Glibc
import Ports

/// That the store began anew because the old file was damaged, and where the old file is.
public struct StoreRecovery: Equatable, Sendable {
    /// What was wrong, in SQLite's words.
    public var cause: String
    /// The damaged files under their new names, the database first. Until its rows are brought over, the names have
    /// `-unread` behind the number.
    public var setAside: [String]

    /// Damaged files that are kept, the newest; older ones are deleted.
    static let kept = 3

    public init(cause: String, setAside: [String]) {
        self.cause = cause
        self.setAside = setAside
    }

    /// Renames the database to the first free `<path>.damaged-<n>-unread`, its log and index with it.
    static func settingAside(_ path: String, cause: String) throws(StoreFailure) -> StoreRecovery {
        let target = "\(path).damaged-\((files(of: path).map(\.number).max() ?? 0) + 1)"
        return StoreRecovery(cause: cause, setAside: try move(path, to: target + unread).map { target + $0 })
    }

    /// The oldest damaged file that has not been read to its end, under its final name.
    static func unreadFile(of path: String) -> String? {
        files(of: path).first { $0.isUnread }.map { "\(path).damaged-\($0.number)" }
    }

    /// Where a file is that has not been read to its end.
    static func unreadName(_ file: String) -> String { file + unread }

    /// The file gets its final name; beyond those that are kept, the oldest go.
    static func finished(_ file: String, of path: String) throws(StoreFailure) {
        _ = try move(file + unread, to: file)
        for old in files(of: path).filter({ !$0.isUnread }).dropLast(kept) { remove(old.number, of: path) }
    }

    /// Deletes the oldest file that has been read; false when there is none.
    static func removeOldest(of path: String) -> Bool {
        guard let oldest = files(of: path).first(where: { !$0.isUnread }) else { return false }
        remove(oldest.number, of: path)
        return true
    }

    private static let unread = "-unread"
    /// The log before the database: a kill in between leaves no database without its log under the old name.
    private static let suffixes = ["-wal", "", "-shm"]

    private static func move(_ path: String, to target: String) throws(StoreFailure) -> [String] {
        var moved: [String] = []
        for suffix in suffixes where access(path + suffix, F_OK) == 0 {
            guard rename(path + suffix, target + suffix) == 0 else {
                throw StoreFailure(call: "rename", path: path + suffix, systemError: errno)
            }
            moved.append(suffix)
        }
        return moved.sorted()
    }

    private static func remove(_ number: Int, of path: String) {
        for suffix in suffixes { unlink("\(path).damaged-\(number)\(suffix)") }
    }

    /// The oldest first.
    private static func files(of path: String) -> [(number: Int, isUnread: Bool)] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let prefix = (parts.last ?? "") + ".damaged-"
        let folder = parts.count < 2 ? "." : parts.dropLast().joined(separator: "/") + "/"
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var files: [(number: Int, isUnread: Bool)] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix) else { continue }
            let rest = name.dropFirst(prefix.count)
            if let number = Int(rest) {
                files.append((number, false))
            } else if rest.hasSuffix(unread), let number = Int(rest.dropLast(unread.count)) {
                files.append((number, true))
            }
        }
        return files.sorted { $0.number < $1.number }
    }
}
