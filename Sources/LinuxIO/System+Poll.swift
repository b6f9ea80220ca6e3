import CLinux
import Glibc

/// The calls behind the reactor.
extension System {
    static func makeEpoll() throws(SystemFailure) -> Int32 {
        try call("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
    }

    static func epollAdd(_ epoll: Int32, _ fd: Int32, _ events: FileEvents) throws(SystemFailure) {
        try call("epoll_ctl") { linux_epoll_add(epoll, fd, events.rawValue) }
    }

    static func epollModify(_ epoll: Int32, _ fd: Int32, _ events: FileEvents) throws(SystemFailure) {
        try call("epoll_ctl") { linux_epoll_modify(epoll, fd, events.rawValue) }
    }

    static func epollRemove(_ epoll: Int32, _ fd: Int32) throws(SystemFailure) {
        try call("epoll_ctl") { linux_epoll_remove(epoll, fd) }
    }

    /// Waits without bound until at least one descriptor is ready; how many entries of `buffer` are filled.
    static func epollWait(
        _ epoll: Int32, _ buffer: UnsafeMutablePointer<epoll_event>, capacity: Int
    ) throws(SystemFailure) -> Int {
        let count = try call("epoll_wait") { epoll_wait(epoll, buffer, Int32(clamping: capacity), -1) }
        return Int(count)
    }

    /// A timer on the boot clock, which counts through suspend.
    static func makeTimer() throws(SystemFailure) -> Int32 {
        let flags = Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)
        return try call("timerfd_create") { timerfd_create(CLOCK_BOOTTIME, flags) }
    }

    /// Sets the timer to an absolute boot time in nanoseconds; 0 disarms it.
    static func armTimer(_ timer: Int32, atBootNanos nanos: Int64) throws(SystemFailure) {
        try call("timerfd_settime") { linux_timer_arm(timer, nanos) }
    }

    static func makeEventCounter() throws(SystemFailure) -> Int32 {
        let flags = Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)
        return try call("eventfd") { eventfd(0, flags) }
    }

    /// Blocks the signals in this thread and returns a descriptor that reads them.
    static func makeSignalReader(_ signals: [Int32]) throws(SystemFailure) -> Int32 {
        try call("signalfd") { linux_signalfd(signals, Int32(signals.count)) }
    }

    /// The next signal, `nil` when there is none.
    static func readSignal(_ fd: Int32) throws(SystemFailure) -> Int32? {
        try attempt("read") { linux_signal_read(fd) }
    }
}
