import Glibc
import Ports

extension ControlFailure {
    /// What a failed call while taking the control socket means to the operator.
    static func listening(_ path: String, _ failure: SystemFailure) -> Self {
        let directory = AtomicFile.parent(of: path)
        let remedy: String
        switch failure.number {
        case EADDRINUSE:
            return Self(
                code: .inUse, cause: "\(failure)",
                remedy: "stop the tracker that runs already (systemctl stop tracker), or set another service.socket")
        case ENOENT, ENOTDIR:
            remedy = "make the directory \(directory) for the service user (RuntimeDirectory= in the service unit)"
        case EACCES, EPERM, EROFS:
            remedy = "let the service user write in \(directory) (ls -ld \(directory))"
        case ENAMETOOLONG:
            remedy = "set service.socket to a path of at most 107 bytes"
        case ENOTSOCK:
            remedy = "remove \(path), which is no socket, or set another service.socket"
        default:
            remedy = "check service.socket and the directory \(directory)"
        }
        return Self(code: .cannotBind, cause: "\(failure)", remedy: remedy)
    }

    /// What a failed exchange with the daemon means to the operator.
    static func exchanging(_ path: String, _ failure: SystemFailure) -> Self {
        switch failure.number {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            Self(
                code: .unreachable, cause: "\(failure)",
                remedy: "start the tracker (systemctl start tracker), or give its socket with --socket")
        case EAGAIN, ETIMEDOUT:
            Self(
                code: .overdue, cause: "\(failure)",
                remedy: "the tracker does not answer: see its log (journalctl -u tracker) and restart it")
        case EACCES, EPERM:
            Self(
                code: .io, cause: "\(failure)",
                remedy: "run as a member of the group that owns \(path) (ls -l \(path))")
        default:
            Self(
                code: .io, cause: "\(failure)",
                remedy: "try again; if it stays, see the tracker's log (journalctl -u tracker)")
        }
    }
}
