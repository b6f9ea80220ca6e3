import Glibc
public import Ports

/// Switches the host off through the service manager: `systemctl poweroff` (systemctl(1)), which asks logind.
public final class SystemdPower: HostPower {
    private let command: [String]
    private var mailbox: Mailbox<ChildFailure?>?
    private var failed: ((String) -> Void)?

    /// - Parameter command: what does it; tests name a harmless one.
    public init(reactor: any Reactor, command: [String] = ["/usr/bin/systemctl", "poweroff"]) {
        self.command = command
        mailbox = Mailbox(signal: reactor.makeSignal { [weak self] in self?.ended() })
    }

    public func powerOff(_ failed: @escaping (String) -> Void) {
        guard self.failed == nil, let mailbox else { return }
        self.failed = failed
        let thread = WorkerThread { [command] in
            do throws(ChildFailure) {
                try ChildProcess.run(command[0], arguments: Array(command.dropFirst()))
                mailbox.post(nil)
            } catch { mailbox.post(error) }
        }
        thread?.detach()
        if thread == nil { mailbox.post(ChildFailure(description: "no thread for \(command[0])")) }
    }

    /// Without a failure the request was taken; what follows is a SIGTERM.
    private func ended() {
        guard let outcome = mailbox?.takeAll().last else { return }
        let failed = failed
        self.failed = nil
        guard let outcome else { return }
        failed?(
            "\(outcome); allow org.freedesktop.login1.power-off to the service user "
                + "(deploy/60-tracker-poweroff.rules)")
    }
}
