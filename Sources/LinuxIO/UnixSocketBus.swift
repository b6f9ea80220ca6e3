import Glibc
public import Ports

/// A register bus served by a simulator on a Unix stream.
///
/// A request is `op(0 read, 1 write) address register count [values]`; the reply `status count data…`, status 0 or the low
/// byte of the errno a real bus would have failed with.
public final class UnixSocketBus: RegisterBus {
    public let name: String
    public let isRealDevice = false
    public var address: UInt8

    private let path: String
    private var client: UnixClient?

    /// - Parameter address: 7-bit.
    public init(path: String, address: UInt8) {
        self.path = path
        self.address = address
        name = "unix:\(path)"
    }

    public func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8] {
        guard (1...255).contains(count) else { throw .badCount(count, limit: 255) }
        return try transfer([0, address, register, UInt8(count)], expecting: count)
    }

    public func write(_ register: UInt8, _ bytes: [UInt8]) throws(BusFailure) {
        guard (1...32).contains(bytes.count) else { throw .badCount(bytes.count, limit: 32) }
        _ = try transfer([1, address, register, UInt8(bytes.count)] + bytes, expecting: 0)
    }

    private func transfer(_ request: [UInt8], expecting count: Int) throws(BusFailure) -> [UInt8] {
        let deadline = System.bootMillis() + BusFailure.transferMillis
        let client = try connected()
        do throws(SystemFailure) {
            try client.send(request, deadline: deadline)
            let head = try client.receive(exactly: 2, deadline: deadline)
            let data = try client.receive(exactly: Int(head[1]), deadline: deadline)
            if head[0] != 0 { throw SystemFailure(call: "transfer", subject: name, number: Int32(head[0])) }
            if data.count != count { throw SystemFailure(call: "transfer", subject: name, number: EPROTO) }
            return data
        } catch {
            self.client = nil
            throw .transfer(name, error)
        }
    }

    private func connected() throws(BusFailure) -> UnixClient {
        if let client { return client }
        do throws(SystemFailure) {
            let made = try UnixClient(path: path, withinMillis: BusFailure.transferMillis)
            client = made
            return made
        } catch {
            let remedy =
                error.number == EACCES
                ? "give the service user access to \(path) (ls -l \(path))"
                : "start the simulator that serves \(path), or set accel.bus to the real bus"
            throw BusFailure(code: error.number == EACCES ? .denied : .absent, cause: "\(error)", remedy: remedy)
        }
    }
}
