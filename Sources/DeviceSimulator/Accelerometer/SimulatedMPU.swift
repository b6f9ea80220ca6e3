public import TrackerModel

/// An MPU-6050 or MPU-6500 at register level (InvenSense RM-MPU-6000A rev 4.2, RM-MPU-6500A rev 2.1).
///
/// Modelled: sleep, reset, cycling, the sample rate divider at a base rate of 1 kHz, ranges, the byte FIFO with
/// acceleration in it, its overflow, motion (6050, against the high-pass) and wake-on-motion (6500, against the sample
/// before) with the latch, and the self-test with its factory values. Gyroscope and thermometer read zero.
public struct SimulatedMPU: SimulatedChip {
    /// Self-test codes of five bits (6050) and of eight (6500), and the push in g that they stand for.
    private static let code6050: UInt8 = 16
    private static let push6050 = 0.559
    private static let code6500: UInt8 = 100
    private static let push6500 = 0.428

    private let motion: any AccelerationSource
    private let is6500: Bool
    private var registers: [UInt8] = []
    private var clock = SampleClock()
    private var fifo: [UInt8] = []
    private var output = RawSample()
    private var status: UInt8 = 0
    private var filter = HighPassFilter()
    private var last: Acceleration?

    public init(motion: any AccelerationSource, is6500: Bool) {
        self.motion = motion
        self.is6500 = is6500
        reset()
    }

    public var identityRegister: UInt8 { 0x75 }
    /// INT: active high, held by the latch until INT_STATUS is read.
    public var isInterrupting: Bool { status & registers[0x38] != 0 && registers[0x37] & 0x20 != 0 }

    private mutating func reset() {
        registers = [UInt8](repeating: 0, count: 128)
        registers[0x75] = is6500 ? 0x70 : 0x68
        registers[0x6B] = is6500 ? 0x01 : 0x40
        if is6500 {
            for register in 0x0D...0x0F { registers[register] = Self.code6500 }
        } else {
            for register in 0x0D...0x0F { registers[register] = (Self.code6050 >> 2) << 5 }
            registers[0x10] = (Self.code6050 & 3) * 0x15
        }
        fifo = []
        status = 0
        last = nil
    }

    public mutating func read(_ register: UInt8, count: Int, at now: Instant) -> [UInt8] {
        advance(to: now)
        // FIFO_R_W.
        return burst(from: register, count: count, fifo: 0x74).map { take($0) }
    }

    public mutating func write(_ register: UInt8, _ value: UInt8, at now: Instant) {
        advance(to: now)
        if register == 0x6B, value & 0x80 != 0 {
            reset()
            return clock.set(nil, at: now)
        }
        guard Self.isWritable(register) else { return }
        registers[Int(register & 0x7F)] = value
        if register == 0x6A {
            if value & 0x04 != 0 { fifo = [] }
            registers[0x6A] = value & ~0x04
        }
        if register == 0x1C || register == 0x69 {
            filter.reset()
            last = nil
        }
        clock.set(period, at: now)
    }

    private static func isWritable(_ register: UInt8) -> Bool {
        switch register {
        case 0x19...0x20, 0x23, 0x37, 0x38, 0x69...0x6C: true
        default: false
        }
    }

    public mutating func advance(to now: Instant) {
        while let time = clock.take(until: now) { sample(at: time) }
    }

    /// 8 kHz without the filter is not modelled: DLPF_CFG 0 samples at 1 kHz too.
    private var period: Int64? {
        let power = registers[0x6B]
        guard power & 0x40 == 0 else { return nil }
        guard power & 0x20 != 0 else { return 1_000_000 * (Int64(registers[0x19]) + 1) }
        if is6500 { return Int64(1e9 / (0.244_140_625 * Double(1 << min(11, registers[0x1E] & 0x0F)))) }
        return [800_000_000, 200_000_000, 50_000_000, 25_000_000][Int(registers[0x6C] >> 6)]
    }

    private mutating func sample(at time: Instant) {
        let config = registers[0x1C]
        let push = is6500 ? Self.push6500 : Self.push6050
        let force = Acceleration(
            x: config & 0x80 != 0 ? push : 0, y: config & 0x40 != 0 ? push : 0, z: config & 0x20 != 0 ? push : 0)
        let measured = motion.acceleration(at: time).adding(force)
        judgeMotion(measured)
        output = measured.raw(countsPerG: Double(16_384 >> Int(config >> 3 & 3)))
        status |= 0x01
        guard registers[0x23] & 0x08 != 0, registers[0x6A] & 0x40 != 0 else { return }
        fifo += output.bytes(isBigEndian: true)
        let size = is6500 ? 512 : 1_024
        if fifo.count > size {
            // Bytes are dropped, not samples: what is left may begin in the middle of one.
            fifo.removeFirst(fifo.count - size)
            status |= 0x10
        }
    }

    private mutating func judgeMotion(_ measured: Acceleration) {
        let threshold = Double(registers[0x1F]) * (is6500 ? 0.004 : 0.002)
        var moved = 0.0
        if is6500 {
            guard registers[0x69] & 0xC0 == 0xC0 else { return }
            moved = measured.largestChange(from: last ?? measured)
            last = measured
        } else {
            guard registers[0x1C] & 0x07 != 0, let period else { return }
            let cutOff = 10 / Double(1 << min(4, registers[0x1C] & 7))
            moved = filter.step(measured, ratio: min(0.5, cutOff * Double(period) / 1e9)).largestChange(
                from: Acceleration())
        }
        if moved > threshold { status |= 0x40 }
    }

    private mutating func take(_ address: Int) -> UInt8 {
        switch address {
        case 0x3A:
            // A status bit stands only while it is enabled.
            let told = status & (registers[0x38] | 0x01)
            status = 0
            return told
        case 0x3B...0x40: return output.bytes(isBigEndian: true)[address - 0x3B]
        case 0x72: return UInt8(fifo.count >> 8)
        case 0x73: return UInt8(fifo.count & 0xFF)
        case 0x74: return fifo.isEmpty ? 0xFF : fifo.removeFirst()
        default: return registers[address]
        }
    }
}
