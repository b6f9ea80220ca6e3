import CLinux
import DeviceSimulator
import Glibc
import WireText

/// Keeps the events of a device.
final class RecordingEvents {
    private(set) var events: [JSONObject] = []
    var names: [String] { events.compactMap { $0["event"]?.stringValue } }
    func take(_ event: JSONObject) { events.append(event) }
}

/// A path of its own in the temporary folder, short enough for a socket.
func benchPath(_ name: String) -> String { "/tmp/tracker-sim-\(getpid())-\(name)" }

/// Turns the device until the condition holds or the time is over.
func turn(_ device: any BenchDevice, atMostSeconds seconds: Double = 10, until isDone: () -> Bool) {
    let end = linux_clock_nanos(CLOCK_MONOTONIC) + Int64(seconds * 1e9)
    while !isDone(), linux_clock_nanos(CLOCK_MONOTONIC) < end { device.turn(orUntilReadable: -1, atMostMillis: 5) }
}

/// A test's end of a device or connection, non-blocking.
final class BenchPeer {
    let descriptor: Int32
    private(set) var bytes: [UInt8] = []
    /// True once the other end has closed.
    private(set) var isClosed = false

    init(descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }

    static func opening(_ path: String) -> BenchPeer {
        BenchPeer(descriptor: linux_open(path, O_RDWR | O_NOCTTY | O_NONBLOCK, 0))
    }

    static func connecting(unix path: String) -> BenchPeer {
        var address = sockaddr_un()
        var length: socklen_t = 0
        _ = linux_unix_address(&address, path, &length)
        return connected(AF_UNIX, &address, length)
    }

    static func connecting(port: UInt16) -> BenchPeer {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return connected(AF_INET, &address, socklen_t(MemoryLayout<sockaddr_in>.size))
    }

    private static func connected<Address>(_ family: Int32, _ address: inout Address, _ length: socklen_t) -> BenchPeer
    {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(descriptor, $0, length) }
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return BenchPeer(descriptor: descriptor)
    }

    func write(_ bytes: [UInt8]) { _ = Glibc.write(descriptor, bytes, bytes.count) }
    func write(_ text: String) { write(Array(text.utf8)) }

    /// Takes what is there.
    func poll() {
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &part, part.count)
            if count == 0 { isClosed = true }
            if count < 0, errno != EAGAIN { isClosed = true }
            if count <= 0 { return }
            bytes += part[..<count]
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    func forget() { bytes = [] }
}
