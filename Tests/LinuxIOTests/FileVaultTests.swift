import CLinux
import Glibc
import Ports
import Testing

@testable import LinuxIO

@Suite("Credentials as files")
struct FileVaultTests {
    private let directory = TemporaryDirectory()

    @Test("What is kept is for the service user alone, replaced whole, and gone when deleted")
    func saved() throws {
        let vault = FileVault(directory: directory.path)
        #expect(try vault.saved() == nil)
        try vault.deleteSaved()
        try vault.save(Array("one".utf8))
        try vault.save(Array("two".utf8))
        #expect(try vault.saved() == Array("two".utf8))
        #expect(try System.status(directory.path + "/sync.json").st_mode & 0o777 == 0o600)
        try vault.deleteSaved()
        #expect(try vault.saved() == nil)
    }

    @Test("A credential file that others can read is refused", arguments: [0o600, 0o640, 0o400, 0o644, 0o660, 0o604])
    func mode(mode: Int) throws {
        let path = directory.path + "/token"
        try AtomicFile.write(path: path, bytes: Array("X-Token: one".utf8), mode: UInt32(mode))
        let vault = FileVault(directory: directory.path)
        let isSafe = mode & 0o027 == 0
        if isSafe {
            #expect(try vault.credential(.file(path)) == "X-Token: one")
        } else {
            #expect(throws: VaultFailure.self) { try vault.credential(.file(path)) }
        }
    }

    @Test("What is not there is told by name, with what to do")
    func missing() {
        let vault = FileVault(directory: directory.path)
        for reference in [CredentialReference.file("/nowhere/token"), .environment("TRACKER_NO_SUCH_NAME")] {
            do throws(VaultFailure) {
                _ = try vault.credential(reference)
                Issue.record("\(reference) was found")
            } catch { #expect(error.message.contains(";")) }
        }
    }

    @Test("Credentials of the service manager and of the environment are found by their names")
    func environment() throws {
        let path = directory.path + "/upload"
        try AtomicFile.write(path: path, bytes: Array("X-Token: two".utf8), mode: 0o400)
        setenv("CREDENTIALS_DIRECTORY", directory.path, 1)
        setenv("TRACKER_TEST_TOKEN", "X-Token: three", 1)
        defer {
            unsetenv("CREDENTIALS_DIRECTORY")
            unsetenv("TRACKER_TEST_TOKEN")
        }
        let vault = FileVault(directory: directory.path)
        #expect(try vault.credential(.systemd("upload")) == "X-Token: two")
        #expect(try vault.credential(.environment("TRACKER_TEST_TOKEN")) == "X-Token: three")
    }
}
