import CLinux
import Glibc
import Ports
import Synchronization
import Testing

/// A blocking HTTP server on 127.0.0.1 that answers successive requests as told; the last answer repeats.
final class ScriptedServer: Sendable {
    enum Answer: Sendable {
        /// These bytes, then the connection is closed.
        case bytes([UInt8])
        /// These bytes, and the connection stays for the next request.
        case keepAlive([UInt8])
        /// These bytes one at a time with a pause, until the client leaves.
        case drip([UInt8], pauseMillis: UInt32)
        /// Nothing, until the client leaves.
        case hang

        static func text(_ text: String) -> Answer { .bytes(Array(text.utf8)) }
    }

    struct Request: Sendable {
        /// Request line and header lines, without the empty one.
        var lines: [String]
        var body: [UInt8]
    }

    private struct Record {
        var requests: [Request] = []
        var connections = 0
    }

    let port: UInt16
    private let listener: Int32
    private let answers: [Answer]
    private let greeting: [UInt8]
    private let record = Mutex(Record())

    /// - Parameter greeting: sent to every client before it has said anything.
    init(_ answers: [Answer], greeting: [UInt8] = []) throws {
        self.answers = answers
        self.greeting = greeting
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(bound)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let started = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<ScriptedServer>.fromOpaque(context).takeRetainedValue().serve()
                return nil
            }, context)
        try #require(started == 0)
        pthread_detach(thread)
    }

    var url: String { "http://127.0.0.1:\(port)/points" }
    var requests: [Request] { record.withLock { $0.requests } }
    var connections: Int { record.withLock { $0.connections } }

    /// Ends the thread once its client has left; later connections are refused.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        defer { close(listener) }
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0 { return }
            record.withLock { $0.connections += 1 }
            _ = Self.send(connection, greeting)
            while let request = Self.read(connection) {
                let number = record.withLock { held in
                    held.requests.append(request)
                    return held.requests.count
                }
                if !answer(connection, answers[min(number, answers.count) - 1]) { break }
            }
            close(connection)
        }
    }

    /// Returns whether the connection stays.
    private func answer(_ connection: Int32, _ answer: Answer) -> Bool {
        switch answer {
        case .bytes(let bytes): _ = Self.send(connection, bytes)
        case .keepAlive(let bytes): return Self.send(connection, bytes)
        case .drip(let bytes, let pause):
            for byte in bytes {
                usleep(pause * 1_000)
                if !Self.send(connection, [byte]) { break }
            }
        case .hang:
            var byte: UInt8 = 0
            _ = recv(connection, &byte, 1, 0)
        }
        return false
    }

    private static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// One request with the body its `Content-Length` announces; `nil` when the client has left.
    private static func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        func more() -> Bool {
            let count = recv(connection, &part, part.count, 0)
            if count > 0 { bytes += part[..<count] }
            return count > 0
        }
        let blank = Array("\r\n\r\n".utf8)
        var end: Int?
        while end == nil {
            end = bytes.indices.first { bytes[$0...].starts(with: blank) }
            if end == nil && !more() { return nil }
        }
        let head = String(decoding: bytes[..<(end ?? 0)], as: UTF8.self)
        let lines = head.split(separator: "\r\n").map(String.init)
        let length =
            lines.lazy.compactMap { line in
                line.lowercased().hasPrefix("content-length: ") ? Int(line.dropFirst(16)) : nil
            }.first ?? 0
        let bodyStart = (end ?? 0) + blank.count
        while bytes.count < bodyStart + length { if !more() { return nil } }
        return Request(lines: lines, body: Array(bytes[bodyStart...]))
    }
}
