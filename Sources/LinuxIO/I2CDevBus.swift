import CLinux
import Glibc
public import Ports

/// The chips on an I²C bus of the machine, through `/dev/i2c-N` (Linux i2c-dev).
public final class I2CDevBus: RegisterBus {
    public let name: String
    public let isRealDevice = true
    /// The kernel binds an open bus to one address.
    public var address: UInt8 { didSet { if address != oldValue { disconnect() } } }

    private var fd: Int32?

    /// - Parameter address: 7-bit.
    public init(path: String, address: UInt8) {
        name = path
        self.address = address
    }

    deinit { disconnect() }

    public func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8] {
        guard (1...255).contains(count) else { throw .badCount(count, limit: 255) }
        var bytes = [UInt8](repeating: 0, count: count)
        try transfer { fd in linux_i2c_read(fd, Int32(address), register, &bytes, Int32(count)) }
        return bytes
    }

    public func write(_ register: UInt8, _ bytes: [UInt8]) throws(BusFailure) {
        guard (1...32).contains(bytes.count) else { throw .badCount(bytes.count, limit: 32) }
        try transfer { fd in linux_i2c_write(fd, register, bytes, Int32(bytes.count)) }
    }

    private func transfer(_ body: (Int32) -> Int32) throws(BusFailure) {
        let fd = try connected()
        do throws(SystemFailure) {
            try System.call("i2c transfer", on: "\(name)@0x\(String(address, radix: 16))") { body(fd) }
        } catch {
            disconnect()
            throw .transfer(name, error)
        }
    }

    private func connected() throws(BusFailure) -> Int32 {
        if let fd { return fd }
        do throws(SystemFailure) {
            let opened = try System.open(name, O_RDWR)
            do throws(SystemFailure) {
                try System.call("ioctl I2C_SLAVE", on: name) {
                    linux_i2c_select(opened, Int32(address), Int32(BusFailure.transferMillis))
                }
            } catch {
                System.close(opened)
                throw error
            }
            fd = opened
            return opened
        } catch {
            throw .opening(name, error)
        }
    }

    private func disconnect() {
        if let fd { System.close(fd) }
        fd = nil
    }
}
