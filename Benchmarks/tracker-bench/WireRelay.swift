import Glibc
import Synchronization

/// Stands between the uplink and a server on this host and counts the bytes of one connection: TLS as it is on the wire,
/// without the headers of TCP and IP.
final class WireRelay: Sendable {
    let port: UInt16
    private let listener: Int32
    private let server: UInt16
    private let up = Atomic<Int>(0)
    private let down = Atomic<Int>(0)

    /// - Parameter server: its port on 127.0.0.1.
    /// `nil` when the system refuses a socket or a thread.
    init?(to server: UInt16) {
        self.server = server
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { return nil }
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<WireRelay>.fromOpaque(context).takeRetainedValue().serve()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard started == 0 else { return nil }
        pthread_detach(thread)
    }

    /// Bytes to and from the server so far; what an answer belongs to has been counted before the answer is passed on.
    var counts: (up: Int, down: Int) { (up.load(ordering: .acquiring), down.load(ordering: .acquiring)) }

    private func serve() {
        let client = accept(listener, nil, nil)
        close(listener)
        let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: server)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        var part = [UInt8](repeating: 0, count: 65_536)
        while isConnected {
            var ends = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ends, 2, -1) > 0 else { break }
            if ends[0].revents != 0, !pass(client, upstream, &part, up) { break }
            if ends[1].revents != 0, !pass(upstream, client, &part, down) { break }
        }
        close(client)
        close(upstream)
    }

    /// False when either end has gone.
    private func pass(_ from: Int32, _ to: Int32, _ part: inout [UInt8], _ counter: borrowing Atomic<Int>) -> Bool {
        let count = read(from, &part, part.count)
        guard count > 0 else { return false }
        counter.add(count, ordering: .releasing)
        var sent = 0
        while sent < count {
            let more = part.withUnsafeBytes {
                send(to, $0.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
            }
            guard more > 0 else { return false }
            sent += more
        }
        return true
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
