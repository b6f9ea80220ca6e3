public import Ports
public import TrackerModel

/// Credentials in memory; the test sets them, and may make them unreadable.
public final class MemoryVault: CredentialVault {
    public var bytes: [UInt8]?
    public var credentials: [String: String] = [:]
    public private(set) var saves = 0

    public init() {}

    public func saved() throws(VaultFailure) -> [UInt8]? { bytes }
    public func save(_ bytes: [UInt8]) throws(VaultFailure) {
        self.bytes = bytes
        saves += 1
    }
    public func deleteSaved() throws(VaultFailure) { bytes = nil }
    public func credential(_ reference: CredentialReference) throws(VaultFailure) -> String {
        let name =
            switch reference {
            case .file(let name), .systemd(let name), .environment(let name): name
            }
        guard let text = credentials[name] else { throw VaultFailure(message: "\(name) is not there") }
        return text
    }
}

/// A link that the test takes away and brings back.
public final class ScriptedRoutes: LinkSource {
    public var defaultInterface: String? {
        get { reading.route }
        set { reading.route = newValue }
    }
    public var reading: LinkReading { didSet { if reading != oldValue, !isSilent { changed?() } } }
    /// Changes are not reported, as where the kernel does not say.
    public var isSilent = false
    private var changed: (() -> Void)?

    public init(_ interface: String? = "eth0") { reading = LinkReading(route: interface) }

    public func watch(_ changed: @escaping () -> Void) { self.changed = changed }
    public func close() { changed = nil }
}
