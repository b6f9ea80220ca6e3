import CLinux
import Glibc
public import Ports
public import TrackerModel

/// The default route as the kernel's tables have it (`/proc/net/route`, `/proc/net/ipv6_route`) and whether its interface
/// runs; netlink tells when to look again.
public final class KernelRoutes: LinkSource {
    private let reactor: LinuxReactor
    private let interface: String
    private let tables: String
    private var socket: Int32 = -1

    /// - Parameters:
    ///   - interface: the only one whose routes count; empty: any.
    ///   - tables: the directory of the two tables.
    public init(reactor: LinuxReactor, interface: String = "", tables: String = "/proc/net") {
        self.reactor = reactor
        self.interface = interface
        self.tables = tables
    }

    deinit { close() }

    /// IPv4 before IPv6. A cable that was pulled leaves the route as it is, and the kernel goes on sending into it.
    public var reading: LinkReading {
        guard let route = Self.fourth(text("route"), of: interface) ?? Self.sixth(text("ipv6_route"), of: interface)
        else { return LinkReading() }
        return LinkReading(route: route, hasCarrier: Self.runs(route))
    }

    /// Operational: up, or of a kind that does not say (RFC 2863 §3.1.12). True where the kernel does not tell.
    static func runs(_ interface: String) -> Bool {
        do throws(SystemFailure) {
            return try System.call("ioctl(SIOCGIFFLAGS)", on: interface) { linux_interface_runs(interface) } == 1
        } catch { return error.number != ENODEV }
    }

    /// Where netlink is not to be had nothing is ever reported; who asks looks again from time to time.
    public func watch(_ changed: @escaping () -> Void) {
        close()
        guard let fd = try? System.call("socket", { linux_route_socket() }) else { return }
        let watched: Void? = try? reactor.watch(fd, for: .readable) { _ in
            // What it says is not needed: the tables say it better. A lost message (ENOBUFS) is news as well.
            for _ in 0..<64 {
                guard let bytes = try? System.read(fd, limit: 8_192), !bytes.isEmpty else { break }
            }
            changed()
        }
        guard watched != nil else { return System.close(fd) }
        socket = fd
    }

    public func close() {
        guard socket >= 0 else { return }
        reactor.unwatch(socket)
        System.close(socket)
        socket = -1
    }

    private func text(_ table: String) -> String {
        let bytes = try? AtomicFile.read(path: tables + "/" + table)
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// `Iface Destination Gateway Flags RefCnt Use Metric Mask …`; the lowest metric wins.
    ///
    ///     eth0  00000000  010200C0  0003  0  0  100  00000000  0  0  0
    static func fourth(_ table: String, of interface: String = "") -> String? {
        best(table, of: interface) { fields in
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000" else { return nil }
            return usable(flags: fields[3], metric: Int64(fields[6])).map { (fields[0], $0) }
        }
    }

    /// `destination prefix source prefix next-hop metric refs use flags interface`, numbers in hex.
    static func sixth(_ table: String, of interface: String = "") -> String? {
        best(table, of: interface) { fields in
            guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), fields[1] == "00", fields[9] != "lo" else {
                return nil
            }
            return usable(flags: fields[8], metric: Int64(fields[5], radix: 16)).map { (fields[9], $0) }
        }
    }

    private static func best(
        _ table: String, of interface: String, _ read: ([String]) -> (String, Int64)?
    ) -> String? {
        let routes = table.split(separator: "\n").compactMap { line in
            read(line.split { $0 == " " || $0 == "\t" }.map(String.init))
        }
        return routes.filter { interface.isEmpty || $0.0 == interface }.min { $0.1 < $1.1 }?.0
    }

    /// Up, and not one that refuses (RTF_UP 0x1, RTF_REJECT 0x200).
    private static func usable(flags: String, metric: Int64?) -> Int64? {
        guard let flags = Int64(flags, radix: 16), flags & 0x1 != 0, flags & 0x200 == 0 else { return nil }
        return metric
    }
}
