import CLinux
import Glibc
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("The serial line")
struct SerialPortStreamTests {
    @Test("Bytes written by the receiver arrive, as raw as they were sent")
    func receives() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let stream = SerialPortStream(path: terminal.path, reactor: reactor)
        var received: [UInt8] = []
        try stream.open(baud: 9_600) { event in
            if case .bytes(let bytes) = event { received += bytes }
            if received.count >= 6 { reactor.stop() }
        }
        #expect(!stream.isRealDevice)
        #expect(linux_serial_baud(terminal.master) == 9_600)
        terminal.send("$\r\n\u{03}\u{11}\u{04}")
        try Loop.run(reactor)
        #expect(received == [0x24, 0x0D, 0x0A, 0x03, 0x11, 0x04])
    }

    @Test("A read returns at most 4096 bytes, and nothing is lost between reads")
    func longInput() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let stream = SerialPortStream(path: terminal.path, reactor: reactor)
        var received = 0
        var longest = 0
        try stream.open(baud: 115_200) { event in
            guard case .bytes(let bytes) = event else { return }
            received += bytes.count
            longest = max(longest, bytes.count)
            if received == 64_000 { reactor.stop() }
        }
        let master = terminal.master
        let worker = Worker {
            let part = [UInt8](repeating: 0x55, count: 640)
            for _ in 0..<100 { _ = part.withUnsafeBytes { write(master, $0.baseAddress, $0.count) } }
            return true
        }
        try Loop.run(reactor)
        _ = worker.wait()
        #expect(received == 64_000)
        #expect(longest <= 4_096)
    }

    @Test("A command reaches the receiver")
    func writes() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let stream = SerialPortStream(path: terminal.path, reactor: reactor)
        try stream.open(baud: 9_600) { _ in }
        try stream.write(Array("$PMTK161,0*28\r\n".utf8))
        #expect(terminal.receive() == Array("$PMTK161,0*28\r\n".utf8))
    }

    @Test("A receiver that takes no bytes fails a write after a second, and does not hang it")
    func fullOutput() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let stream = SerialPortStream(path: terminal.path, reactor: reactor)
        try stream.open(baud: 9_600) { _ in }
        let full = ByteStreamFailure(code: .io, cause: "", remedy: "")
        #expect(throws: full) { try stream.write([UInt8](repeating: 0x41, count: 1 << 20)) }
    }

    @Test("A burst whose rhythm is known is told when it is over, its beginning with the moment at which it came")
    func rests() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let stream = SerialPortStream(path: terminal.path, reactor: reactor, rests: true)
        var told: [(count: Int, late: Int64)] = []
        try stream.open(baud: 38_400) { [unowned stream] event in
            guard case .bytes(let bytes) = event else { return }
            told.append((bytes.count, stream.arrivedAt.map { reactor.now.millis(since: $0) } ?? 0))
        }
        for _ in 0..<8 {
            terminal.send("$GPRMC")
            try Loop.idle(reactor, millis: 10)
            terminal.send(String(repeating: "x", count: 394))
            try Loop.idle(reactor, millis: 290)
        }
        #expect(told.map(\.count).reduce(0, +) == 8 * 400)
        // 400 bytes take 104 ms: those bursts that came as expected were slept through.
        #expect(told.contains { $0.late >= 100 && $0.count == 6 }, "\(told)")
        stream.close()
    }

    @Test("A line that is lost during a rest tells what it said before, once", arguments: [false, true])
    func lostAtRest(readFails: Bool) throws {
        let reactor = try LinuxReactor()
        let line = SocketLine()
        let stream = SerialPortStream(path: "a socket", reactor: reactor, rests: true)
        var told = ""
        var losses = 0
        try stream.follow(line, baud: 9_600) { event in
            switch event {
            case .bytes(let bytes): told += String(decoding: bytes, as: UTF8.self)
            case .lost: losses += 1
            }
        }
        for _ in 0..<3 {
            line.say(String(repeating: "-", count: 100))
            try Loop.idle(reactor, millis: 100)
        }
        line.say("first ")
        for _ in 0..<100 where stream.restsUntil == .zero { try Loop.idle(reactor, millis: 1) }
        #expect(stream.restsUntil > reactor.now)
        if readFails { try stream.write([0x21]) } else { line.say("last") }
        line.hangUp()
        try Loop.idle(reactor, millis: 300)
        #expect(told.drop { $0 == "-" } == (readFails ? "first " : "first last"))
        #expect(losses == 1)
    }

    @Test("What was sent before the unplugging arrives before the loss, once")
    func unplugged() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let stream = SerialPortStream(path: terminal.path, reactor: reactor)
        var events: [String] = []
        try stream.open(baud: 9_600) { event in
            switch event {
            case .bytes(let bytes): events.append(String(decoding: bytes, as: UTF8.self))
            case .lost(let failure):
                events.append("lost \(failure.code)")
                reactor.stop()
            }
        }
        terminal.send("last")
        terminal.unplug()
        try Loop.run(reactor)
        try Loop.idle(reactor, millis: 30)
        #expect(events.last == "lost unplugged")
        #expect(events.filter { $0.hasPrefix("lost") }.count == 1)
        #expect(["last", "lost unplugged"].contains(events.first))
        #expect(throws: ByteStreamFailure.self) { try stream.write([1]) }
    }

    @Test("After a loss the same stream opens what is behind the link then")
    func pluggedAgain() throws {
        let reactor = try LinuxReactor()
        let directory = TemporaryDirectory()
        let link = directory.file("gnss")
        let first = PseudoTerminal()
        symlink(first.path, link)
        let stream = SerialPortStream(path: link, reactor: reactor)
        try stream.open(baud: 9_600) { event in if case .lost = event { reactor.stop() } }
        first.unplug()
        try Loop.run(reactor)

        let second = PseudoTerminal()
        unlink(link)
        symlink(second.path, link)
        var received: [UInt8] = []
        try stream.open(baud: 4_800) { event in
            if case .bytes(let bytes) = event { received += bytes }
            reactor.stop()
        }
        second.send("x")
        try Loop.run(reactor)
        #expect(received == [0x78])
        #expect(stream.name == link)
    }

    @Test("Nothing arrives after close, and the line is free again")
    func closed() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let stream = SerialPortStream(path: terminal.path, reactor: reactor)
        var count = 0
        try stream.open(baud: 9_600) { _ in count += 1 }
        stream.close()
        stream.close()
        terminal.send("late")
        try Loop.idle(reactor, millis: 30)
        #expect(count == 0)
        try SerialPortStream(path: terminal.path, reactor: reactor).open(baud: 9_600) { _ in }
    }

    @Test("A second tracker on the same line is told that it is busy")
    func busy() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let first = SerialPortStream(path: terminal.path, reactor: reactor)
        try first.open(baud: 9_600) { _ in }
        let failure = openFailure(terminal.path, reactor)
        #expect(failure?.code == .busy)
        #expect(failure?.remedy.contains("fuser") == true)
        first.close()
    }

    @Test(
        "What is no usable line is refused with a reason and a remedy",
        arguments: [
            ("/dev/no-such-receiver", 9_600, ByteStreamFailure.Code.absent), ("/dev/null", 9_600, .unsuitable),
            ("/etc/passwd", 9_600, .unsuitable), ("/tmp", 9_600, .unsuitable), ("/etc/passwd/x", 9_600, .absent),
        ])
    func refused(path: String, baud: Int, code: ByteStreamFailure.Code) throws {
        let failure = openFailure(path, try LinuxReactor(), baud: baud)
        #expect(failure?.code == code)
        #expect(failure?.cause.contains(path) == true)
        #expect(failure?.remedy.isEmpty == false)
    }

    @Test("A rate that no terminal has is refused", arguments: [0, -1, 12_345, .max])
    func badRate(baud: Int) throws {
        let terminal = PseudoTerminal()
        let failure = openFailure(terminal.path, try LinuxReactor(), baud: baud)
        #expect(failure?.code == .unsuitable)
        #expect(failure?.remedy.contains("gnss.baud") == true)
    }

    @Test("A device of the machine that is no serial port is refused by libserialport's way too")
    func consoleRefused() throws {
        // The virtual console has an entry in /sys/class/tty and no modem lines.
        guard access("/dev/tty0", F_OK) == 0, access("/sys/class/tty/tty0", F_OK) == 0 else {
            print("skipped: no /dev/tty0")
            return
        }
        let reactor = try LinuxReactor()
        #expect(SerialPortStream(path: "/dev/tty0", reactor: reactor).isRealDevice)
        let failure = openFailure("/dev/tty0", reactor)
        #expect(failure != nil)
        #expect(failure?.code != .absent)
    }

    @Test("A line of somebody else is denied, and the remedy names the group")
    func denied() {
        let failure = ByteStreamFailure.opening(
            "/dev/ttyAMA0", SystemFailure(call: "sp_open", subject: "/dev/ttyAMA0", number: EACCES))
        #expect(failure.code == .denied)
        #expect(failure.cause == "sp_open /dev/ttyAMA0: Permission denied")
        #expect(failure.remedy.contains("group that owns /dev/ttyAMA0"))
    }

    @Test("A path that leads nowhere is no real device")
    func absentIsNotReal() throws {
        #expect(!SerialPortStream(path: "/dev/no-such-receiver", reactor: try LinuxReactor()).isRealDevice)
    }

    private func openFailure(_ path: String, _ reactor: LinuxReactor, baud: Int = 9_600) -> ByteStreamFailure? {
        do throws(ByteStreamFailure) {
            try SerialPortStream(path: path, reactor: reactor).open(baud: baud) { _ in }
            return nil
        } catch {
            return error
        }
    }
}

/// A socket in the place of a terminal: what waits in it outlives the hang-up, and a command that nobody took makes the
/// next read fail (unix(7), `ECONNRESET`).
private final class SocketLine: SerialLine {
    let fd: Int32
    private let peer: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
        (fd, peer) = (ends[0], ends[1])
    }

    func say(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(peer, $0.baseAddress, $0.count) } }
    func hangUp() { Glibc.close(peer) }
    func setBaud(_ baud: Int) {}
    func close() { Glibc.close(fd) }
}
