import CLinux
import Glibc

/// What this process has used so far.
enum Usage {
    /// CPU time, nanoseconds: unlike the time on the clock it does not count what other processes take.
    static var cpuNanos: Int64 { linux_clock_nanos(CLOCK_PROCESS_CPUTIME_ID) }

    /// The most memory that was resident at one time, KiB: `VmHWM` of proc(5). What getrusage(2) tells includes the
    /// parent's memory from before the program was started. 0 when it cannot be read.
    static var peakRSSKiB: Int64 {
        let file = linux_open("/proc/self/status", O_RDONLY, 0)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 8_192)
        let count = read(file, &text, text.count)
        let lines = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        let words = lines.first { $0.hasPrefix("VmHWM:") }?.split { $0 == " " || $0 == "\t" }
        return words.flatMap { $0.count > 1 ? Int64($0[1]) : nil } ?? 0
    }
}
