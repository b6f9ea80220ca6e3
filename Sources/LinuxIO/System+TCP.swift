import CLinux
import Glibc

/// Connections over the network.
extension System {
    /// Literal addresses of a host, in the order to try them.
    /// - Parameter numericOnly: does not ask the name service, which may take long: a name is `ENOENT` then.
    static func addresses(of host: String, numericOnly: Bool) throws(SystemFailure) -> [String] {
        // Eight addresses with their scopes (INET6_ADDRSTRLEN is 46).
        var text = [CChar](repeating: 0, count: 512)
        try call("getaddrinfo", on: host) { linux_addresses(host, numericOnly ? 1 : 0, &text, text.count) }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A socket that connects meanwhile; when it can be written to, `connectionError` says what came of it.
    static func startConnection(to address: String, port: Int) throws(SystemFailure) -> Int32 {
        try call("connect", on: "\(address) port \(port)") { linux_tcp_start(address, Int32(clamping: port)) }
    }

    /// The error of a socket; 0 when it is connected.
    static func connectionError(_ fd: Int32) -> Int32 { linux_socket_error(fd) }
}
