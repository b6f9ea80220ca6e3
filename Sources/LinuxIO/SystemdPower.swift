import CLinux
import Glibc
public import Ports
import TrackerModel

/// Switches the host off through the service manager: `systemctl poweroff` (systemctl(1)), which asks logind.
public final class SystemdPower: HostPower {
    /// A request that has not been taken by then will not be.
    private static let patienceMillis: Int64 = 30_000
    private static let lookMillis: Int64 = 200

    private let command: [String]
    private let reactor: any Reactor
    private var child: pid_t = 0

    /// - Parameter command: what does it; tests name a harmless one.
    public init(reactor: any Reactor, command: [String] = ["/usr/bin/systemctl", "poweroff"]) {
        self.reactor = reactor
        self.command = command
    }

    public func powerOff(_ failed: @escaping (String) -> Void) {
        guard child == 0 else { return }
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        // The loop has signals blocked that systemctl should have.
        var attributes = posix_spawnattr_t()
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        let result = posix_spawn(&child, command[0], nil, &attributes, &arguments, &environment)
        guard result == 0 else {
            child = 0
            return failed("\(SystemFailure(call: "run", subject: command[0], number: result)); install systemd")
        }
        look(until: reactor.now.advanced(byMillis: Self.patienceMillis), failed)
    }

    private func look(until deadline: Instant, _ failed: @escaping (String) -> Void) {
        reactor.schedule(at: reactor.now.advanced(byMillis: Self.lookMillis), toleranceMillis: 50) { [weak self] in
            guard let self else { return }
            var status: Int32 = 0
            let found = waitpid(child, &status, WNOHANG)
            if found == 0, reactor.now < deadline { return look(until: deadline, failed) }
            if found == 0 {
                kill(child, SIGKILL)
                waitpid(child, &status, 0)
            }
            child = 0
            // 0: the request was taken; what follows is a SIGTERM.
            if found > 0, status == 0 { return }
            let how = found == 0 ? "did not return within 30 s" : "ended with \((status >> 8) & 0xFF)"
            failed(
                "\(command.joined(separator: " ")) \(how); "
                    + "allow org.freedesktop.login1.power-off to the service user (deploy/60-tracker-poweroff.rules)")
        }
    }
}
