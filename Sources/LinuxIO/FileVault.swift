import CLinux
import Glibc
public import Ports

/// Credentials as files: one of its own in the state directory, and those that operator and service manager provide.
public final class FileVault: CredentialVault {
    /// Below the state directory; mode 0600.
    public static let name = "sync.json"
    /// Header lines are short; a longer file is another one.
    private static let limit = 65_536
    private let path: String

    public init(directory: String) { path = directory + "/" + Self.name }

    public func saved() throws(VaultFailure) -> [UInt8]? {
        do throws(SystemFailure) { return try AtomicFile.read(path: path, limit: Self.limit) } catch {
            if error.number == ENOENT { return nil }
            throw VaultFailure(message: "\(error); remove it and configure the upload again")
        }
    }

    public func save(_ bytes: [UInt8]) throws(VaultFailure) {
        do throws(SystemFailure) { try AtomicFile.write(path: path, bytes: bytes, mode: 0o600) } catch {
            throw VaultFailure(message: "\(error); make the state directory writable for the service user")
        }
    }

    public func deleteSaved() throws(VaultFailure) {
        do throws(SystemFailure) { try System.unlink(path) } catch {
            if error.number != ENOENT { throw VaultFailure(message: "\(error); remove it by hand") }
        }
    }

    public func credential(_ reference: CredentialReference) throws(VaultFailure) -> String {
        switch reference {
        case .file(let path): return try text(of: path)
        case .systemd(let name):
            guard let directory = environment("CREDENTIALS_DIRECTORY") else {
                throw VaultFailure(
                    message: "the service manager passes no credentials; add LoadCredential=\(name):PATH to the unit")
            }
            return try text(of: directory + "/" + name)
        case .environment(let name):
            guard let text = environment(name) else {
                throw VaultFailure(message: "the environment has no \(name); set it in the unit (EnvironmentFile=)")
            }
            return text
        }
    }

    private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// A file that others can read, or the group can write, is refused: the credential is not secret, or not the owner's.
    private func text(of path: String) throws(VaultFailure) -> String {
        let mode: mode_t
        let bytes: [UInt8]
        do throws(SystemFailure) {
            var found = stat()
            try System.call("stat", on: path) { stat(path, &found) }
            mode = found.st_mode
            bytes = try AtomicFile.read(path: path, limit: Self.limit)
        } catch {
            throw VaultFailure(message: "\(error); give the path of a file that the service user may read")
        }
        if mode & 0o027 != 0 {
            throw VaultFailure(message: "\(path) is open to others; chmod 0600 it, or 0640 for the service's group")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
