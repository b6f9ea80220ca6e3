import CLinux
import CSerialPort
import Glibc
import Ports

/// A serial device of the machine, set up by libserialport: raw, 8N1, no flow control, for this process alone.
final class LibSerialPortLine: SerialLine {
    private let port: OpaquePointer
    let fd: Int32
    private var isOpen = true

    init(path: String, baud: Int) throws(ByteStreamFailure) {
        var made: OpaquePointer?
        let found = sp_get_port_by_name(path, &made)
        guard found == SP_OK, let port = made else {
            throw .opening(path, Self.failure("sp_get_port_by_name", path, found, unexplained: ENOENT))
        }
        do throws(SystemFailure) {
            try Self.check("sp_open", path, sp_open(port, SP_MODE_READ_WRITE))
            try Self.configure(port, path, baud)
            var handle: Int32 = -1
            try Self.check("sp_get_port_handle", path, sp_get_port_handle(port, &handle))
            // libserialport locks on some systems only; root passes TIOCEXCL, nobody passes the lock.
            try System.call("ioctl TIOCEXCL", on: path) { linux_tty_exclusive(handle) }
            guard try System.lock(handle) else { throw SystemFailure(call: "flock", subject: path, number: EBUSY) }
            fd = handle
            self.port = port
        } catch {
            sp_close(port)
            sp_free_port(port)
            throw .opening(path, error)
        }
    }

    deinit {
        close()
        sp_free_port(port)
    }

    func setBaud(_ baud: Int) throws(SystemFailure) {
        let subject = "\(baud) bit/s"
        try Self.check("sp_set_baudrate", subject, sp_set_baudrate(port, Int32(clamping: baud)))
        try Self.check("sp_flush", subject, sp_flush(port, SP_BUF_INPUT))
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        sp_close(port)
    }

    private static func configure(_ port: OpaquePointer, _ path: String, _ baud: Int) throws(SystemFailure) {
        try check("sp_set_baudrate", path, sp_set_baudrate(port, Int32(clamping: baud)))
        try check("sp_set_bits", path, sp_set_bits(port, 8))
        try check("sp_set_parity", path, sp_set_parity(port, SP_PARITY_NONE))
        try check("sp_set_stopbits", path, sp_set_stopbits(port, 1))
        try check("sp_set_flowcontrol", path, sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE))
    }

    private static func check(_ call: String, _ path: String, _ result: sp_return) throws(SystemFailure) {
        if result != SP_OK { throw failure(call, path, result, unexplained: EINVAL) }
    }

    /// libserialport has an errno only for what the system refused; what it refuses itself it does not explain.
    private static func failure(
        _ call: String, _ path: String, _ result: sp_return, unexplained: Int32
    ) -> SystemFailure {
        let number = result == SP_ERR_FAIL ? sp_last_error_code() : unexplained
        return SystemFailure(call: call, subject: path, number: number == 0 ? unexplained : number)
    }
}
