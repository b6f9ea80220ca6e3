import CLinux
import Glibc

/// A digital line on a Unix socket. Who connects gets the level at once, as the byte `0` or `1`, and a byte at every
/// change; who sends such a byte drives the line.
final class WireSocket {
    private let path: String
    private let listener: Int32
    private var clients: Set<Int32> = []
    private(set) var level: Bool

    init(_ path: String, level: Bool) throws(BenchFailure) {
        self.path = path
        self.level = level
        listener = try ListeningSocket.unix(path)
    }

    deinit {
        for client in clients { close(client) }
        close(listener)
        unlink(path)
    }

    var isWatched: Bool { !clients.isEmpty }

    func set(_ level: Bool) {
        guard level != self.level else { return }
        self.level = level
        for client in clients { tell(client) }
    }

    func prepare(_ polls: inout PollSet) {
        polls.add(listener, POLLIN)
        for client in clients { polls.add(client, POLLIN) }
    }

    func serve(_ polls: PollSet) {
        for client in clients where polls.ready(client) != 0 { hear(client) }
        guard polls.ready(listener) != 0, let client = ListeningSocket.accept(listener) else { return }
        clients.insert(client)
        tell(client)
    }

    private func hear(_ client: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(client, &bytes, bytes.count)
        if count > 0 { return set(bytes[count - 1] == UInt8(ascii: "1")) }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        close(client)
        clients.remove(client)
    }

    /// A client that does not take its byte is broken; it is noticed when it is read.
    private func tell(_ client: Int32) {
        var byte = UInt8(ascii: level ? "1" : "0")
        _ = send(client, &byte, 1, Int32(MSG_NOSIGNAL))
    }
}
