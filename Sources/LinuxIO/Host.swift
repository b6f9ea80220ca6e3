import Glibc

/// What the kernel says about this machine, this boot and this process.
public enum Host {
    /// UUID of this boot, lower case.
    public static func bootID() throws(SystemFailure) -> String {
        try AtomicFile.firstLine(of: "/proc/sys/kernel/random/boot_id")
    }

    /// A new random UUID (version 4), lower case.
    public static func randomUUID() -> String {
        var random = SystemRandomNumberGenerator()
        // RFC 9562 §5.4: version and variant bits.
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value & (digits == 16 ? .max : 1 << (4 * UInt64(digits)) - 1), radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
        return [hex(high >> 32, 8), hex(high >> 16, 4), hex(high, 4), hex(low >> 48, 4), hex(low, 12)]
            .joined(separator: "-")
    }

    /// The host name; `localhost` when it has none.
    public static var name: String {
        guard let name = try? AtomicFile.firstLine(of: "/proc/sys/kernel/hostname"), !name.isEmpty, name != "(none)"
        else {
            return "localhost"
        }
        return name
    }

    /// What the device tree or the firmware calls this machine; `nil` where neither does.
    public static var model: String? {
        for path in ["/proc/device-tree/model", "/sys/class/dmi/id/product_name"] {
            guard let text = try? AtomicFile.firstLine(of: path) else { continue }
            // The device tree ends its texts with a NUL.
            let name = text.prefix { $0 != "\0" }
            if !name.isEmpty { return String(name) }
        }
        return nil
    }

    /// The system's release, `Linux 6.6.31+rpt-rpi-v8`.
    public static var operatingSystem: String? {
        guard let release = try? AtomicFile.firstLine(of: "/proc/sys/kernel/osrelease"), !release.isEmpty else {
            return nil
        }
        return "Linux " + release
    }

    /// Of the boot clock.
    public static var uptimeMillis: Int64 { System.bootMillis() }
    public static var processID: Int32 { getpid() }
    public static var userID: UInt32 { geteuid() }
}
