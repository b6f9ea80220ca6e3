import CLinux
import Glibc

/// The signals of the process as values, read from a descriptor instead of in a handler.
public final class SignalInbox {
    /// Readable when a signal waits.
    public let descriptor: Int32

    /// Blocks the signals of `BenchSignal` in this thread; SIGPIPE is ignored, a vanished peer is an error of a write.
    public init() throws(BenchFailure) {
        signal(SIGPIPE, SIG_IGN)
        let signals = [SIGUSR1, SIGUSR2, SIGHUP, SIGTERM, SIGINT]
        descriptor = linux_signalfd(signals, Int32(signals.count))
        if descriptor < 0 { throw .call("signalfd", "", remedy: "Raise the limit of open files (ulimit -n).") }
    }

    deinit { close(descriptor) }

    public func next() -> BenchSignal? {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard read(descriptor, &info, size) == size else { return nil }
        switch Int32(info.ssi_signo) {
        case SIGUSR1: return .unplug
        case SIGUSR2: return .plug
        case SIGHUP: return .toggleSilence
        default: return .stop
        }
    }
}
