import Foundation

/// Certificates made on the spot by the distribution's openssl.
public enum TestCertificate {
    public static let tool = "/usr/bin/openssl"
    public static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: tool) }

    /// A certificate that stands for itself, for `localhost`, and its key.
    /// - Throws: when it was not made.
    public static func make(_ certificate: String, key: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate,
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
