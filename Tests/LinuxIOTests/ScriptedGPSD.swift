import CLinux
import Foundation
import Glibc
import Synchronization

/// A gpsd on a port of the loopback that says what the test scripts, on a thread of its own.
final class ScriptedGPSD: Sendable {
    enum Line: Sendable {
        case say([UInt8])
        /// Waits for a request that contains the text; what comes instead is skipped.
        case hear(String)
        case pause(millis: Int)
        case hangUp
    }

    static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    static let watch = #"{"class":"WATCH","enable":true,"json":false,"nmea":false,"raw":2,"pps":false}"# + "\r\n"

    static func devices(_ paths: String...) -> String {
        let list = paths.map { #"{"class":"DEVICE","path":"\#($0)","activated":"2026-05-04T08:00:00.000Z"}"# }
        return #"{"class":"DEVICES","devices":[\#(list.joined(separator: ","))]}"# + "\r\n"
    }

    let port: Int
    private let listener: Int32
    private let requests = Mutex<[String]>([])

    /// Everything that clients have asked for, a line an entry.
    var heard: [String] { requests.withLock { $0 } }

    /// - Parameter conversations: one for each connection, in order; then connections are not taken any more.
    init(_ conversations: [Line]...) {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { raw in
            guard let base = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
            _ = bind(fd, base, size)
            _ = getsockname(fd, base, &size)
        }
        listen(fd, 4)
        listener = fd
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            for conversation in conversations { serve(conversation) }
            close(listener)
        }
    }

    /// A port that nobody has at this moment.
    static func freePort() -> Int {
        let gpsd = ScriptedGPSD()
        return gpsd.port
    }

    /// The usual start: greeting, one device, and what follows the WATCH.
    static func streaming(_ rest: Line...) -> [Line] {
        [
            .text(version), .hear("?DEVICES"), .text(devices("/dev/ttyS9")), .hear("?WATCH"),
            .text(devices("/dev/ttyS9") + watch),
        ] + rest
    }

    private func serve(_ conversation: [Line]) {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        defer { close(client) }
        for line in conversation {
            switch line {
            case .say(let bytes):
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { linux_send(client, $0.baseAddress, $0.count) }
                    if count > 0 { rest = rest.dropFirst(count) } else { return }
                }
            case .hear(let text): if !wait(client, for: text) { return }
            case .pause(let millis): usleep(UInt32(millis) * 1_000)
            case .hangUp: return
            }
        }
        // Until the client has had enough.
        while wait(client, for: "\u{0}") {}
    }

    private func wait(_ client: Int32, for text: String) -> Bool {
        while true {
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while byte != 0x0A {
                guard linux_wait_ready(client, 0, 10_000) == 1, read(client, &byte, 1) == 1 else { return false }
                line.append(byte)
            }
            let said = String(decoding: line, as: UTF8.self)
            requests.withLock { $0.append(said) }
            if said.contains(text) { return true }
        }
    }
}

extension ScriptedGPSD.Line {
    static func text(_ text: String) -> Self { .say(Array(text.utf8)) }
}
