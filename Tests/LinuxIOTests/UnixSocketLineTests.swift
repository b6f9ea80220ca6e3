import CLinux
import Glibc
import Ports
import Testing

@testable import LinuxIO

@Suite("Lines of a simulated board")
struct UnixSocketLineTests {
    /// A board with one line at a level; answers one connection.
    private final class Wire {
        let path = "/tmp/tracker-line-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        private let listener: Int32
        private(set) var client: Int32 = -1

        init() {
            var address = sockaddr_un()
            var length: socklen_t = 0
            _ = linux_unix_address(&address, path, &length)
            listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let descriptor = listener
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(descriptor, $0, length) }
            }
            listen(listener, 4)
        }

        deinit {
            close(client)
            close(listener)
            unlink(path)
        }

        /// Takes the next connection on a thread, with the level.
        func serve(level: String) -> Worker<Int32> {
            let listener = listener
            let byte = level.utf8.first ?? 0
            return Worker {
                let client = accept(listener, nil, nil)
                var byte = byte
                _ = write(client, &byte, 1)
                return client
            }
        }

        func keep(_ worker: Worker<Int32>) { client = worker.wait() ?? -1 }
        func say(_ text: String) { _ = write(client, text, text.utf8.count) }

        func hear() -> UInt8 {
            var byte: UInt8 = 0
            return read(client, &byte, 1) == 1 ? byte : 0
        }
    }

    @Test("An input has its level from the start, tells every change, and fails when the board is gone")
    func input() throws {
        let (reactor, wire) = (try LinuxReactor(), Wire())
        let lines = GPIODLines(reactor: reactor)
        #expect(GPIODLines.isSimulated("unix:\(wire.path) low") && !GPIODLines.isSimulated("GPIO17"))
        let served = wire.serve(level: "1")
        var edges: [Bool] = []
        let input = try lines.input("unix:\(wire.path)", onEdge: { edges.append($0.isActive) })
        wire.keep(served)
        #expect(input.isActive)
        wire.say("010")
        try Loop.idle(reactor, millis: 100)
        #expect(edges == [false, true, false] && !input.isActive && input.failure == nil)
        shutdown(wire.client, Int32(SHUT_RDWR))
        try Loop.idle(reactor, millis: 100)
        #expect(input.failure != nil)
    }

    @Test("An output says its level; active low is the other way round")
    func output() throws {
        let (reactor, wire) = (try LinuxReactor(), Wire())
        let served = wire.serve(level: "1")
        let output = try GPIODLines(reactor: reactor).output("unix:\(wire.path) low", isActive: true)
        wire.keep(served)
        #expect(wire.hear() == UInt8(ascii: "0"))
        try output.set(false)
        #expect(wire.hear() == UInt8(ascii: "1"))
    }

    @Test("Without a board the line is refused, with what to do")
    func absent() throws {
        let lines = GPIODLines(reactor: try LinuxReactor())
        do throws(LineFailure) {
            _ = try lines.output("unix:/tmp/tracker-no-such-line", isActive: true)
            Issue.record("taken")
        } catch { #expect(error.remedy.contains("simulator")) }
    }
}
