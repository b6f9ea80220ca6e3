import CLinux
import Glibc

/// A log in memory.
enum LogBytes {
    /// `nil` when it cannot be read or is empty.
    static func read(_ path: String) -> [UInt8]? {
        let file = linux_open(path, O_RDONLY, 0)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_size > 0 else { return nil }
        let size = Int(facts.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
            while filled < size {
                let count = Glibc.read(file, room.baseAddress! + filled, size - filled)
                guard count > 0 else { break }
                filled += count
            }
        }
        return bytes.count == size ? bytes : nil
    }
}
