import CLinux
import Glibc
import Ports
import Testing

@testable import LinuxIO

@Suite("The log")
struct JournalLogTests {
    /// What `body` writes, line by line.
    private func lines(
        minimum: LogLevel = .info, isPrefixed: Bool = false, _ body: (JournalLog) -> Void
    ) throws -> [String] {
        var ends: [Int32] = [0, 0]
        try System.call("pipe") { pipe(&ends) }
        var log: JournalLog? = JournalLog(minimum: minimum, fd: ends[1], isPrefixed: isPrefixed)
        if let log { body(log) }
        log = nil
        System.close(ends[1])
        defer { System.close(ends[0]) }
        let bytes = try System.read(ends[0], limit: 65_536) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("A line is the event and its fields, for journald with the level in front")
    func format() throws {
        let written = try lines(isPrefixed: true) {
            $0.write(.info, "fix.rejected", [("reason", .text("stale")), ("age_ms", .int(4_200))])
            $0.write(.error, "store.failed", [])
        }
        #expect(written == ["<6>fix.rejected reason=stale age_ms=4200", "<3>store.failed"])
        #expect(try lines { $0.write(.notice, "start", []) } == ["start"])
    }

    @Test(
        "A value that could be misread is quoted",
        arguments: [
            ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a=b", "\"a=b\""),
            ("say \"x\"", "\"say \\\"x\\\"\""), ("back\\slash", "\"back\\\\slash\""), ("a\nb\tc\r", "\"a\\nb\\tc\\r\""),
            ("\u{1B}[31m", "\"\\x1b[31m\""), ("\u{01}", "\"\\x01\""), ("né", "né"),
        ])
    func quoting(value: String, expected: String) {
        #expect(JournalLog.text("e", [("k", .text(value))]) == "e k=\(expected)")
    }

    @Test("Levels below the least are not written")
    func levels() throws {
        let written = try lines(minimum: .warning) {
            for level in [LogLevel.debug, .info, .notice, .warning, .error] {
                $0.write(level, "l\(level.rawValue)", [])
            }
        }
        #expect(written == ["l4", "l3"])
    }

    @Test("Repeats are counted and told when they end")
    func repeats() throws {
        let written = try lines(isPrefixed: true) { log in
            for _ in 0..<4 { log.write(.warning, "uart.absent", [("path", .text("/dev/x"))]) }
            log.write(.warning, "uart.absent", [("path", .text("/dev/y"))])
            log.write(.info, "uart.absent", [("path", .text("/dev/y"))])
        }
        #expect(
            written == [
                "<4>uart.absent path=/dev/x", "<4>log.repeated event=uart.absent count=3", "<4>uart.absent path=/dev/y",
                "<6>uart.absent path=/dev/y",
            ])
    }

    @Test("Repeats are told at the end, too")
    func lastRepeats() throws {
        let written = try lines { log in for _ in 0..<3 { log.write(.info, "e", []) } }
        #expect(written == ["e", "log.repeated event=e count=2"])
    }
}
