public import TrackerModel

/// One thing that is done with a chip, in order.
public enum RegisterStep: Equatable, Sendable {
    case write(UInt8, UInt8)
    /// A read for its side effect: what it gives is of no interest.
    case touch(UInt8)
    /// The chip needs this long before the next transfer.
    case pause(millis: Int64)
}

/// One transfer out of a chip: `count` bytes (1…255) starting at `register`.
public struct RegisterRead: Equatable, Sendable {
    public var register: UInt8
    public var count: Int

    public init(_ register: UInt8, count: Int) {
        self.register = register
        self.count = count
    }
}

/// What a FIFO says of itself.
public struct FIFOState: Equatable, Sendable {
    /// Whole samples that wait.
    public var level: Int
    /// Samples were lost; what waits may begin in the middle of one.
    public var isOverrun: Bool
}

/// The bytes of a sample: six, X, Y and Z as two's complement words.
public struct SampleFormat: Equatable, Sendable {
    public var isBigEndian = false
    /// Bits below the value in a left-justified word.
    public var shift = 0
    public var countsPerG: Double

    public static let bytesPerSample = 6

    /// Decodes samples, oldest first; an incomplete last one is left out.
    /// - Parameter newest: when the last of them was taken; earlier ones are `periodNanos` apart.
    public func samples(_ bytes: [UInt8], newest: Instant, periodNanos: Int64) -> [MotionSample] {
        let count = bytes.count / Self.bytesPerSample
        return (0..<count).map { index in
            let start = index * Self.bytesPerSample
            let age = Int64(count - 1 - index) * periodNanos
            return MotionSample(
                instant: newest.advanced(byNanos: -age), x: axis(bytes, start), y: axis(bytes, start + 2),
                z: axis(bytes, start + 4))
        }
    }

    private func axis(_ bytes: [UInt8], _ at: Int) -> Double {
        let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
        let word = Int16(bitPattern: isBigEndian ? first << 8 | second : second << 8 | first)
        return Double(word >> Int16(shift)) / countsPerG
    }
}

/// An accelerometer at register level: what to write and read, and what the bytes mean. It does no transfers itself.
///
/// All run at ±4 g with a FIFO that drops its oldest samples, so that a reader that stalls loses the past and not the
/// present.
public protocol AccelerometerChip: Sendable {
    /// Type numbers of the chips that answer alike.
    var model: String { get }
    /// 7-bit, in the order of how likely a board wires them.
    var addresses: [UInt8] { get }
    var identityRegister: UInt8 { get }
    /// What that register holds.
    var identities: [UInt8] { get }
    /// Samples that the FIFO holds.
    var fifoDepth: Int { get }
    /// At ±4 g, as `configuration` sets it.
    var format: SampleFormat { get }
    var selfTest: SelfTest { get }
    /// Arms the interrupt that wakes the host when the board is moved (spec capture §13.4). While it is armed the chip
    /// samples too rarely and coarsely for anything else; `configuration` ends it.
    var wake: [RegisterStep] { get }

    /// The slowest rate of the chip that is not below the wish; its fastest that is offered otherwise.
    func rateHz(atLeast hertz: Double) -> Double
    /// From whatever state to a known one.
    var reset: [RegisterStep] { get }
    /// Sampling at a rate that `rateHz(atLeast:)` gave, with an empty FIFO.
    /// - Parameter watermark: samples at which the FIFO would call, 1…31.
    func configuration(rateHz: Double, watermark: Int) -> [RegisterStep]
    var powerDown: [RegisterStep] { get }
    /// Their bytes, one after the other, are what `fifoState` takes.
    var fifoStatus: [RegisterRead] { get }
    /// - Parameter bytes: of all reads of `fifoStatus`; what is missing counts as zero.
    func fifoState(_ bytes: [UInt8]) -> FIFOState
    /// How `count` samples are taken out, in reads of at most 252 bytes.
    func fifoReads(count: Int) -> [RegisterRead]
}

/// The chips that are told apart on a bus.
public enum AccelerometerChips {
    /// In the order in which they are looked for.
    public static let all: [any AccelerometerChip] = [
        LIS3DH(), ADXL345(), MPU(.mpu6050), MPU(.mpu6500), BMI160(),
    ]
}

extension [UInt8] {
    /// What is missing counts as zero.
    func byte(_ index: Int) -> Int { index < count ? Int(self[index]) : 0 }
}

/// Rates that a chip offers and their register codes, slowest first.
struct RateTable {
    var rows: [(hertz: Double, code: UInt8)]

    func hertz(atLeast wish: Double) -> Double { rows.first { $0.hertz >= wish }?.hertz ?? rows.last?.hertz ?? 0 }
    func code(_ hertz: Double) -> UInt8 { (rows.first { $0.hertz >= hertz } ?? rows.last)?.code ?? 0 }
}

/// Reads of one register that hands out one sample after the other.
func burstReads(_ register: UInt8, samples: Int) -> [RegisterRead] {
    let most = 252 / SampleFormat.bytesPerSample
    return stride(from: 0, to: samples, by: most).map { done in
        RegisterRead(register, count: min(most, samples - done) * SampleFormat.bytesPerSample)
    }
}
