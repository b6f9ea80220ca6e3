import CLinux
import Glibc

/// Small files, whole: read at once, replaced so that a power cut leaves the old content or the new, never a part.
public enum AtomicFile {
    /// The whole content.
    /// - Parameter limit: bytes; a longer file is `EFBIG`.
    public static func read(path: String, limit: Int = 1 << 20) throws(SystemFailure) -> [UInt8] {
        let fd = try System.open(path, O_RDONLY)
        defer { System.close(fd) }
        var bytes: [UInt8] = []
        // A file of /sys reports a size that has nothing to do with its content: read until the end.
        while let part = try System.read(fd, limit: min(limit + 1, 65_536)), !part.isEmpty {
            bytes += part
            if bytes.count > limit { throw SystemFailure(call: "read", subject: path, number: EFBIG) }
        }
        return bytes
    }

    /// What stands before the first line feed of a short file, as /proc and /sys have them.
    static func firstLine(of path: String) throws(SystemFailure) -> String {
        let bytes = try read(path: path, limit: 4_096)
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// Replaces the file by way of `path.tmp`; durable when it returns. A failure leaves the old content.
    public static func write(path: String, bytes: [UInt8], mode: UInt32 = 0o644) throws(SystemFailure) {
        let temporary = path + ".tmp"
        do throws(SystemFailure) {
            try writeDurably(temporary, bytes, mode)
            try System.rename(temporary, to: path)
        } catch {
            _ = try? System.unlink(temporary)
            throw error
        }
        // The new name is durable only with its directory (fsync(2)).
        let directory = parent(of: path)
        let fd = try System.open(directory, O_RDONLY | O_DIRECTORY)
        defer { System.close(fd) }
        try System.sync(fd, directory)
    }

    /// Makes the directory and those above it that are missing; one that exists keeps its mode.
    public static func makeDirectories(_ path: String, mode: UInt32 = 0o755) throws(SystemFailure) {
        do throws(SystemFailure) {
            try System.makeDirectory(path, mode: mode)
        } catch {
            switch error.number {
            case EEXIST:
                var found = stat()
                try System.call("stat", on: path) { stat(path, &found) }
                guard found.st_mode & S_IFMT == S_IFDIR else {
                    throw SystemFailure(call: "mkdir", subject: path, number: ENOTDIR)
                }
            case ENOENT where parent(of: path) != path:
                try makeDirectories(parent(of: path), mode: mode)
                // Made already when the path ends in a slash.
                if mkdir(path, mode) < 0, linux_errno() != EEXIST {
                    throw SystemFailure(call: "mkdir", subject: path, number: linux_errno())
                }
            default:
                throw error
            }
        }
    }

    private static func writeDurably(_ path: String, _ bytes: [UInt8], _ mode: UInt32) throws(SystemFailure) {
        let fd = try System.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
        defer { System.close(fd) }
        // Not left to the umask: what the file holds decides who may read it.
        try System.call("fchmod", on: path) { fchmod(fd, mode) }
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try System.write(fd, rest) ?? 0)
        }
        try System.sync(fd, path)
    }

    /// `/a` of `/a/b`, `/` of `/a`, `.` of `a`.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
