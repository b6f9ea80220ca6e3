import TrackerModel

/// Where a gpsd listens: `gpsd://host[:port]`, the host as a name, an IPv4 address or an IPv6 address in brackets.
public struct GPSDAddress: Equatable, Sendable {
    public static let scheme = "gpsd://"
    /// The port that IANA has registered for gpsd, and its default (gpsd(8), option -S).
    public static let standardPort = 2_947

    /// Without brackets.
    public var host: String
    /// 1…65 535.
    public var port: Int

    /// `nil` when the text is no such address: another scheme, no host, a port out of range, anything behind the port.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        let rest = text.dropFirst(Self.scheme.count)
        let host: Substring
        let tail: Substring
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            tail = rest[rest.index(after: end)...]
            guard host.utf8.contains(UInt8(ascii: ":")) else { return nil }
        } else {
            host = rest.prefix { $0 != ":" }
            tail = rest[host.endIndex...]
        }
        // RFC 1035 §2.3.4: a name has at most 255 octets.
        guard (1...255).contains(host.utf8.count), host.utf8.allSatisfy(Self.belongsInHost) else { return nil }
        self.host = String(host)
        if tail.isEmpty {
            port = Self.standardPort
        } else {
            guard tail.hasPrefix(":"), tail.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
                let port = Int(tail.dropFirst()), (1...65_535).contains(port)
            else { return nil }
            self.port = port
        }
    }

    /// The host is this machine, whatever its name service says.
    public var isLoopback: Bool { HostName.isLoopback(host) }

    private static func belongsInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // `-`, `.` and `_` of names, `:` and `%` of IPv6 addresses.
        default: "-._:%".utf8.contains(byte)
        }
    }
}
