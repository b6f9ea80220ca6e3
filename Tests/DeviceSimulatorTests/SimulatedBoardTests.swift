import Glibc
import Testing
import WireText

@testable import DeviceSimulator

@Suite("A whole simulated board", .serialized)
struct SimulatedBoardTests {
    private func board(
        _ name: String, _ script: String, speed: Double = 1
    ) throws -> (SimulatedBoard, RecordingEvents, folder: String) {
        let folder = benchPath("board-" + name)
        try BenchFile.makeFolder(folder)
        let events = RecordingEvents()
        var options = SimulatedBoard.Options(folder: folder)
        (options.speed, options.port, options.mirrors) = (speed, 0, true)
        return (try SimulatedBoard(try BoardScript(text: script), options: options, emit: events.take), events, folder)
    }

    @Test("It is ready once, with a configuration that names its devices; what a device says has its name")
    func ready() throws {
        let (board, events, folder) = try board("ready", "journey walk\nmodem 18\nbattery 3000 80\n")
        #expect(events.names.filter { $0 == "ready" }.count == 1 && events.names.last == "ready")
        #expect(events.events.compactMap { $0["of"]?.stringValue } == ["receiver", "accelerometer", "modem", "server"])
        let text = String(decoding: try BenchFile.read(folder + "/tracker.yaml"), as: UTF8.self)
        #expect(text.contains("intLine: unix:\(folder)/int1") && text.contains("powerControl: ubx"))
        #expect(access(folder + "/modem-on", X_OK) == 0)
        board.receive(.stop)
        #expect(board.isStopped && access(folder + "/gnss", F_OK) != 0 && access(folder + "/int1", F_OK) != 0)
    }

    @Test("The accelerometer is shaken when the receiver drives off; its interrupt line tells")
    func agrees() throws {
        // A minute parked, then it drives.
        let (board, _, folder) = try board("agree", "journey urban-drive\nbattery 3000 80\n", speed: 60)
        let receiver = BenchPeer.opening(folder + "/gnss")
        let line = BenchPeer.connecting(unix: folder + "/int1")
        let bus = BenchPeer.connecting(unix: folder + "/i2c")
        // 100 Hz, and an interrupt on INT1 when the high-passed axes exceed 48 mg, latched (LIS3DH 8.8, 8.10, 8.20 to 8.23).
        for (register, value) in [(0x20, 0x57), (0x21, 0x01), (0x22, 0x40), (0x24, 0x08), (0x32, 0x03), (0x30, 0x2A)] {
            bus.write([1, 0x18, UInt8(register), 1, UInt8(value)])
        }
        turn(board, atMostSeconds: 0.5) {
            line.poll(); return false
        }
        #expect(line.bytes == Array("0".utf8), "it lies still")
        turn(board, atMostSeconds: 20) {
            line.poll(); receiver.poll(); return line.bytes.count > 1
        }
        #expect(line.bytes == Array("01".utf8), "it moves")
        #expect(String(decoding: receiver.bytes, as: UTF8.self).contains("$GNRMC"))
        board.receive(.stop)
    }

    @Test("Who takes the receiver's supply line down silences it; the second device hears the same")
    func supplyLine() throws {
        let (board, _, folder) = try board("supply", "journey walk\nbattery 3000 80\n", speed: 20)
        let receiver = BenchPeer.opening(folder + "/gnss")
        let mirror = BenchPeer.opening(folder + "/gnss-mirror")
        turn(board, atMostSeconds: 10) {
            receiver.poll(); mirror.poll(); return receiver.bytes.count > 5_000
        }
        #expect(receiver.bytes.count > 5_000 && mirror.bytes.count > 4_000)
        let line = BenchPeer.connecting(unix: folder + "/gnss-power")
        line.write("0")
        turn(board, atMostSeconds: 0.3) {
            receiver.poll(); return false
        }
        receiver.forget()
        turn(board, atMostSeconds: 0.3) {
            receiver.poll(); return false
        }
        #expect(receiver.bytes.isEmpty)
        line.write("1")
        turn(board, atMostSeconds: 10) {
            receiver.poll(); return !receiver.bytes.isEmpty
        }
        #expect(!receiver.bytes.isEmpty)
        board.receive(.stop)
    }
}
