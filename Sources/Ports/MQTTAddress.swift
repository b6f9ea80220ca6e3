import TrackerModel

/// Where an MQTT broker listens and what to publish to: `mqtt://host[:port][/topic]`, `mqtts://…` over TLS.
public struct MQTTAddress: Equatable, Sendable {
    /// The ports that IANA has registered for MQTT, plain and over TLS.
    public static let standardPorts = (plain: 1_883, secure: 8_883)
    /// MQTT 3.1.1 §1.5.3.
    private static let longestTopic = 65_535

    /// Without brackets.
    public var host: String
    /// 1…65 535.
    public var port: Int
    public var isSecure: Bool
    /// `nil` when the text names none.
    public var topic: String?

    /// Whether the text means a broker, complete or not.
    public static func isMeant(_ text: String) -> Bool { text.hasPrefix("mqtt://") || text.hasPrefix("mqtts://") }

    /// `nil` when the text is no such address: another scheme, no host, a port out of range, a topic with a wildcard.
    public init?(_ text: String) {
        guard Self.isMeant(text) else { return nil }
        isSecure = text.hasPrefix("mqtts")
        let rest = text.dropFirst(isSecure ? 8 : 7)
        let authority = rest.prefix { $0 != "/" }
        // The rules for host and port are the same; only the port has another default.
        guard let place = GPSDAddress(GPSDAddress.scheme + authority) else { return nil }
        host = place.host
        let afterHost = authority.hasPrefix("[") ? authority.drop { $0 != "]" } : authority
        let standard = isSecure ? Self.standardPorts.secure : Self.standardPorts.plain
        port = afterHost.contains(":") ? place.port : standard
        let path = rest.dropFirst(authority.count + 1)
        guard path.utf8.count <= Self.longestTopic, !path.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            !path.contains("#"), !path.contains("+")
        else { return nil }
        topic = path.isEmpty ? nil : String(path)
    }

    /// The host is this machine, whatever its name service says.
    public var isLoopback: Bool { HostName.isLoopback(host) }
}
