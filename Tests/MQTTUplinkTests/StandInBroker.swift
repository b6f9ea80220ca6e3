import CLinux
import Foundation
import Synchronization
import Testing

/// A broker of a few lines that a test can make do what no real one does: stop confirming, and tell how often it was
/// asked.
final class StandInBroker: Sendable {
    struct Seen {
        var connections = 0
        var messages = 0
        var goodbyes = 0
    }

    let port: UInt16
    private let listener: Int32
    private let confirms: Int
    private let answer: UInt8
    private let state = Mutex(Seen())

    var seen: Seen { state.withLock { $0 } }

    /// - Parameters:
    ///   - confirms: so many messages; it is silent about the rest.
    ///   - answer: to CONNECT; 0 lets in.
    init(confirms: Int = .max, answer: UInt8 = 0) throws {
        self.confirms = confirms
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isListening)
        Thread.detachNewThread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let self else { break }
                Thread.detachNewThread { self.serve(client) }
            }
        }
    }

    /// Wakes the thread that waits for connections; threads of open ones end with their clients.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func serve(_ client: Int32) {
        defer { close(client) }
        while let head = Self.read(client, 1)?.first,
            let body = Self.length(client).flatMap({ Self.read(client, $0) })
        {
            var reply: [UInt8] = []
            // The first four bits are the kind of the packet (MQTT 3.1.1 §2.2.1).
            switch head >> 4 {
            case 1:
                state.withLock { $0.connections += 1 }
                reply = [0x20, 2, 0, answer]
            case 3:
                let number = state.withLock { held in
                    held.messages += 1
                    return held.messages
                }
                let topic = Int(body[0]) << 8 | Int(body[1])
                if number <= confirms { reply = [0x40, 2, body[topic + 2], body[topic + 3]] }
            case 12: reply = [0xD0, 0]
            case 14: state.withLock { $0.goodbyes += 1 }
            default: break
            }
            if !reply.isEmpty { _ = send(client, reply, reply.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    private static func read(_ client: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { recv(client, $0.baseAddress! + done, count - done, 0) }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private static func length(_ client: Int32) -> Int? {
        var length = 0
        for group in 0..<4 {
            guard let byte = read(client, 1)?.first else { return nil }
            length |= Int(byte & 0x7F) << (7 * group)
            if byte & 0x80 == 0 { return length }
        }
        return nil
    }
}
