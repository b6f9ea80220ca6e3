/// ST LIS3DH (data sheet DocID17530 rev 2) and LIS2DH12 (DocID025056 rev 6), which have the same registers and the same
/// identity.
public struct LIS3DH: AccelerometerChip {
    public let model = "LIS3DH or LIS2DH12"
    /// SA0 low, high.
    public let addresses: [UInt8] = [0x18, 0x19]
    /// WHO_AM_I.
    public let identityRegister: UInt8 = 0x0F
    public let identities: [UInt8] = [0x33]
    public let fifoDepth = 32
    /// 12 bits left-justified, 2 mg a digit at ±4 g high resolution (table 4).
    public let format = SampleFormat(shift: 4, countsPerG: 500)

    /// Output data rates of CTRL_REG1, table 31.
    private static let rates = RateTable(rows: [(10, 2), (25, 3), (50, 4), (100, 5), (200, 6), (400, 7)])
    /// OUT_X_L with the auto-increment bit: with the FIFO on the address rolls from OUT_Z_H back to OUT_X_L.
    private static let output: UInt8 = 0x28 | 0x80

    public init() {}

    public func rateHz(atLeast hertz: Double) -> Double { Self.rates.hertz(atLeast: hertz) }

    /// CTRL_REG5 BOOT loads the trimming again, which takes 5 ms; other registers are all written by `configuration`.
    public var reset: [RegisterStep] { [.write(0x24, 0x80), .pause(millis: 10)] }

    public func configuration(rateHz: Double, watermark: Int) -> [RegisterStep] {
        [
            .write(0x30, 0x00),  // INT1_CFG: no interrupt
            .write(0x22, 0x00),  // CTRL_REG3: nothing on INT1
            .write(0x21, 0x00),  // CTRL_REG2: no high-pass filter
            .write(0x20, Self.rates.code(rateHz) << 4 | 0x07),  // CTRL_REG1: rate, normal power, X Y Z on
            .write(0x23, 0x80 | 0x10 | 0x08),  // CTRL_REG4: BDU, ±4 g, high resolution
            .write(0x24, 0x40),  // CTRL_REG5: FIFO on
            .write(0x2E, 0x00),  // FIFO_CTRL: bypass empties it
            .write(0x2E, 0x80 | UInt8(watermark & 0x1F)),  // FIFO_CTRL: stream
        ]
    }

    /// CTRL_REG1.
    public let powerDown: [RegisterStep] = [.write(0x20, 0x00)]

    /// FIFO_SRC_REG: OVRN, and a count that ends at 31.
    public let fifoStatus = [RegisterRead(0x2F, count: 1)]
    public func fifoState(_ bytes: [UInt8]) -> FIFOState {
        let isOverrun = bytes.byte(0) & 0x40 != 0
        return FIFOState(level: isOverrun ? fifoDepth : bytes.byte(0) & 0x1F, isOverrun: isOverrun)
    }
    public func fifoReads(count: Int) -> [RegisterRead] { burstReads(Self.output, samples: count) }

    /// Self-test 0 at ±2 g in normal mode (10 bits, 4 mg a digit): 17 to 360 digits (table 4, Vst).
    public var selfTest: SelfTest {
        SelfTest(
            first: [.write(0x24, 0x00), .write(0x2E, 0x00), .write(0x20, 0x47), .write(0x23, 0x80)],
            second: [.write(0x23, 0x82)], settleMillis: 100, periodMillis: 20, readings: 5,
            output: RegisterRead(Self.output, count: 6), format: SampleFormat(shift: 6, countsPerG: 250), factory: [],
            limits: { _, _ in 17 * 0.004...360 * 0.004 }, ignoresSign: true)
    }

    /// Low power at 10 Hz; INT1 latched by any axis above 96 mg, 3 steps of 32 mg (INT1_THS at ±4 g), behind the
    /// high-pass filter, whose rest position is taken by reading REFERENCE.
    public var wake: [RegisterStep] {
        [
            .write(0x23, 0x90),  // CTRL_REG4: BDU, ±4 g, no high resolution
            .write(0x20, 0x2F),  // CTRL_REG1: 10 Hz, low power
            .write(0x21, 0x01),  // CTRL_REG2: filter for interrupt 1
            .write(0x24, 0x08),  // CTRL_REG5: latch interrupt 1
            .write(0x32, 3),  // INT1_THS
            .write(0x33, 0),  // INT1_DURATION
            .write(0x22, 0x40),  // CTRL_REG3: interrupt 1 on INT1
            .pause(millis: 200), .touch(0x26), .write(0x30, 0x2A), .touch(0x31),
        ]
    }
}
