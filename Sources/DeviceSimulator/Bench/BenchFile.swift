import CLinux
import Glibc

/// Whole files, read and written; the bench has no other use for the file system.
public enum BenchFile {
    /// - Throws: `BenchFailure` when the file cannot be opened or read.
    public static func read(_ path: String) throws(BenchFailure) -> [UInt8] {
        let file = linux_open(path, O_RDONLY, 0)
        guard file >= 0 else {
            throw .call("open", path, remedy: "Check the path and that you may read the file.")
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw .call("read", path, remedy: "Check that it is a regular file on a healthy disk.")
            }
            bytes += part[..<count]
        }
    }

    /// A script.
    /// - Throws: `BenchFailure` when the file cannot be read, or with its path and line when `parse` refuses it.
    public static func script<Script>(
        _ path: String, _ parse: (String) throws(ScriptFailure) -> Script
    ) throws(BenchFailure) -> Script {
        let text = String(decoding: try read(path), as: UTF8.self)
        do throws(ScriptFailure) {
            return try parse(text)
        } catch {
            throw BenchFailure(cause: "\(path):\(error.line): \(error.message)", remedy: "Correct the script.")
        }
    }

    /// Replaces the file.
    /// - Throws: `BenchFailure` when it cannot be created or written whole.
    public static func write(_ bytes: [UInt8], to path: String) throws(BenchFailure) {
        let file = linux_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else {
            throw .call("open", path, remedy: "Check that the folder exists and that you may write there.")
        }
        defer { close(file) }
        try append(bytes, to: file, named: path)
    }

    /// Creates a folder unless it is there; its parent must exist.
    public static func makeFolder(_ path: String) throws(BenchFailure) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        throw .call("mkdir", path, remedy: "Create its parent first, or name another folder.")
    }

    static func append(_ bytes: [UInt8], to file: Int32, named path: String) throws(BenchFailure) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .call("write", path, remedy: "Check the free space of its file system.")
            }
            done += count
        }
    }
}
