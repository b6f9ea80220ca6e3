import CSQLite
import Glibc
import Ports

extension StoreFailure {
    /// What an extended SQLite result code means to the operator (sqlite.org/rescode.html).
    /// - Parameter systemError: the errno behind it, 0 when there is none.
    init(sqlite code: Int32, systemError: Int32, message: String) {
        let kind = Self.kind(sqlite: code, systemError: systemError)
        var cause = "SQLite \(code): \(message)"
        if systemError != 0 { cause += " (\(String(cString: strerror(systemError))))" }
        // A broken constraint is a caller's mistake (two open sessions, a point without its session), not the storage's.
        let isConstraint = code & 0xFF == SQLITE_CONSTRAINT
        let remedy = isConstraint ? "Nothing was changed: report this as a defect." : Self.remedy(kind)
        self.init(code: kind, cause: cause, remedy: remedy)
    }

    private static func kind(sqlite code: Int32, systemError: Int32) -> Code {
        switch code & 0xFF {  // the low byte is the primary code
        case SQLITE_FULL: return .full
        case SQLITE_READONLY: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: return .locked
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return systemError == EROFS ? .readOnly : .cannotOpen
        default:
            // The shared-memory file and fsync report a full or read-only file system as an I/O error.
            if systemError == ENOSPC || systemError == EDQUOT { return .full }
            return systemError == EROFS ? .readOnly : .io
        }
    }

    /// A system call on the way to the database that failed.
    init(call: String, path: String, systemError: Int32) {
        let kind: Code =
            switch systemError {
            case EROFS: .readOnly
            case ENOSPC, EDQUOT: .full
            case EWOULDBLOCK: .locked
            case EIO: .io
            default: .cannotOpen
            }
        let cause = "\(call) \(path): \(String(cString: strerror(systemError)))"
        self.init(code: kind, cause: cause, remedy: Self.remedy(kind))
    }

    static func remedy(_ kind: Code) -> String {
        switch kind {
        case .cannotOpen: "Check that the state directory exists and that this user may write to it."
        case .locked: "Stop the other process that has the database open for writing, then start again."
        case .corrupt:
            "Nothing to do: the damaged file is set aside, a fresh one begun and what is legible brought over."
        case .newerSchema: "Install the version that wrote it, or newer, or move the file away to begin a fresh one."
        case .full: "Free space on the file system of the state directory."
        case .readOnly: "Remount the file system of the state directory for writing, and check the card for errors."
        case .io: "Check the storage device and the kernel log for I/O errors."
        }
    }
}
