import CLinux
import Glibc

/// The simulator's end of a pseudo-terminal whose other end looks like a UART: raw, no echo.
final class PseudoTerminal {
    let master: Int32
    /// Path of the end that the reader opens.
    let device: String

    /// TIOCSPTLCK and TIOCGPTN of linux/asm-generic/ioctls.h (tty_ioctl(2)): what unlockpt and ptsname do, which the C
    /// library shows only to programs that ask for XSI.
    private static let lockRequest: UInt = 0x4004_5431
    private static let numberRequest: UInt = 0x8004_5430

    /// - Parameter baud: the speed the device has until its reader sets another.
    init(baud: Int) throws(BenchFailure) {
        let remedy = "Check that /dev/pts is mounted and that the limit of open files is not reached."
        let end = linux_open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK, 0)
        guard end >= 0 else { throw .call("open", "/dev/ptmx", remedy: remedy) }
        var number: CInt = -1
        var unlocked: CInt = 0
        guard ioctl(end, Self.lockRequest, &unlocked) == 0, ioctl(end, Self.numberRequest, &number) == 0 else {
            let failure = BenchFailure.call("ioctl", "/dev/ptmx", remedy: remedy)
            close(end)
            throw failure
        }
        master = end
        device = "/dev/pts/\(number)"
        try makeRaw(baud: baud)
    }

    deinit { close(master) }

    /// The settings of the device outlive this short opening as long as the master stays open. VMIN becomes 1, so that
    /// a plain `cat` waits for bytes too.
    private func makeRaw(baud: Int) throws(BenchFailure) {
        let end = linux_open(device, O_RDWR | O_NOCTTY, 0)
        guard end >= 0 else { throw .call("open", device, remedy: "Check that /dev/pts is writable.") }
        defer { close(end) }
        var settings = termios()
        guard linux_serial_raw(end, Int32(baud)) == 0, tcgetattr(end, &settings) == 0 else {
            throw .call("tcsetattr", device, remedy: "Use a baud rate that termios knows, such as 9600 or 115200.")
        }
        cfmakeraw(&settings)
        guard tcsetattr(end, TCSANOW, &settings) == 0 else {
            throw .call("tcsetattr", device, remedy: "Use a baud rate that termios knows, such as 9600 or 115200.")
        }
    }

    /// True while somebody has the device open: the kernel reports a hang-up on the master otherwise.
    var hasReader: Bool {
        var entry = pollfd(fd: master, events: 0, revents: 0)
        return poll(&entry, 1, 0) >= 0 && Int32(entry.revents) & Int32(POLLHUP) == 0
    }

    /// The speed the reader set, bits per second; `nil` when it is no plain rate.
    var baud: Int? {
        let baud = linux_serial_baud(master)
        return baud > 0 ? Int(baud) : nil
    }

    /// Bytes taken; 0 when there is no room or nobody to take them.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        max(0, bytes.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) })
    }

    /// Takes away what the reader wrote, so that its writes never block, and counts it.
    func drain() -> Int { takeHeard().count }

    /// What the reader wrote since the last call.
    func takeHeard() -> [UInt8] {
        var part = [UInt8](repeating: 0, count: 4_096)
        var heard: [UInt8] = []
        while case let count = read(master, &part, part.count), count > 0 { heard += part[..<count] }
        return heard
    }

    /// Forgets what was sent but not read: bytes do not wait in a UART for its next reader.
    func forgetUnread() { tcflush(master, TCOFLUSH) }
}

extension PseudoTerminal {
    /// Makes the link lead to this terminal. Only a link is ever replaced, never a file.
    func point(link: String) throws(BenchFailure) {
        var status = stat()
        if lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { unlink(link) }
        guard symlink(device, link) == 0 else {
            throw .call(
                "symlink", link, remedy: "Name a path in a folder you may write to where no file is in the way.")
        }
    }
}
