import CLinux
import Glibc

/// A pseudo-terminal of which the test holds the master side.
final class PseudoTerminal {
    let master: Int32
    let path: String
    private var isOpen = true

    init() {
        var slave = [CChar](repeating: 0, count: 64)
        master = linux_pty_open(&slave)
        path = String(decoding: slave.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { unplug() }

    func unplug() {
        if isOpen { close(master) }
        isOpen = false
    }

    func send(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) } }

    /// What arrives within 2 s, at most `limit` bytes.
    func receive(limit: Int = 256) -> [UInt8] {
        guard linux_wait_ready(master, 0, 2_000) == 1 else { return [] }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = read(master, &buffer, limit)
        return Array(buffer.prefix(max(0, count)))
    }
}
