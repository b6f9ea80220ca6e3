import Glibc

/// The client's end of a Unix stream, every step bounded by one deadline.
final class UnixClient {
    private let fd: Int32
    private let path: String

    /// - Throws: also `EAGAIN` when the listener does not take the connection within `millis`.
    init(path: String, withinMillis millis: Int64) throws(SystemFailure) {
        self.path = path
        fd = try System.connectedStream(path, withinMillis: millis)
    }

    deinit { System.close(fd) }

    /// Sends everything.
    /// - Parameter deadline: `System.bootMillis` after which it throws `ETIMEDOUT`.
    func send(_ bytes: [UInt8], deadline: Int64) throws(SystemFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if let count = try System.send(fd, rest) {
                rest = rest.dropFirst(count)
            } else {
                try waitReady(forWriting: true, deadline)
            }
        }
    }

    /// At least one byte, or empty when the peer has closed.
    func receive(upTo limit: Int, deadline: Int64) throws(SystemFailure) -> [UInt8] {
        while true {
            if let bytes = try System.read(fd, limit: limit) { return bytes }
            try waitReady(forWriting: false, deadline)
        }
    }

    /// Exactly `count` bytes; a peer that closes before is `ECONNRESET`.
    func receive(exactly count: Int, deadline: Int64) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let part = try receive(upTo: count - bytes.count, deadline: deadline)
            if part.isEmpty { throw SystemFailure(call: "read", subject: path, number: ECONNRESET) }
            bytes += part
        }
        return bytes
    }

    private func waitReady(forWriting: Bool, _ deadline: Int64) throws(SystemFailure) {
        let left = deadline - System.bootMillis()
        guard try System.isReady(fd, forWriting: forWriting, withinMillis: left) else {
            throw SystemFailure(call: forWriting ? "send" : "read", subject: path, number: ETIMEDOUT)
        }
    }
}
