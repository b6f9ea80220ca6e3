import CLinux
import Foundation
import Glibc
import Ports
import Synchronization
import TestKit
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("The gpsd of the distribution", .enabled(if: RealGPSD.path != nil, "skipped: no gpsd"))
struct GPSDRealTests {
    /// Writes a log to the receiver's side of a terminal, 100 bytes each 10 ms and from the start again, until it ends.
    private final class Receiver: Sendable {
        private let isDone = Mutex(false)

        init(_ master: Int32, _ log: [UInt8]) {
            Thread.detachNewThread { [self] in
                var rest = log[...]
                while !isDone.withLock({ $0 }) {
                    let part = Array(rest.prefix(100))
                    _ = part.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
                    rest = rest.dropFirst(100)
                    if rest.isEmpty { rest = log[...] }
                    usleep(10_000)
                }
            }
        }

        func stop() { isDone.withLock { $0 = true } }
    }

    /// What arrives of the log through gpsd, at least `count` bytes.
    private func pass(_ log: [UInt8], count: Int) throws -> [UInt8] {
        let terminal = PseudoTerminal()
        let held = open(terminal.path, O_RDWR | O_NOCTTY)
        defer { close(held) }
        linux_serial_raw(held, 38_400)
        // A full terminal loses bytes, as a UART does; it must not hold up the thread that writes them.
        try System.setNonBlocking(terminal.master)
        let gpsd = try RealGPSD(try #require(RealGPSD.path), device: terminal.path)
        let receiver = Receiver(terminal.master, log)
        defer { receiver.stop() }
        let reactor = try LinuxReactor()
        let stream = GPSDStream(address: try #require(GPSDAddress("gpsd://127.0.0.1:\(gpsd.port)")), reactor: reactor)
        var received: [UInt8] = []
        func connect() {
            do throws(ByteStreamFailure) {
                try stream.open(baud: 9_600) { event in
                    switch event {
                    case .bytes(let bytes): received += bytes
                    case .lost: later()
                    }
                    if received.count >= count { reactor.stop() }
                }
            } catch {
                later()
            }
        }
        // Until it has started.
        func later() { reactor.schedule(at: reactor.now.advanced(byMillis: 100), toleranceMillis: 0) { connect() } }
        connect()
        try Loop.run(reactor)
        stream.close()
        return received
    }

    @Test(
        "UBX frames of a u-blox receiver pass gpsd byte for byte",
        .enabled(if: SharedData.isAvailable, "skipped: no shared data"))
    func ubx() throws {
        let file = try SharedData.require("ubx/gpsd/navisys-gr8013.log")
        let log = Array(file[(Self.starts(of: [0xB5, 0x62], in: file).first ?? 0)...])
        let received = try pass(log, count: 6_000)
        var frames = 0
        for start in Self.starts(of: [0xB5, 0x62], in: received) {
            guard received.count >= start + 8 else { break }
            let end = start + 8 + Int(received[start + 4]) + Int(received[start + 5]) << 8
            guard end <= received.count else { continue }
            frames += 1
            #expect(!Self.starts(of: Array(received[start..<end]), in: log).isEmpty)
        }
        #expect(frames > 10)
        #expect(Self.starts(of: Array("{\"class\"".utf8), in: received).isEmpty)
    }

    @Test("NMEA sentences pass gpsd byte for byte, and nothing stands between them")
    func nmea() throws {
        let sentence = "$GPGGA,100010.00,4807.038,N,01131.000,E,1,09,0.9,545.4,M,46.9,M,,*65\r\n"
        let received = try pass(Array(sentence.utf8), count: 2_000)
        let text = String(decoding: received, as: UTF8.self)
        #expect(text.replacingOccurrences(of: sentence, with: "").utf8.count < sentence.utf8.count)
        #expect(text.hasPrefix(sentence))
    }

    private static func starts(of part: [UInt8], in whole: [UInt8]) -> [Int] {
        guard whole.count >= part.count else { return [] }
        return (0...(whole.count - part.count)).filter { whole[$0] == part[0] && whole[$0...].starts(with: part) }
    }
}
