public import Ports
import TrackerModel

/// A simulated chip behind the bus port, on a loop's own clock.
public final class SimulatedBus: RegisterBus {
    public let name = "simulated"
    public let isRealDevice = false
    public var address: UInt8 = 0x18
    public var chip: ChipOnBus
    private let reactor: any Reactor
    /// Called after each write: the chip may have been told to watch, or not to.
    public var onWrite: (_ register: UInt8, _ value: UInt8) -> Void = { _, _ in }

    public init(chip: ChipOnBus, reactor: any Reactor) {
        self.chip = chip
        self.reactor = reactor
    }

    public convenience init(motion: MotionScript, reactor: any Reactor) {
        self.init(chip: ChipOnBus(motion: motion), reactor: reactor)
    }

    public func read(_ register: UInt8, count: Int) throws(BusFailure) -> [UInt8] { try transfer(register, count) }

    /// Of several bytes the first is written: no chip here takes more.
    public func write(_ register: UInt8, _ bytes: [UInt8]) throws(BusFailure) {
        guard let value = bytes.first else { return }
        _ = try transfer(register, 0, value)
        onWrite(register, value)
    }

    private func transfer(_ register: UInt8, _ count: Int, _ value: UInt8? = nil) throws(BusFailure) -> [UInt8] {
        switch chip.transfer(to: address, register, count: count, value: value, at: reactor.now) {
        case .done(let bytes): return bytes
        case .notAcknowledged:
            throw BusFailure(code: .noAnswer, cause: "no acknowledgement", remedy: "check the wiring")
        case .timedOut: throw BusFailure(code: .io, cause: "the bus is held low", remedy: "check the wiring")
        }
    }
}
