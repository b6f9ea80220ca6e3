public import TrackerModel

/// A BMI160 at register level (Bosch BST-BMI160-DS000).
///
/// Modelled: the power modes of the accelerometer, data rates from 12.5 to 400 Hz, ranges, the FIFO without headers,
/// any-motion on INT1 with the latch, and the self-test. What is written to a register while the accelerometer starts is
/// lost.
public struct SimulatedBMI160: SimulatedChip {
    private static let fifoBytes = 1_024

    private enum Power { case suspended, normal, low }

    private let motion: any AccelerationSource
    private var registers: [UInt8] = []
    private var power = Power.suspended
    private var clock = SampleClock()
    private var fifo: [UInt8] = []
    private var output = RawSample()
    private var last: Acceleration?
    private var hasMoved = false
    private var startsAt = Instant.zero

    public init(motion: any AccelerationSource) {
        self.motion = motion
        reset()
    }

    public var identityRegister: UInt8 { 0x00 }
    public var isInterrupting: Bool {
        hasMoved && registers[0x55] & 0x04 != 0 && registers[0x53] & 0x08 != 0
    }

    private mutating func reset() {
        registers = [UInt8](repeating: 0, count: 128)
        registers[0x00] = 0xD1
        registers[0x40] = 0x28
        registers[0x41] = 0x03
        registers[0x45] = 0x88
        registers[0x46] = 0x80
        registers[0x47] = 0x10
        registers[0x60] = 0x14
        power = .suspended
        fifo = []
        hasMoved = false
        last = nil
    }

    public mutating func read(_ register: UInt8, count: Int, at now: Instant) -> [UInt8] {
        advance(to: now)
        // FIFO_DATA.
        return burst(from: register, count: count, fifo: 0x24).enumerated().map { content($1, $0) }
    }

    public mutating func write(_ register: UInt8, _ value: UInt8, at now: Instant) {
        advance(to: now)
        if register == 0x7E { return perform(value, at: now) }
        // What is written while the accelerometer starts is lost.
        guard (0x40...0x6D).contains(register), now >= startsAt else { return }
        registers[Int(register)] = value
        if register == 0x47 { fifo = [] }
        if register == 0x50 {
            last = nil
            hasMoved = hasMoved && value & 0x07 != 0
        }
        clock.set(period, at: now)
    }

    private mutating func perform(_ command: UInt8, at now: Instant) {
        switch command {
        case 0xB6:
            reset()
            startsAt = now.advanced(byMillis: 1)
        case 0xB0: fifo = []
        case 0xB1: hasMoved = false
        case 0x10: power = .suspended
        case 0x11, 0x12:
            if power == .suspended { startsAt = now.advanced(byNanos: 3_800_000) }
            power = command == 0x11 ? .normal : .low
        default: break
        }
        clock.set(period, at: now)
    }

    public mutating func advance(to now: Instant) {
        while let time = clock.take(until: now) { sample(at: time) }
    }

    /// acc_odr: 100 Hz is 8, doubling with each step; low power needs undersampling.
    private var period: Int64? {
        guard power != .suspended, power == .normal || registers[0x40] & 0x80 != 0 else { return nil }
        let code = Int64(registers[0x40] & 0x0F)
        guard (1...12).contains(code) else { return nil }
        return code >= 8 ? 10_000_000 >> (code - 8) : 10_000_000 << (8 - code)
    }

    private var rangeG: Double { [0x03: 2, 0x05: 4, 0x08: 8, 0x0C: 16][registers[0x41]] ?? 2 }

    private mutating func sample(at time: Instant) {
        var measured = motion.acceleration(at: time)
        // The self-test: sign and amplitude of ACC_SELF_TEST.
        let test = registers[0x6D]
        if test & 0x03 != 0 {
            let push = (test & 0x08 != 0 ? 1.5 : 0.7) * (test & 0x04 != 0 ? 1 : -1)
            measured = measured.adding(Acceleration(x: push, y: push, z: push))
        }
        if registers[0x50] & 0x07 != 0 {
            let threshold = max(0.5, Double(registers[0x60])) * rangeG * 0.001_953
            if measured.largestChange(from: last ?? measured) > threshold { hasMoved = true }
            last = measured
        }
        output = measured.raw(countsPerG: 32_768 / rangeG)
        guard registers[0x47] & 0x40 != 0, registers[0x47] & 0x10 == 0, power == .normal else { return }
        fifo += output.bytes(isBigEndian: false)
        if fifo.count > Self.fifoBytes { fifo.removeFirst(6) }
    }

    private mutating func content(_ address: Int, _ index: Int) -> UInt8 {
        switch address {
        case 0x03: return [Power.suspended: 0x00, .normal: 0x10, .low: 0x20][power] ?? 0
        case 0x12...0x17: return output.byte(address - 0x12)
        case 0x1C: return hasMoved ? 0x04 : 0
        case 0x22: return UInt8(fifo.count & 0xFF)
        case 0x23: return UInt8(fifo.count >> 8)
        // Beyond its end it reads 0x8000.
        case 0x24: return fifo.isEmpty ? (index % 2 == 0 ? 0x00 : 0x80) : fifo.removeFirst()
        default: return registers[address]
        }
    }
}
