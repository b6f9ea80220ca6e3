import CLinux
import Foundation
import Testing

@testable import LinuxIO

@Suite("Small files")
struct AtomicFileTests {
    private let directory = TemporaryDirectory()

    @Test("What is written is read, with its mode whatever the umask, and nothing is left beside it")
    func roundTrip() throws {
        let path = directory.file("config")
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try AtomicFile.write(path: path, bytes: [1], mode: 0o666)
        try AtomicFile.write(path: path, bytes: bytes, mode: 0o600)
        #expect(try AtomicFile.read(path: path) == bytes)
        #expect(try System.status(path).st_mode & 0o777 == 0o600)
        #expect(DirectoryListing.names(directory.path) == ["config"])
        try AtomicFile.write(path: path, bytes: [])
        #expect(try AtomicFile.read(path: path) == [])
    }

    @Test("What a crash left half written is replaced (E-124)")
    func leftOver() throws {
        directory.put("config.tmp", "half")
        try AtomicFile.write(path: directory.file("config"), bytes: [7])
        #expect(DirectoryListing.names(directory.path) == ["config"])
    }

    @Test("A failed write leaves the old content")
    func failedWrite() throws {
        let path = directory.file("config")
        try AtomicFile.write(path: path, bytes: [1])
        try FileManager.default.createDirectory(atPath: path + ".tmp", withIntermediateDirectories: false)
        #expect(throws: SystemFailure.self) { try AtomicFile.write(path: path, bytes: [2]) }
        #expect(try AtomicFile.read(path: path) == [1])
    }

    @Test("A file over the limit is refused, one at the limit is read")
    func limit() throws {
        let path = directory.file("f")
        try AtomicFile.write(path: path, bytes: [1, 2, 3])
        #expect(try AtomicFile.read(path: path, limit: 3) == [1, 2, 3])
        #expect(throws: SystemFailure(call: "read", number: EFBIG)) { try AtomicFile.read(path: path, limit: 2) }
        #expect(throws: SystemFailure.self) { try AtomicFile.read(path: "/no/such") }
        #expect(throws: SystemFailure.self) { try AtomicFile.read(path: directory.path) }
    }

    @Test("Directories are made down to the last, once and again", arguments: ["a/b/c", "a/b/c/", "x"])
    func directories(name: String) throws {
        let path = directory.file(name)
        try AtomicFile.makeDirectories(path, mode: 0o700)
        try AtomicFile.makeDirectories(path, mode: 0o755)
        #expect(try System.status(path).st_mode & (S_IFMT | 0o777) == S_IFDIR | 0o700)
    }

    @Test("A file in the way is refused")
    func fileInTheWay() throws {
        directory.put("file", "")
        #expect(throws: SystemFailure(call: "mkdir", number: ENOTDIR)) {
            try AtomicFile.makeDirectories(directory.file("file"))
        }
        #expect(throws: SystemFailure.self) { try AtomicFile.makeDirectories(directory.file("file/below")) }
        #expect(throws: SystemFailure.self) { try AtomicFile.makeDirectories("") }
    }
}
