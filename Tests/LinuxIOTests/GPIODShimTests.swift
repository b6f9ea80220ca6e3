import Foundation
import Glibc
import Testing

/// The tests' own libgpiod has the interface of the installed one; here the shim is compiled and run over either.
@Suite("The shim over libgpiod") struct GPIODShimTests {
    private static let compiler: String? = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"]
        .first { access($0, X_OK) == 0 }

    private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test(
        "finds, reads, drives and releases lines with the interface of libgpiod 1.x and of 2.x",
        .enabled(if: compiler != nil, "there is no C compiler"), arguments: [1, 2])
    func generation(number: Int) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let stub = tests + "/CGpiodStub"
        let folder = TemporaryDirectory()
        let program = folder.file("shim-test")
        let built = try run(
            try #require(Self.compiler),
            [
                "-Wall", "-Wextra", "-Werror", "-I", "\(stub)/generation\(number)", "-I", stub + "/include",
                "-I", tests + "/../Sources/CGpiod", stub + "/stub.c", stub + "/shim_test.c", "-o", program,
            ])
        #expect(built.status == 0, "\(built.output)")
        let tested = try run(program, [])
        #expect(tested.status == 0, "\(tested.output)")
    }
}
