public import TrackerModel

/// Acceleration along the axes of the chip, in g.
public struct Acceleration: Equatable, Sendable {
    public var x = 0.0
    public var y = 0.0
    public var z = 0.0

    public init(x: Double = 0, y: Double = 0, z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// What moves a chip: a pure function of script time.
public protocol AccelerationSource: Sendable {
    func acceleration(at time: Instant) -> Acceleration
}

/// An accelerometer at register level. Times are script times and must not go back; registers are stable during one
/// transfer.
public protocol SimulatedChip: Sendable {
    var identityRegister: UInt8 { get }
    /// The interrupt line, as of the last transfer or `advance`.
    var isInterrupting: Bool { get }

    /// Takes the samples that are due.
    mutating func advance(to now: Instant)
    mutating func read(_ register: UInt8, count: Int, at now: Instant) -> [UInt8]
    mutating func write(_ register: UInt8, _ value: UInt8, at now: Instant)
}

/// The registers that a transfer of `count` bytes goes through: one after the other, but the FIFO's hands out byte after
/// byte at one address.
func burst(from register: UInt8, count: Int, fifo: Int) -> [Int] {
    var next = Int(register & 0x7F)
    return (0..<count).map { _ in
        defer { if next != fifo { next = (next + 1) & 0x7F } }
        return next
    }
}

/// The chips that there are.
public enum SimulatedChipModel: String, CaseIterable, Sendable {
    case lis3dh
    case lis2dh12
    case adxl345
    case mpu6050
    case mpu6500
    case bmi160

    public func chip(_ motion: any AccelerationSource) -> any SimulatedChip {
        switch self {
        case .lis3dh, .lis2dh12: SimulatedLIS3DH(motion: motion)
        case .adxl345: SimulatedADXL345(motion: motion)
        case .mpu6050: SimulatedMPU(motion: motion, is6500: false)
        case .mpu6500: SimulatedMPU(motion: motion, is6500: true)
        case .bmi160: SimulatedBMI160(motion: motion)
        }
    }

    /// Its two addresses, as one pin is wired.
    public var addresses: [UInt8] {
        switch self {
        case .lis3dh, .lis2dh12: [0x18, 0x19]
        case .adxl345: [0x53, 0x1D]
        case .mpu6050, .mpu6500, .bmi160: [0x68, 0x69]
        }
    }
}

/// When a chip samples: the end of each period since its rate was set.
struct SampleClock: Sendable {
    private var next = Instant.never
    private var periodNanos: Int64?

    /// A new rate starts its first period now; the same one goes on.
    mutating func set(_ period: Int64?, at now: Instant) {
        guard period != periodNanos else { return }
        periodNanos = period
        next = period.map { now.advanced(byNanos: $0) } ?? .never
    }

    /// The next sample that is due.
    mutating func take(until now: Instant) -> Instant? {
        guard let periodNanos, next <= now else { return nil }
        defer { next = next.advanced(byNanos: periodNanos) }
        return next
    }
}
