import CLinux
import Glibc
public import Ports

/// The service manager's notification socket (sd_notify(3)); without one in the environment nothing happens.
///
/// A message that cannot be delivered is dropped: the daemon's work does not depend on who watches it.
public final class SystemdSupervisor: Supervisor {
    /// From `WATCHDOG_USEC`; half of it is a good rhythm (sd_watchdog_enabled(3)).
    public let watchdogIntervalMillis: Int64?

    private let fd: Int32?

    /// From `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    public convenience init() {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        self.init(
            socket: variable("NOTIFY_SOCKET"), watchdogMicros: variable("WATCHDOG_USEC"),
            watchdogPID: variable("WATCHDOG_PID"))
    }

    /// - Parameters:
    ///   - socket: a path, or `@name` in the abstract namespace.
    ///   - watchdogMicros: decimal.
    ///   - watchdogPID: decimal; the watchdog of another process is not ours.
    public init(socket: String?, watchdogMicros: String?, watchdogPID: String?) {
        fd = socket.flatMap(Self.connected)
        let isOurs = watchdogPID.map { $0 == "\(getpid())" } ?? true
        let millis = watchdogMicros.flatMap { Int64($0) }.map { $0 / 1_000 } ?? 0
        watchdogIntervalMillis = isOurs && fd != nil && millis > 0 ? millis : nil
    }

    deinit { if let fd { System.close(fd) } }

    public func ready() { notify("READY=1") }
    public func alive() { notify("WATCHDOG=1") }
    public func stopping() { notify("STOPPING=1") }

    public func status(_ text: String) {
        notify("STATUS=" + String(text.map { $0.isNewline ? " " : $0 }))
    }

    private func notify(_ message: String) {
        guard let fd else { return }
        _ = try? System.send(fd, Array(message.utf8)[...])
    }

    private static func connected(_ socket: String) -> Int32? {
        guard let fd = try? System.makeUnixSocket(datagram: true) else { return nil }
        guard (try? System.connect(fd, to: socket)) != nil else {
            System.close(fd)
            return nil
        }
        return fd
    }
}
