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

@Suite("The default route")
struct KernelRoutesTests {
    @Test(
        "It is read from the kernel's tables, the lowest metric first",
        arguments: [
            ("", nil),
            ("Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n", nil),
            ("eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n", nil),
            ("eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n", "eth0"),
            ("eth0\t00000000\t010200C0\t0202\t0\t0\t0\t00000000\t0\t0\t0\n", nil),
            (
                "wwan0\t00000000\t010200C0\t0003\t0\t0\t700\t00000000\t0\t0\t0\n"
                    + "wlan0\t00000000\t010200C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n", "wlan0"
            ), ("eth0\t00000000\n\nx y z", nil),
        ] as [(String, String?)])
    func fourth(table: String, expected: String?) { #expect(KernelRoutes.fourth(table) == expected) }

    @Test("IPv6 alone is a route too; the loopback's refusal is none")
    func sixth() {
        let zeros = String(repeating: "0", count: 32)
        let refusal = "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo\n"
        let route = "\(zeros) 00 \(zeros) 00 fe80\(zeros.dropFirst(4)) 00000400 00000001 00000000 00000003     eth0\n"
        #expect(KernelRoutes.sixth(refusal) == nil)
        #expect(KernelRoutes.sixth(refusal + route) == "eth0")
    }
}
