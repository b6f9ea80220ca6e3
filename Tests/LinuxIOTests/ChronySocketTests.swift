import CLinux
import Glibc
import Ports
import TestKit
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("Time for chronyd")
struct ChronySocketTests {
    /// Host clocks that the test sets.
    private final class FakeClocks {
        var boot: Int64 = 100_000_000_000
        var wall: Int64 = 1_777_881_600_000_000_000
        func pass(millis: Int64) {
            boot += millis * 1_000_000
            wall += millis * 1_000_000
        }
    }

    /// The receiving side, as chronyd makes it.
    private final class Listener {
        let fd: Int32
        init(_ path: String) {
            fd = linux_unix_socket(Int32(SOCK_DGRAM.rawValue), Int32(SOCK_NONBLOCK.rawValue))
            unlink(path)
            _ = linux_unix_bind(fd, path)
        }
        deinit { close(fd) }

        func next() -> linux_chrony_sample? {
            var bytes = [UInt8](repeating: 0, count: 128)
            guard read(fd, &bytes, bytes.count) == 40 else { return nil }
            return bytes.withUnsafeBytes { $0.loadUnaligned(as: linux_chrony_sample.self) }
        }
    }

    private let directory = TemporaryDirectory()
    private let clocks = FakeClocks()
    private let log = RecordingLog()
    private var path: String { directory.file("chrony.sock") }

    private func makeSocket() -> ChronySocket {
        ChronySocket(path: path, log: log) { [clocks] in ChronySocket.Clocks(boot: clocks.boot, wall: clocks.wall) }
    }

    /// A fix of this moment, by a receiver whose clock is ahead of the host's by `ahead`.
    private func offer(_ socket: ChronySocket, aheadMillis ahead: Int64 = 0, agoMillis ago: Int64 = 0) {
        let utc = UTCTime(millis: clocks.wall / 1_000_000 - ago + ahead)
        socket.offer(utc, at: Instant(nanos: clocks.boot - ago * 1_000_000))
    }

    @Test("A sample is the system time of the fix, and how far true time is ahead of it")
    func sample() throws {
        let listener = Listener(path)
        let socket = makeSocket()
        clocks.wall += 250_000_000
        offer(socket, aheadMillis: 1_500, agoMillis: 120)
        let sample = try #require(listener.next())
        #expect(sample.seconds == 1_777_881_600)
        #expect(sample.microseconds == 130_000)
        #expect(sample.offset == 1.5)
        #expect(sample.pulse == 0 && sample.leap == 0)
        #expect(sample.magic == 0x534F_434B)
        #expect(socket.samples == 1)
        #expect(socket.problem == nil)
    }

    @Test("A host whose clock is ahead gets a negative offset, also by decades and before 1970")
    func farOff() {
        let ahead = ChronySocket.sample(UTCTime(millis: 1_000), wallNanos: 3_000_000_500)
        #expect(ahead.offset == -2.0)
        let decades = ChronySocket.sample(UTCTime(millis: 1_777_881_600_123), wallNanos: 0)
        #expect(decades.offset == 1_777_881_600.123)
        let before = ChronySocket.sample(UTCTime(millis: 0), wallNanos: -1_500_000_000)
        #expect(before.seconds == -2 && before.microseconds == 500_000)
        #expect(before.offset == 1.5)
    }

    @Test("Five fixes a second give one sample for each second of UTC")
    func oncePerSecond() {
        let listener = Listener(path)
        let socket = makeSocket()
        for _ in 0..<25 {
            offer(socket)
            clocks.pass(millis: 200)
        }
        var received = 0
        while listener.next() != nil { received += 1 }
        #expect(received == 5)
        #expect(socket.samples == 5)
    }

    @Test("A fix that was held up, or is of the future, gives no sample")
    func heldUp() {
        let listener = Listener(path)
        let socket = makeSocket()
        offer(socket, agoMillis: 2_100)
        offer(socket, agoMillis: -50)
        #expect(listener.next() == nil)
        offer(socket, agoMillis: 1_900)
        #expect(listener.next() != nil)
    }

    @Test("Without chronyd it is looked for once a minute, with one line in the log and a problem in the status")
    func absent() {
        let socket = makeSocket()
        for _ in 0..<200 {
            offer(socket)
            clocks.pass(millis: 1_000)
        }
        #expect(log.lines.count == 1)
        #expect(socket.problem?.contains("refclock SOCK \(path)") == true)
        #expect(socket.samples == 0)
        let listener = Listener(path)
        var seconds = 0
        while socket.samples == 0, seconds < 100 {
            offer(socket)
            clocks.pass(millis: 1_000)
            seconds += 1
        }
        #expect(seconds <= 61)
        #expect(listener.next() != nil)
        #expect(socket.problem == nil)
        #expect(log.lines.last?.hasPrefix("chrony.connected") == true)
    }

    @Test("A chronyd that was started again gets the next sample")
    func restarted() {
        let socket = makeSocket()
        do {
            let first = Listener(path)
            offer(socket)
            #expect(first.next() != nil)
        }
        let second = Listener(path)
        clocks.pass(millis: 1_000)
        offer(socket)
        #expect(second.next() != nil)
        #expect(socket.problem == nil)
    }

    @Test("A chronyd that does not read loses samples and holds nobody up")
    func notReading() {
        let listener = Listener(path)
        let socket = makeSocket()
        for _ in 0..<5_000 {
            offer(socket)
            clocks.pass(millis: 1_000)
        }
        #expect(socket.samples > 0 && socket.samples < 5_000)
        #expect(socket.problem == nil)
        _ = listener
    }

    @Test("A path that is no datagram socket is a problem, not a trap", arguments: ["/etc/passwd", "/tmp", ""])
    func unsuitable(path: String) {
        let socket = ChronySocket(path: path, log: log) { ChronySocket.Clocks(boot: 0, wall: 0) }
        socket.offer(UTCTime(millis: 5_000), at: .zero)
        #expect(socket.problem != nil)
    }

    @Test("The host's clocks are read together")
    func hostClocks() throws {
        let listener = Listener(path)
        let socket = ChronySocket(path: path, log: log)
        let boot = linux_clock_nanos(CLOCK_BOOTTIME)
        let wall = linux_clock_nanos(CLOCK_REALTIME)
        socket.offer(UTCTime(millis: wall / 1_000_000 + 5_000), at: Instant(nanos: boot))
        let sample = try #require(listener.next())
        #expect(abs(sample.offset - 5) < 0.01)
    }
}
