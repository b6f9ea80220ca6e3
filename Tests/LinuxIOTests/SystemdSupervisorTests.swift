import CLinux
import Glibc
import Ports
import Testing

@testable import LinuxIO

@Suite("The service manager")
struct SystemdSupervisorTests {
    @Test("Messages reach the manager's socket, by path and in the abstract namespace", arguments: [false, true])
    func messages(isAbstract: Bool) throws {
        let directory = TemporaryDirectory()
        let address = isAbstract ? "@" + directory.file("notify") : directory.file("notify")
        let manager = try System.makeUnixSocket(datagram: true)
        defer { System.close(manager) }
        try System.bind(manager, to: address)
        let supervisor = SystemdSupervisor(socket: address, watchdogMicros: "30000000", watchdogPID: "\(getpid())")
        supervisor.ready()
        supervisor.status("moving\nfix 3D")
        supervisor.alive()
        supervisor.stopping()
        let received = try (0..<4).map { _ in
            String(decoding: try System.read(manager, limit: 256) ?? [], as: UTF8.self)
        }
        #expect(received == ["READY=1", "STATUS=moving fix 3D", "WATCHDOG=1", "STOPPING=1"])
        #expect(supervisor.watchdogIntervalMillis == 30_000)
    }

    @Test("Without a manager nothing happens", arguments: [nil, "/no/such/socket", ""])
    func nobody(socket: String?) {
        let supervisor = SystemdSupervisor(socket: socket, watchdogMicros: "30000000", watchdogPID: nil)
        supervisor.ready()
        supervisor.alive()
        #expect(supervisor.watchdogIntervalMillis == nil)
    }

    @Test(
        "A watchdog that is off, unreadable or another's is none",
        arguments: [("0", nil), ("soon", nil), ("5000", "1")])
    func noWatchdog(micros: String, process: String?) throws {
        let directory = TemporaryDirectory()
        let manager = try System.makeUnixSocket(datagram: true)
        defer { System.close(manager) }
        try System.bind(manager, to: directory.file("n"))
        let supervisor = SystemdSupervisor(socket: directory.file("n"), watchdogMicros: micros, watchdogPID: process)
        #expect(supervisor.watchdogIntervalMillis == nil)
    }

    @Test("A manager that does not read never holds the tracker up")
    func deafManager() throws {
        let directory = TemporaryDirectory()
        let manager = try System.makeUnixSocket(datagram: true)
        defer { System.close(manager) }
        try System.bind(manager, to: directory.file("n"))
        let supervisor = SystemdSupervisor(socket: directory.file("n"), watchdogMicros: nil, watchdogPID: nil)
        for _ in 0..<5_000 { supervisor.alive() }
    }
}
