import CLinux
import Glibc
import Ports
import Synchronization
import Testing

@testable import LinuxIO

@Suite("Register buses")
struct RegisterBusTests {
    @Test("Reads and writes go through a Unix bus")
    func transfers() throws {
        let directory = TemporaryDirectory()
        let chip = try ScriptedChip(path: directory.file("bus"))
        let bus = UnixSocketBus(path: directory.file("bus"), address: 0x18)
        #expect(try bus.read(0x0F, count: 1) == [0x0F])
        try bus.write(0x20, 0x57)
        #expect(try bus.read(0x28, count: 255) == [UInt8](repeating: 0x28, count: 255))
        #expect(bus.name == "unix:\(directory.file("bus"))")
        #expect(!bus.isRealDevice)
        chip.stop()
        #expect(chip.requests() == [[0, 0x18, 0x0F, 1], [1, 0x18, 0x20, 1, 0x57], [0, 0x18, 0x28, 255]])
    }

    @Test("A chip that does not acknowledge is noAnswer, and the next transfer connects again")
    func notAcknowledged() throws {
        let directory = TemporaryDirectory()
        let chip = try ScriptedChip(
            path: directory.file("bus"), failures: [UInt8(ENXIO), 0, UInt8(EREMOTEIO), UInt8(EIO)])
        let bus = UnixSocketBus(path: directory.file("bus"), address: 0x18)
        #expect(failure({ () throws(BusFailure) in _ = try bus.read(1, count: 1) })?.code == .noAnswer)
        #expect(try bus.read(1, count: 1) == [1])
        #expect(failure({ () throws(BusFailure) in _ = try bus.read(1, count: 1) })?.code == .noAnswer)
        #expect(failure({ () throws(BusFailure) in try bus.write(1, 1) })?.code == .io)
        chip.stop()
    }

    @Test("A silent simulator fails the transfer after 100 ms")
    func silent() throws {
        let directory = TemporaryDirectory()
        let listener = try System.makeUnixSocket()
        defer { System.close(listener) }
        try System.bind(listener, to: directory.file("bus"))
        try System.listen(listener, backlog: 1)
        let bus = UnixSocketBus(path: directory.file("bus"), address: 0x18)
        let start = System.bootMillis()
        #expect(failure({ () throws(BusFailure) in _ = try bus.read(1, count: 1) })?.code == .io)
        let took = System.bootMillis() - start
        #expect(took >= 99 && took < 5_000, "\(took) ms")
    }

    @Test("A bus that is not there is absent, whichever kind", arguments: ["unix", "i2c"])
    func absent(kind: String) {
        let bus: any RegisterBus =
            kind == "unix"
            ? UnixSocketBus(path: "/no/such/bus", address: 0x18) : I2CDevBus(path: "/dev/i2c-250", address: 0x18)
        let failure = failure({ () throws(BusFailure) in _ = try bus.read(0x0F, count: 1) })
        #expect(failure?.code == .absent)
        #expect(failure?.remedy.isEmpty == false)
    }

    @Test("A file that is no I2C bus is refused")
    func noBus() {
        let bus = I2CDevBus(path: "/dev/null", address: 0x18)
        #expect(failure({ () throws(BusFailure) in _ = try bus.read(0x0F, count: 1) })?.code == .absent)
        #expect(bus.name == "/dev/null")
        #expect(bus.isRealDevice)
    }

    @Test("A count that no transfer has is refused before the bus is touched", arguments: [0, -1, 256])
    func badCount(count: Int) {
        #expect(
            failure({ () throws(BusFailure) in _ = try UnixSocketBus(path: "/no", address: 1).read(0, count: count) })?
                .code == .io)
        #expect(
            failure({ () throws(BusFailure) in _ = try I2CDevBus(path: "/no", address: 1).read(0, count: count) })?.code
                == .io)
    }

    @Test("More than a transfer writes is refused before the bus is touched, with how many it takes")
    func tooManyToWrite() {
        for bus in [UnixSocketBus(path: "/no", address: 1), I2CDevBus(path: "/no", address: 1)] as [any RegisterBus] {
            let refusal = failure { () throws(BusFailure) in try bus.write(0, [UInt8](repeating: 0, count: 33)) }
            #expect(refusal?.remedy.contains("1 to 32") == true)
        }
    }

    private func failure(_ body: () throws(BusFailure) -> Void) -> BusFailure? {
        do throws(BusFailure) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

/// A chip on a Unix bus that answers every read with the register's number, in a thread of its own.
private final class ScriptedChip: Sendable {
    private let listener: Int32
    private let seen = Mutex<[[UInt8]]>([])
    private let statuses: Mutex<[UInt8]>

    /// - Parameter failures: the status of the first answers.
    init(path: String, failures: [UInt8] = []) throws {
        statuses = Mutex(failures)
        listener = try System.makeUnixSocket(blocking: true)
        try System.bind(listener, to: path)
        try System.listen(listener, backlog: 4)
        _ = Worker { [self] in
            while true {
                let fd = accept(listener, nil, nil)
                if fd < 0 { return true }
                serve(fd)
                close(fd)
            }
        }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    func requests() -> [[UInt8]] { seen.withLock { $0 } }

    private func serve(_ fd: Int32) {
        while let head = try? System.read(fd, limit: 4), head.count == 4 {
            let value = head[0] == 1 ? (try? System.read(fd, limit: 1)) ?? [] : []
            seen.withLock { $0.append(head + value) }
            let status = statuses.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
            let data = head[0] == 0 && status == 0 ? [UInt8](repeating: head[2], count: Int(head[3])) : []
            // In two parts, so that the reader has to put them together.
            _ = try? System.write(fd, [status])
            _ = try? System.write(fd, ([UInt8(data.count)] + data)[...])
        }
    }
}
