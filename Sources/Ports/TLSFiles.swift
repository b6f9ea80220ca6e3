import Glibc

/// The files that TLS connections are made with, as absolute paths; PEM.
public struct TLSFiles: Equatable, Sendable {
    /// Certificates to trust; empty: the system's.
    public var authorities = ""
    /// The certificate that this device shows, with those between it and its authority; empty: none.
    public var certificate = ""
    /// The private key of `certificate`, without a pass phrase; empty: none.
    public var key = ""

    public init(authorities: String = "", certificate: String = "", key: String = "") {
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
    }

    /// Why no connection is to be made with these, or `nil`. Looked at before each exchange: a renewed certificate takes
    /// the place of the old one while the tracker runs.
    public var refusal: UplinkFailure? {
        let files = [("caFile", authorities), ("clientCertificate", certificate), ("clientKey", key)]
        for (name, path) in files where !path.isEmpty {
            var found = stat()
            guard stat(path, &found) == 0, access(path, R_OK) == 0 else {
                let cause = "upload.\(name): \(path): \(String(cString: strerror(errno)))"
                return Self.unusable("\(cause); give the path of a file that the service user may read.")
            }
            // Who can read the key can be this device; who can write it can take the device away.
            if path == key, found.st_mode & 0o027 != 0 {
                return Self.unusable(
                    "upload.\(name): \(path) is open to others; chmod 0600 it, or 0640 for the service's group.")
            }
        }
        return nil
    }

    private static func unusable(_ cause: String) -> UplinkFailure { UplinkFailure(code: .tlsFiles, cause: cause) }
}
