import CLinux
public import Ports

/// What this process costs, by getrusage(2) and its loop.
public final class ProcessLoad: HostLoad {
    private unowned let reactor: LinuxReactor

    public init(reactor: LinuxReactor) { self.reactor = reactor }

    public var wakeUps: Int64 { reactor.wakeUps }
    public var contextSwitches: Int64 { linux_process_usage().switches }
    public var cpuMillis: Int64 { linux_process_usage().cpu_millis }
}
