import Glibc

/// What the kernel says about this machine, this boot and this process.
public enum Host {
    /// UUID of this boot, lower case.
    public static func bootID() throws(SystemFailure) -> String {
        try line("/proc/sys/kernel/random/boot_id")
    }

    /// A new random UUID (version 4), lower case.
    public static func randomUUID() throws(SystemFailure) -> String {
        try line("/proc/sys/kernel/random/uuid")
    }

    /// The host name; `localhost` when it has none.
    public static var name: String {
        guard let name = try? line("/proc/sys/kernel/hostname"), !name.isEmpty, name != "(none)" else {
            return "localhost"
        }
        return name
    }

    public static var processID: Int32 { getpid() }

    /// The most memory this process has held, KiB (`VmHWM` of proc_pid_status(5)); `nil` without /proc.
    public static var peakMemoryKiB: Int64? {
        guard let bytes = try? AtomicFile.read(path: "/proc/self/status") else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let words = lines.first { $0.hasPrefix("VmHWM:") }?.split { $0 == " " || $0 == "\t" }
        return words.flatMap { $0.count > 1 ? Int64($0[1]) : nil }
    }

    private static func line(_ path: String) throws(SystemFailure) -> String {
        let bytes = try AtomicFile.read(path: path, limit: 4_096)
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
