/// Host names as they stand in addresses.
public enum HostName {
    /// This machine, whatever its name service says. Digits and dots alone are an address: `127.evil.example` is a name
    /// that anybody may own.
    /// - Parameter host: without brackets and port.
    public static func isLoopback(_ host: some StringProtocol) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        return host.hasPrefix("127.") && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// What stands between `//` and the path: user, host and port. Empty when there is no `//`.
    public static func authority(of url: String) -> Substring {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return "" }
        return url[url.index(colon, offsetBy: 3)...].prefix { !"/?#".contains($0) }
    }

    /// The host of `scheme://host[:port][/…]`, without brackets. `nil` when there is none, or somebody's name before it.
    public static func of(_ url: String) -> Substring? {
        let authority = authority(of: url)
        guard !authority.contains("@") else { return nil }
        var host = authority.prefix { $0 != ":" }
        var tail = authority[host.endIndex...]
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[..<end].dropFirst()
            tail = authority[end...].dropFirst()
        }
        return host.isEmpty || !(tail.isEmpty || tail.hasPrefix(":")) ? nil : host
    }
}
