import Glibc
import Ports

/// Holds the database for this process alone, for as long as the value lives.
///
/// An flock beside the database and not SQLite's exclusive locking mode, so that `sqlite3 tracker.db` can read while
/// the tracker runs. The kernel drops the lock with the process, however it ends.
final class StoreLock {
    private let descriptor: Int32

    /// Throws `locked` when another holder lives.
    init(path: String) throws(StoreFailure) {
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw StoreFailure(call: "open", path: path, systemError: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw StoreFailure(call: "flock", path: path, systemError: errno)
        }
    }

    deinit {
        // The file stays: removing it would let a third process lock a new one while a second still waits on this.
        if descriptor >= 0 { Glibc.close(descriptor) }
    }
}
