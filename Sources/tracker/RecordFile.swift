import CLinux
import Glibc

/// One file of a recording. What an older one of its name holds stays until there is something to write.
struct RecordFile {
    let path: String
    let lines: OutputLines
    /// Made by this run, which may therefore remove it again.
    private let isNew: Bool
    private let descriptor: Int32

    /// - Parameter isForced: a file that is there already is taken.
    /// - Throws: when it is there already, or cannot be written.
    init(_ path: String, isForced: Bool) throws(Arguments.Failure) {
        self.path = path
        // Exclusive: whoever made the file meanwhile keeps it.
        let created = linux_open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
        let isThere = created < 0 && errno == EEXIST
        if isThere, !isForced {
            throw .init(message: "\(path) is there already; name another file, or give --force")
        }
        let descriptor = isThere ? linux_open(path, O_WRONLY, 0) : created
        guard descriptor >= 0 else {
            throw .init(message: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        isNew = !isThere
        self.descriptor = descriptor
        lines = OutputLines(descriptor)
    }

    /// Whether both write into the same content, by whatever names.
    func isSame(as other: RecordFile) -> Bool {
        var mine = stat()
        var others = stat()
        guard fstat(descriptor, &mine) == 0, fstat(other.descriptor, &others) == 0 else { return false }
        return mine.st_mode & S_IFMT == S_IFREG && mine.st_dev == others.st_dev && mine.st_ino == others.st_ino
    }

    /// Removes what an older file holds; the error number if that fails. A pipe or a terminal holds nothing (`EINVAL`).
    func empty() -> Int32? { ftruncate(descriptor, 0) == 0 || errno == EINVAL ? nil : errno }

    /// Nothing is written: what this run has made goes, what was there stays as it was.
    func discard() {
        if isNew { unlink(path) }
    }
}
