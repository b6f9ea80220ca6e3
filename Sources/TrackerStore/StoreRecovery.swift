import Glibc
import Ports

/// That the store began anew because the old file was damaged, and where the old file is.
public struct StoreRecovery: Equatable, Sendable {
    /// What was wrong, in SQLite's words.
    public var cause: String
    /// The damaged files under their new names, the database first.
    public var setAside: [String]

    public init(cause: String, setAside: [String]) {
        self.cause = cause
        self.setAside = setAside
    }

    /// Renames the database to the first free `<path>.damaged-<n>`, its log and index with it, so that a later salvage
    /// finds them together.
    static func settingAside(_ path: String, cause: String) throws(StoreFailure) -> StoreRecovery {
        var number = 1
        while exists("\(path).damaged-\(number)") { number += 1 }
        let target = "\(path).damaged-\(number)"
        var moved: [String] = []
        for suffix in ["", "-wal", "-shm"] where exists(path + suffix) {
            guard rename(path + suffix, target + suffix) == 0 else {
                throw StoreFailure(call: "rename", path: path + suffix, systemError: errno)
            }
            moved.append(target + suffix)
        }
        return StoreRecovery(cause: cause, setAside: moved)
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
