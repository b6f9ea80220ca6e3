import CLinux
import Glibc

/// The descriptors of one turn of a loop, and which of them are ready after the wait.
public struct PollSet {
    private var entries: [pollfd] = []

    /// Negative descriptors are left out.
    mutating func add(_ descriptor: Int32, _ events: Int32) {
        guard descriptor >= 0 else { return }
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// Waits until one is ready or the time is over, rounded up to a millisecond and cut to a minute; an interrupted
    /// wait counts as over.
    mutating func wait(atMostNanos nanos: Int64) {
        let millis = min(max(0, nanos), 60_000_000_000 - 1).advanced(by: 999_999) / 1_000_000
        if poll(&entries, nfds_t(entries.count), Int32(millis)) <= 0 {
            for index in entries.indices { entries[index].revents = 0 }
        }
    }

    /// What happened to the descriptor: POLLIN, POLLOUT, POLLHUP, POLLERR; 0 when nothing.
    func ready(_ descriptor: Int32) -> Int32 {
        entries.reduce(0) { $1.fd == descriptor ? $0 | Int32($1.revents) : $0 }
    }
}

/// The clock that pacing runs on.
enum Monotonic {
    static func nanos() -> Int64 { linux_clock_nanos(CLOCK_MONOTONIC) }
}

/// Nanoseconds of `seconds`; what does not fit is the longest wait there is.
func nanos(ofSeconds seconds: Double) -> Int64 {
    let nanos = seconds * 1e9
    guard nanos < 9e18 else { return .max }
    return nanos > 0 ? Int64(nanos) : 0
}
