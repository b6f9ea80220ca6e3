import Glibc
import Ports

extension ByteStreamFailure {
    /// What a failed call while opening `path` means to the operator.
    static func opening(_ path: String, _ failure: SystemFailure) -> Self {
        let cause = "\(failure)"
        switch failure.number {
        case ENOENT, ENODEV, ENXIO, ENOTDIR, ELOOP:
            return Self(
                code: .absent, cause: cause,
                remedy: "check that the receiver is plugged in and that gnss.device names it (ls -l /dev/serial/by-id)")
        case EACCES, EPERM:
            return Self(
                code: .denied, cause: cause,
                remedy: "add the service user to the group that owns \(path) (ls -l \(path)) and restart the service")
        case EBUSY, EWOULDBLOCK:
            return Self(
                code: .busy, cause: cause,
                remedy: "stop the other program that uses \(path) (fuser \(path)): another tracker, gpsd or a console")
        case EINVAL where ["tcsetattr", "sp_set_baudrate"].contains(failure.call):
            return Self(
                code: .unsuitable, cause: cause,
                remedy: "set gnss.baud to a rate that \(path) supports, such as 9600 or 115200")
        case ENOTTY, EINVAL, EISDIR:
            return Self(
                code: .unsuitable, cause: cause,
                remedy: "set gnss.device to a serial device; \(path) is none")
        case EIO:
            return Self(
                code: .unsuitable, cause: cause,
                remedy: "choose another gnss.device: nothing is behind \(path)")
        default:
            return Self(code: .io, cause: cause, remedy: "see the system log (dmesg) for what is wrong with \(path)")
        }
    }

    /// The operator named no device and there is none.
    static let nothingFound = Self(
        code: .absent, cause: "no serial device is there (by-id links, gnss*, serial0, ttyAMA*, ttyACM*, ttyUSB*)",
        remedy: "plug the receiver in, switch the board's UART on, or set gnss.device to its path")

    /// The open device went away.
    static func unplugged(_ path: String, _ cause: String) -> Self {
        Self(code: .unplugged, cause: cause, remedy: "plug the receiver in again; \(path) is opened when it is back")
    }
}
