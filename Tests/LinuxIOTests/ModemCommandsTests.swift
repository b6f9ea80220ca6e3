import Glibc
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("A modem that is switched by two programs")
struct ModemCommandsTests {
    private let folder = TemporaryDirectory()

    private func program(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try AtomicFile.write(path: path, bytes: Array("#!/bin/sh\n\(text)\n".utf8), mode: 0o755)
        return path
    }

    @Test("The programs run one after the other in the order of the calls")
    func order() throws {
        let reactor = try LinuxReactor()
        let log = folder.path + "/log"
        let on = try program("on", "sleep 0.2; echo on >> \(log)")
        let power = ModemCommands(
            on: on, off: try program("off", "echo off >> \(log); echo x >> \(log).done"), reactor: reactor)
        power.onFailure = { Issue.record("\($0)") }
        power.switchOn()
        power.switchOff()
        reactor.schedule(at: reactor.now.advanced(byMillis: 50), toleranceMillis: 0) { [self] in
            waitFor(log + ".done", reactor)
        }
        try Loop.run(reactor)
        let text = String(decoding: try AtomicFile.read(path: log), as: UTF8.self)
        #expect(text == "on\noff\n")
    }

    private func waitFor(_ path: String, _ reactor: LinuxReactor) {
        if access(path, F_OK) == 0 { return reactor.stop() }
        reactor.schedule(at: reactor.now.advanced(byMillis: 50), toleranceMillis: 0) { waitFor(path, reactor) }
    }

    @Test("At the end what runs is waited for, and a modem that is on is switched off before it is over")
    func close() throws {
        let reactor = try LinuxReactor()
        let log = folder.path + "/log"
        let power = ModemCommands(
            on: try program("on", "sleep 0.2; echo on >> \(log)"), off: try program("off", "echo off >> \(log)"),
            reactor: reactor)
        power.onFailure = { Issue.record("\($0)") }
        power.switchOn()
        power.switchOff()
        for (isOn, expected) in [(false, "on\noff\n"), (false, "on\noff\n"), (true, "on\noff\noff\n")] {
            power.close(isOn: isOn)
            let text = String(decoding: try AtomicFile.read(path: log), as: UTF8.self)
            #expect(text == expected)
        }
    }

    @Test("One that fails, or is not there, is told with its name and what to do", arguments: ["exit 3", nil])
    func failure(text: String?) throws {
        let reactor = try LinuxReactor()
        let path = try text.map { try program("on", $0) } ?? folder.path + "/missing"
        let power = ModemCommands(on: path, off: path, reactor: reactor)
        var told: [String] = []
        power.onFailure = {
            told.append($0)
            reactor.stop()
        }
        power.switchOn()
        try Loop.run(reactor)
        #expect(told.count == 1)
        let message = try #require(told.first)
        #expect(message.contains(path))
        #expect(message.contains(text == nil ? "No such file" : "ended with status 3"))
        #expect(message.contains("run it by hand"))
    }

    @Test("A program that hangs is killed at its time")
    func hangs() throws {
        let path = try program("hang", "exec sleep 600")
        #expect(throws: ChildFailure.self) { try ChildProcess.run(path, limitMillis: 100) }
    }

    @Test("A program gets an empty input and none of the daemon's blocked signals")
    func surroundings() throws {
        let out = folder.path + "/out"
        let path = try program("look", "cat > \(out); grep -E '^Sig(Blk|Ign)' /proc/self/status >> \(out)")
        let thread = WorkerThread { try? ChildProcess.run(path) }
        thread?.join()
        let text = String(decoding: try AtomicFile.read(path: out), as: UTF8.self)
        #expect(text.contains("SigBlk:\t0000000000000000"))
        #expect(text.hasPrefix("Sig"))
    }
}
