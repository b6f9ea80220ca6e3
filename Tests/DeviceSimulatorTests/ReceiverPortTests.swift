import CLinux
import Glibc
import Testing
import TrackerModel
import WireText

@testable import DeviceSimulator

@Suite("Simulated receiver behind a pseudo-terminal", .serialized)
struct ReceiverPortTests {
    private func port(
        _ name: String, _ events: RecordingEvents, family: SimulatedFamily = .ublox8, faults: String = "",
        speed: Double = 20, powerFile: String? = nil
    ) throws -> ReceiverPort {
        var receiver = SimulatedReceiver.Options()
        receiver.family = family
        receiver.start = .hot
        receiver.faults = try FaultScript(text: faults)
        var options = ReceiverPort.Options(link: benchPath(name))
        options.speed = speed
        options.powerFile = powerFile
        let journey = try #require(Journey("walk"))
        return try ReceiverPort(
            SimulatedReceiver(journey, options: receiver), options: options, emit: events.take)
    }

    private func has(_ peer: BenchPeer, _ bytes: [UInt8]) -> Bool {
        peer.poll()
        return peer.bytes.indices.contains { peer.bytes[$0...].starts(with: bytes) }
    }

    @Test("A reader at the right rate gets sentences and answers; the rate follows a CFG-PRT")
    func conversation() throws {
        let events = RecordingEvents()
        let port = try port("talk", events)
        let reader = BenchPeer.opening(port.options.link)
        #expect(linux_serial_raw(reader.descriptor, 9_600) == 0)
        turn(port) { has(reader, Array("$GNRMC".utf8)) }
        reader.write(UBXFrame.bytes(0x0600, portCommand(baud: 115_200)))
        turn(port) { has(reader, [0xB5, 0x62, 0x05, 0x01]) }
        #expect(has(reader, [0xB5, 0x62, 0x05, 0x01]))
        turn(port) { port.receiver.baud == 115_200 }
        #expect(linux_serial_raw(reader.descriptor, 115_200) == 0)
        reader.forget()
        reader.write(UBXFrame.bytes(0x0A04, []))
        turn(port) { has(reader, [0xB5, 0x62, 0x0A, 0x04]) }
        #expect(has(reader, [0xB5, 0x62, 0x0A, 0x04]))
        #expect(events.names.prefix(2) == ["ready", "reader"] && events.names.contains("baud"))
    }

    @Test("At another rate neither understands the other")
    func wrongBaud() throws {
        let port = try port("wrong", RecordingEvents())
        let reader = BenchPeer.opening(port.options.link)
        #expect(linux_serial_raw(reader.descriptor, 38_400) == 0)
        turn(port) { port.clock.startedAt != nil }
        reader.write(UBXFrame.bytes(0x0A04, []))
        turn(port, atMostSeconds: 0.5) { false }
        #expect(!has(reader, Array("RMC".utf8)) && !reader.bytes.isEmpty)
        #expect(port.receiver.commandCount == 0 && port.counts.heardBytes == 8)
        #expect(port.counts.garbledBytes > 0)
    }

    @Test("F-19: an unplugged receiver hangs up and comes back under another name behind the same link")
    func replug() throws {
        let events = RecordingEvents()
        let port = try port("replug", events, faults: "5 unplug for 8")
        let reader = BenchPeer.opening(port.options.link)
        let name = port.terminal?.device
        turn(port) {
            reader.poll()
            return reader.isClosed
        }
        #expect(reader.isClosed && access(port.options.link, F_OK) != 0)
        turn(port) { events.names.contains("plugged") }
        #expect(port.receiver.now.millis >= 13_000)
        #expect(port.terminal?.device != nil && port.terminal?.device != name)
        let again = BenchPeer.opening(port.options.link)
        #expect(linux_serial_raw(again.descriptor, 9_600) == 0)
        turn(port) { has(again, Array("$GNRMC".utf8)) }
        #expect(has(again, Array("$GNRMC".utf8)))
    }

    @Test("The signals of the bench unplug, plug, silence and stop it")
    func signals() throws {
        let events = RecordingEvents()
        let port = try port("signals", events)
        let reader = BenchPeer.opening(port.options.link)
        turn(port) { has(reader, Array("$GNRMC".utf8)) }
        port.receive(.toggleSilence)
        turn(port, atMostSeconds: 0.3) { false }
        reader.poll()
        reader.forget()
        turn(port, atMostSeconds: 0.3) { false }
        reader.poll()
        #expect(reader.bytes.isEmpty && !reader.isClosed)
        port.receive(.unplug)
        reader.poll()
        #expect(reader.isClosed)
        port.receive(.plug)
        #expect(access(port.options.link, F_OK) == 0)
        port.receive(.stop)
        #expect(port.isStopped && access(port.options.link, F_OK) != 0)
        #expect(events.names.suffix(4) == ["silence", "unplugged", "plugged", "stopped"])
    }

    @Test("A power file cuts the supply and gives it back")
    func powerFile() throws {
        let path = benchPath("power")
        try BenchFile.write(Array("1\n".utf8), to: path)
        defer { unlink(path) }
        let port = try port("supply", RecordingEvents(), powerFile: path)
        let reader = BenchPeer.opening(port.options.link)
        #expect(linux_serial_raw(reader.descriptor, 9_600) == 0)
        turn(port) { has(reader, Array("$GNRMC".utf8)) }
        try BenchFile.write(Array("0\n".utf8), to: path)
        turn(port) { port.receiver.power == .off }
        #expect(port.receiver.power == .off)
        try BenchFile.write(Array("1\n".utf8), to: path)
        reader.poll()
        reader.forget()
        turn(port) { has(reader, Array("u-blox AG".utf8)) }
        #expect(has(reader, Array("u-blox AG".utf8)))
    }

    @Test("The end of the journey is told once and the receiver goes on talking where it stands")
    func finished() throws {
        let events = RecordingEvents()
        let port = try port("end", events, family: .generic, speed: 4_000)
        let reader = BenchPeer.opening(port.options.link)
        #expect(linux_serial_raw(reader.descriptor, 9_600) == 0)
        turn(port) {
            reader.poll()
            return events.names.contains("finished")
        }
        reader.poll()
        reader.forget()
        turn(port) { has(reader, Array("RMC".utf8)) }
        #expect(has(reader, Array("RMC".utf8)))
        #expect(events.names.filter { $0 == "finished" }.count == 1)
    }
}
