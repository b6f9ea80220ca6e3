import Glibc
import Synchronization

/// A server on 127.0.0.1 that counts the bytes of the requests it reads and answers each with an empty 200.
final class WireSink: Sendable {
    static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)

    let port: UInt16
    private let listener: Int32
    private let received = Atomic<Int>(0)

    /// `nil` when the system refuses a socket or a thread.
    init?() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
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
                Unmanaged<WireSink>.fromOpaque(context).takeRetainedValue().serve()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard started == 0 else { return nil }
        pthread_detach(thread)
    }

    /// Bytes of all requests so far.
    var receivedBytes: Int { received.load(ordering: .acquiring) }

    private func serve() {
        let client = accept(listener, nil, nil)
        var request: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(client, &part, part.count)
            guard count > 0 else { break }
            request += part[..<count]
            guard let size = Self.wholeSize(request), request.count >= size else { continue }
            received.add(request.count, ordering: .releasing)
            request = []
            _ = Self.answer.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
        }
        close(client)
        close(listener)
    }

    /// Head and body of the request that begins here; `nil` while the head is not whole.
    private static func wholeSize(_ request: [UInt8]) -> Int? {
        let text = String(decoding: request.prefix(4_096), as: UTF8.self)
        guard let end = request.indices.dropLast(3).first(where: { request[$0...].starts(with: [13, 10, 13, 10]) })
        else { return nil }
        let line = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        let length = line.flatMap { Int($0.dropFirst("content-length:".count).filter(\.isNumber)) } ?? 0
        return end + 4 + length
    }
}
