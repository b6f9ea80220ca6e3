import CLinux
import Glibc
import Ports
import Testing
import TrackerModel

@testable import LinuxIO

@Suite("Finding serial devices")
struct SerialDevicesTests {
    /// A device folder with files in place of devices.
    private func folder(_ files: [String], links: [(String, String)] = []) -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        files.forEach { directory.put($0, "") }
        directory.put("serial/by-id/.keep", "")
        for (name, target) in links { symlink(directory.file(target), directory.file("serial/by-id/\(name)")) }
        unlink(directory.file("serial/by-id/.keep"))
        return directory
    }

    @Test("auto lists receivers by id first, then gnss, the board's UART, and the rest, each device once")
    func order() {
        let directory = folder(
            ["gnss0", "ttyAMA0", "ttyACM0", "ttyACM1", "ttyUSB0", "ttyUSB1", "ttyS0", "tty1", "null"],
            links: [
                ("usb-u-blox_AG_u-blox_GNSS_receiver-if00", "ttyACM1"), ("usb-Prolific_PL2303-if00-port0", "ttyUSB1"),
            ])
        symlink(directory.file("ttyAMA0"), directory.file("serial0"))
        let names = SerialDevices(device: "auto", root: directory.path).candidates.map {
            String($0.dropFirst(directory.path.utf8.count + 1))
        }
        #expect(
            names == [
                "serial/by-id/usb-u-blox_AG_u-blox_GNSS_receiver-if00", "gnss0", "serial0",
                "serial/by-id/usb-Prolific_PL2303-if00-port0", "ttyACM0", "ttyUSB0", "ttyS0",
            ])
    }

    @Test("Nothing is there: no candidates, and opening says what to do")
    func nothing() throws {
        #expect(SerialDevices(device: "auto", root: "/no-such-place").candidates.isEmpty)
        let failure = ByteStreamFailure.nothingFound
        #expect(failure.code == .absent && failure.remedy.contains("gnss.device"))
    }

    @Test("Receivers are told from modems by their names")
    func names() {
        for name in ["usb-u-blox_AG_-_www.u-blox.com_u-blox_7", "usb-1546_GNSS", "usb-MediaTek_GPS-if00"] {
            #expect(SerialDevices.looksLikeReceiver(name), "\(name)")
        }
        for name in ["usb-Quectel_EC25", "usb-FTDI_FT232R", "usb-SIMCOM", ""] {
            #expect(!SerialDevices.looksLikeReceiver(name), "\(name)")
        }
    }

    @Test("The operator's path that comes back under another name is found by its by-id link (E-007, F-19)")
    func reappears() {
        let directory = folder(["ttyUSB0"], links: [("usb-x", "ttyUSB0")])
        let path = directory.file("ttyUSB0")
        let link = directory.file("serial/by-id/usb-x")
        var devices = SerialDevices(device: path, root: directory.path)
        #expect(devices.candidates == [path])
        devices.noteOpened(path)
        unlink(path)
        unlink(link)
        #expect(devices.candidates == [path], "gone")
        directory.put("ttyUSB1", "")
        symlink(directory.file("ttyUSB1"), link)
        #expect(devices.candidates == [link])
    }

    @Test("A by-id link of the operator is followed wherever it leads (F-19)")
    func ownLink() {
        let directory = folder(["ttyUSB0"], links: [("a", "ttyUSB0"), ("b", "ttyUSB0")])
        let own = directory.file("serial/by-id/b")
        var devices = SerialDevices(device: own, root: directory.path)
        devices.noteOpened(own)
        #expect(devices.candidates == [own])
    }

    @Test("The speed of an open line changes, and what came at the old one is gone")
    func setBaud() throws {
        let reactor = try LinuxReactor()
        let terminal = PseudoTerminal()
        let stream = SerialPortStream(path: terminal.path, reactor: reactor)
        #expect(throws: ByteStreamFailure.self) { try stream.setBaud(9_600) }
        var received: [UInt8] = []
        try stream.open(baud: 9_600) { event in
            if case .bytes(let bytes) = event { received += bytes }
            reactor.stop()
        }
        terminal.send("old")
        try stream.setBaud(115_200)
        #expect(linux_serial_baud(terminal.master) == 115_200)
        #expect(throws: ByteStreamFailure.self) { try stream.setBaud(12_345) }
        terminal.send("new")
        try Loop.run(reactor)
        #expect(received == Array("new".utf8))
    }
}
