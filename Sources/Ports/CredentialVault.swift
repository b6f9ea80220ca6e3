/// Where credentials of uploads are kept, apart from the configuration.
public protocol CredentialVault: AnyObject {
    /// What `save` kept; `nil` when there is nothing.
    func saved() throws(VaultFailure) -> [UInt8]?
    /// Replaces it; durable when this returns, for the service user's eyes only.
    func save(_ bytes: [UInt8]) throws(VaultFailure)
    /// Nothing to delete is no failure.
    func deleteSaved() throws(VaultFailure)
    /// The present text behind a reference.
    func credential(_ reference: CredentialReference) throws(VaultFailure) -> String
}

/// Where a credential stands that somebody else keeps.
public enum CredentialReference: Equatable, Sendable {
    case file(String)
    /// The name of a credential that the service manager passes (systemd.exec(5), `LoadCredential=`).
    case systemd(String)
    /// The name of an environment variable.
    case environment(String)
}

/// Why a credential cannot be read or kept, and what to do; never the credential.
public struct VaultFailure: Error, Equatable, Sendable {
    public var message: String
    public init(message: String) { self.message = message }
}
