import CLinux
import Glibc
import Testing
import WireText

@testable import DeviceSimulator

@Suite("Simulated UART", .serialized)
struct UARTPlayerTests {
    private static let log: [UInt8] = (0..<400).flatMap { second -> [UInt8] in
        let time = NMEASentence.padded(second / 60, 2) + NMEASentence.padded(second % 60, 2)
        return sentence("GNGGA,12\(time).00,,,,,0,00,99.99,,,,,,") + sentence("GNRMC,12\(time).00,V,,,,,,,,,,N")
    }

    private static func sentence(_ body: String) -> [UInt8] {
        Array("$\(body)*\(Hex.text([body.utf8.reduce(0, ^)]))\r\n".utf8)
    }

    private func player(
        _ name: String, _ events: RecordingEvents, log: [UInt8] = log, _ change: (inout UARTPlayer.Options) -> Void
    ) throws -> UARTPlayer {
        var options = UARTPlayer.Options(link: benchPath(name))
        change(&options)
        return try UARTPlayer(UARTSchedule(log: log), options: options, emit: events.take)
    }

    @Test("At speed max a reader gets exactly the bytes of the log, then silence without a hang-up")
    func exactBytes() throws {
        let events = RecordingEvents()
        let player = try player("exact", events) { $0.speed = .max }
        let reader = BenchPeer.opening(player.options.link)
        turn(player) {
            reader.poll()
            return player.isFinished && reader.bytes.count >= Self.log.count
        }
        #expect(reader.bytes == Self.log)
        #expect(!reader.isClosed)
        #expect(events.names == ["ready", "reader", "finished"])
        #expect(player.counts.lostBytes == 0)
    }

    @Test("Nothing is sent before a reader opens the device, and the epochs keep their spacing")
    func pacing() throws {
        let player = try player("pace", RecordingEvents()) { $0.speed = .times(100) }
        turn(player, atMostSeconds: 0.1) { false }
        #expect(player.startedAt == nil)
        let reader = BenchPeer.opening(player.options.link)
        turn(player) {
            reader.poll()
            return player.nextChunk >= 40
        }
        // 39 seconds of the log at a hundred times the speed.
        let elapsed = linux_clock_nanos(CLOCK_MONOTONIC) - (player.startedAt ?? 0)
        #expect(elapsed >= 390_000_000)
        #expect(Self.log.starts(with: reader.bytes))
    }

    @Test("A reader that stops reading costs the bytes that do not fit, and the player does not wait")
    func slowReader() throws {
        let player = try player("slow", RecordingEvents()) { $0.speed = .times(100_000) }
        let reader = BenchPeer.opening(player.options.link)
        turn(player) { player.isFinished }
        #expect(player.isFinished)
        #expect(player.counts.lostBytes > 0)
        #expect(player.counts.sentBytes + player.counts.lostBytes == Self.log.count)
        withExtendedLifetime(reader) {}
    }

    @Test("A reader at another rate gets as many bytes of garbage, at the right rate the log")
    func wrongBaud() throws {
        let log = Array(Self.log.prefix(2_000))
        for (rate, isRight) in [(38_400, false), (9_600, true)] {
            let player = try player("baud", RecordingEvents(), log: log) {
                $0.baud = 9_600
                $0.speed = .max
            }
            let reader = BenchPeer.opening(player.options.link)
            #expect(linux_serial_raw(reader.descriptor, Int32(rate)) == 0)
            turn(player) {
                reader.poll()
                return reader.bytes.count >= log.count
            }
            #expect(reader.bytes.count == log.count)
            #expect((reader.bytes == log) == isRight)
            #expect(player.counts.garbledBytes == (isRight ? 0 : log.count))
        }
    }

    @Test("Unplugging hangs up and removes the link, plugging brings it back, and time goes on meanwhile")
    func unplug() throws {
        let events = RecordingEvents()
        let player = try player("plug", events) { $0.speed = .times(500) }
        var reader = BenchPeer.opening(player.options.link)
        turn(player) { player.nextChunk >= 10 }
        player.receive(.unplug)
        reader.poll()
        #expect(reader.isClosed)
        #expect(access(player.options.link, F_OK) != 0)
        turn(player) { player.nextChunk >= 60 }
        let lost = player.counts.lostBytes
        #expect(lost > 0)
        player.receive(.plug)
        reader = BenchPeer.opening(player.options.link)
        turn(player) {
            reader.poll()
            return player.isFinished
        }
        #expect(!reader.bytes.isEmpty)
        #expect(reader.bytes.first == UInt8(ascii: "$"))
        #expect(events.names.contains("unplugged") && events.names.contains("plugged"))
    }

    @Test("Silence keeps the device open and loses what was due; stop removes the link")
    func silence() throws {
        let player = try player("hush", RecordingEvents()) { $0.speed = .times(500) }
        let reader = BenchPeer.opening(player.options.link)
        player.receive(.toggleSilence)
        turn(player) { player.nextChunk >= 50 }
        reader.poll()
        #expect(reader.bytes.isEmpty && !reader.isClosed)
        player.receive(.toggleSilence)
        turn(player) {
            reader.poll()
            return !reader.bytes.isEmpty
        }
        #expect(!reader.bytes.isEmpty)
        player.receive(.stop)
        #expect(player.isStopped && access(player.options.link, F_OK) != 0)
    }

    @Test("A loop starts the log again one second after its last epoch")
    func loop() throws {
        let log = Self.sentence("GNRMC,120000.00,V,,,,,,,,,,N") + Self.sentence("GNRMC,120001.00,V,,,,,,,,,,N")
        let player = try player("loop", RecordingEvents(), log: log) {
            $0.loops = true
            $0.speed = .times(100)
        }
        let reader = BenchPeer.opening(player.options.link)
        turn(player) {
            reader.poll()
            return reader.bytes.count >= 3 * log.count
        }
        #expect(reader.bytes.starts(with: log + log + log))
        #expect(!player.isFinished)
    }

    @Test("A link is never made over a file that is not one")
    func fileInTheWay() throws {
        let path = benchPath("file")
        try BenchFile.write([1], to: path)
        defer { unlink(path) }
        #expect(throws: BenchFailure.self) {
            _ = try UARTPlayer(UARTSchedule(chunks: []), options: .init(link: path), emit: { _ in })
        }
        #expect(try BenchFile.read(path) == [1])
    }
}
