import CLinux
import Glibc

/// Sockets that a bench device listens on; non-blocking.
enum ListeningSocket {
    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    /// A Unix socket; a file left by a dead server is replaced, that of a living one is not.
    static func unix(_ path: String) throws(BenchFailure) -> Int32 {
        var address = sockaddr_un()
        var length: socklen_t = 0
        guard linux_unix_address(&address, path, &length) == 0 else {
            throw .call("socket path", path, remedy: "Use a path of at most 107 bytes.")
        }
        let probe = socket(AF_UNIX, kind, 0)
        let isServed = withSocketAddress(&address) { connect(probe, $0, length) } == 0
        close(probe)
        if isServed {
            throw BenchFailure(cause: "another process serves \(path)", remedy: "Stop it, or use another path.")
        }
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
        return try listening(AF_UNIX, path) { descriptor in
            withSocketAddress(&address) { bind(descriptor, $0, length) }
        }
    }

    /// A TCP socket on 127.0.0.1 and the port it got; port 0 takes any free one.
    static func loopback(port: UInt16) throws(BenchFailure) -> (descriptor: Int32, port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = try listening(AF_INET, "127.0.0.1:\(port)") { descriptor in
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
            return withSocketAddress(&address) { bind(descriptor, $0, length) }
        }
        _ = withSocketAddress(&address) { getsockname(descriptor, $0, &length) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// The next connection, non-blocking; `nil` when there is none.
    static func accept(_ listener: Int32) -> Int32? {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return nil }
        guard fcntl(client, F_SETFL, O_NONBLOCK) == 0, fcntl(client, F_SETFD, FD_CLOEXEC) == 0 else {
            close(client)
            return nil
        }
        return client
    }

    private static func listening(_ family: Int32, _ name: String, bind: (Int32) -> Int32) throws(BenchFailure) -> Int32
    {
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw .call("socket", name, remedy: "Raise the limit of open files (ulimit -n).") }
        guard bind(descriptor) == 0, listen(descriptor, 16) == 0 else {
            let failure = BenchFailure.call("bind", name, remedy: "Use another address, or stop what holds this one.")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    private static func withSocketAddress<Address, Result>(
        _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
