public import TrackerModel

/// An ADXL345 at register level (Analog Devices data sheet rev G).
///
/// Modelled: data rates from 6.25 to 400 Hz, ranges with and without full resolution, standby, the FIFO in bypass, FIFO
/// and stream mode with its 33rd entry, data-ready, watermark and overrun, ac- and dc-coupled activity on INT1 or INT2,
/// and the self-test. Taps, free fall, inactivity and the trigger mode hold what is written and never fire.
public struct SimulatedADXL345: SimulatedChip {
    private static let depth = 33

    private let motion: any AccelerationSource
    private var registers: [UInt8]
    private var clock = SampleClock()
    private var stored: [RawSample] = []
    private var output = RawSample()
    private var isOverrun = false
    private var isActive = false
    /// What ac-coupled activity compares with.
    private var rest: Acceleration?

    public init(motion: any AccelerationSource) {
        self.motion = motion
        registers = [UInt8](repeating: 0, count: 64)
        registers[0x00] = 0xE5
        registers[0x2C] = 0x0A
    }

    public var identityRegister: UInt8 { 0x00 }
    /// INT1: what is enabled, active and not mapped to INT2.
    public var isInterrupting: Bool { source & registers[0x2E] & ~registers[0x2F] != 0 }

    public mutating func read(_ register: UInt8, count: Int, at now: Instant) -> [UInt8] {
        advance(to: now)
        let first = Int(register & 0x3F)
        if (0x32...0x37).contains(first), isFIFOOn, let oldest = stored.first { output = oldest }
        let bytes = (0..<count).map { content((first + $0) & 0x3F) }
        let range = first..<first + count
        if range.contains(0x30) { isActive = false }
        if range.overlaps(0x32..<0x38), !stored.isEmpty {
            stored.removeFirst()
            isOverrun = false
        }
        return bytes
    }

    public mutating func write(_ register: UInt8, _ value: UInt8, at now: Instant) {
        advance(to: now)
        guard
            (0x1D...0x2A).contains(register) || (0x2C...0x2F).contains(register) || register == 0x31
                || register == 0x38
        else { return }
        registers[Int(register)] = value
        switch register {
        case 0x38 where value & 0xC0 == 0:
            stored = []
            isOverrun = false
        case 0x27, 0x2E: rest = nil
        default: break
        }
        clock.set(period, at: now)
    }

    public mutating func advance(to now: Instant) {
        while let time = clock.take(until: now) { sample(at: time) }
    }

    private var isFIFOOn: Bool { registers[0x38] & 0xC0 != 0 }

    /// Measure of POWER_CTL, and the rate of BW_RATE: 3200 Hz halved for each step below 15.
    private var period: Int64? {
        guard registers[0x2D] & 0x08 != 0 else { return nil }
        return 312_500 << Int64(15 - (registers[0x2C] & 0x0F))
    }

    private mutating func sample(at time: Instant) {
        var measured = motion.acceleration(at: time)
        // The self-test's typical push at 2.5 V (table 1).
        if registers[0x31] & 0x80 != 0 { measured = measured.adding(Acceleration(x: 1, y: -1, z: 1.5)) }
        judgeActivity(measured)
        let range = Int(registers[0x31] & 3)
        let isFull = registers[0x31] & 0x08 != 0
        let sample = measured.raw(countsPerG: isFull ? 256 : Double(256 >> range), bits: isFull ? 10 + range : 10)
        let limit = isFIFOOn ? Self.depth : 1
        if stored.count == limit {
            isOverrun = true
            // FIFO mode stops when it is full.
            if registers[0x38] & 0xC0 == 0x40 { return }
            stored.removeFirst()
        }
        stored.append(sample)
        if !isFIFOOn { output = sample }
    }

    private mutating func judgeActivity(_ measured: Acceleration) {
        let control = registers[0x27]
        guard control & 0x70 != 0 else { return }
        let start = rest ?? measured
        rest = start
        let reference = control & 0x80 != 0 ? start : Acceleration()
        let threshold = Double(registers[0x24]) * 0.0625
        let axes = [(0x40, \Acceleration.x), (0x20, \.y), (0x10, \.z)] as [(UInt8, KeyPath<Acceleration, Double>)]
        for (bit, axis) in axes where control & bit != 0 {
            if abs(measured[keyPath: axis] - reference[keyPath: axis]) > threshold { isActive = true }
        }
    }

    /// INT_SOURCE: data-ready, activity, watermark, overrun.
    private var source: UInt8 {
        let watermark = Int(registers[0x38] & 0x1F)
        return (stored.isEmpty ? 0 : 0x80) | (isActive && registers[0x2E] & 0x10 != 0 ? 0x10 : 0)
            | (isFIFOOn && stored.count >= max(1, watermark) ? 0x02 : 0) | (isOverrun ? 0x01 : 0)
    }

    private func content(_ register: Int) -> UInt8 {
        switch register {
        case 0x30: source
        case 0x32...0x37: output.byte(register - 0x32)
        case 0x39: UInt8(isFIFOOn ? stored.count : 0)
        default: registers[register]
        }
    }
}
