import CCrypto
public import Ports

/// Hashes by OpenSSL's libcrypto (EVP_Digest(3)).
public final class OpenSSLDigests: Digests {
    public init() {}

    /// 20 bytes; empty when the system's policy forbids SHA-1.
    public func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha1()) }
    /// 32 bytes.
    public func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha256()) }

    private func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { out, count in
            var length: UInt32 = 0
            let done = bytes.withUnsafeBytes {
                EVP_Digest($0.baseAddress, $0.count, out.baseAddress, &length, algorithm, nil)
            }
            count = done == 1 ? Int(length) : 0
        }
    }
}
