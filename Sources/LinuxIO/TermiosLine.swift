import CLinux
import Glibc
import Ports

/// A terminal without an entry in `/sys/class/tty`, a pseudo-terminal, set up through termios(3).
///
/// Locked by flock alone: `TIOCEXCL` would outlive a killed process for as long as the other side keeps it open.
final class TermiosLine: SerialLine {
    let fd: Int32
    private var isOpen = true

    init(path: String, baud: Int) throws(ByteStreamFailure) {
        do throws(SystemFailure) {
            fd = try System.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        } catch {
            throw .opening(path, error)
        }
        do throws(SystemFailure) {
            guard isatty(fd) == 1 else { throw SystemFailure(call: "isatty", subject: path, number: ENOTTY) }
            guard try System.lock(fd) else { throw SystemFailure(call: "flock", subject: path, number: EBUSY) }
            try System.call("tcsetattr", on: path) { linux_serial_raw(fd, Int32(clamping: baud)) }
        } catch {
            System.close(fd)
            throw .opening(path, error)
        }
    }

    func setBaud(_ baud: Int) throws(SystemFailure) {
        try System.call("tcsetattr", on: "\(baud) bit/s") { linux_serial_raw(fd, Int32(clamping: baud)) }
        try System.call("tcflush") { tcflush(fd, TCIFLUSH) }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        System.close(fd)
    }
}
