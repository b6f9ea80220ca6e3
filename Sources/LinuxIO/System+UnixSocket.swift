import CLinux
import Glibc

/// Sockets of the Unix family.
extension System {
    static func makeUnixSocket(datagram: Bool = false, blocking: Bool = false) throws(SystemFailure) -> Int32 {
        let type = datagram ? SOCK_DGRAM : SOCK_STREAM
        let flags = blocking ? 0 : Int32(SOCK_NONBLOCK.rawValue)
        return try call("socket") { linux_unix_socket(Int32(type.rawValue), flags) }
    }

    static func bind(_ fd: Int32, to path: String) throws(SystemFailure) {
        try call("bind", on: path) { linux_unix_bind(fd, path) }
    }

    static func connect(_ fd: Int32, to path: String) throws(SystemFailure) {
        try call("connect", on: path) { linux_unix_connect(fd, path) }
    }

    static func listen(_ fd: Int32, backlog: Int32) throws(SystemFailure) {
        try call("listen") { Glibc.listen(fd, backlog) }
    }

    /// The next connection, non-blocking; `nil` when nobody waits.
    static func accept(_ fd: Int32) throws(SystemFailure) -> Int32? {
        try attempt("accept") { linux_accept(fd) }
    }

    /// From here on `send` and `read` do not wait.
    static func setNonBlocking(_ fd: Int32) throws(SystemFailure) {
        let flags = try call("fcntl") { fcntl(fd, F_GETFL) }
        try call("fcntl") { fcntl(fd, F_SETFL, flags | O_NONBLOCK) }
    }

    /// A stream connected to `path`, non-blocking; a connect that would take longer than `millis` is `EAGAIN`.
    static func connectedStream(_ path: String, withinMillis millis: Int64) throws(SystemFailure) -> Int32 {
        let fd = try makeUnixSocket(blocking: true)
        do throws(SystemFailure) {
            try call("setsockopt") { linux_send_timeout(fd, Int32(clamping: max(1, millis))) }
            try connect(fd, to: path)
            try setNonBlocking(fd)
            return fd
        } catch {
            close(fd)
            throw error
        }
    }
}
