/// Analog Devices ADXL345 (data sheet rev G).
public struct ADXL345: AccelerometerChip {
    public let model = "ADXL345"
    /// ALT ADDRESS low, high.
    public let addresses: [UInt8] = [0x53, 0x1D]
    /// DEVID.
    public let identityRegister: UInt8 = 0x00
    public let identities: [UInt8] = [0xE5]
    /// 32, and one in the output registers.
    public let fifoDepth = 33
    /// Full resolution: 3.9 mg a digit in every range (table 1).
    public let format = SampleFormat(countsPerG: 256)

    /// BW_RATE, table 7.
    private static let rates = RateTable(rows: [(12.5, 7), (25, 8), (50, 9), (100, 10), (200, 11), (400, 12)])

    public init() {}

    public func rateHz(atLeast hertz: Double) -> Double { Self.rates.hertz(atLeast: hertz) }

    /// There is no reset; standby is the state to configure in.
    public var reset: [RegisterStep] { powerDown }

    public func configuration(rateHz: Double, watermark: Int) -> [RegisterStep] {
        [
            .write(0x2D, 0x00),  // POWER_CTL: standby
            .write(0x2E, 0x00),  // INT_ENABLE: none
            .write(0x31, 0x08 | 0x01),  // DATA_FORMAT: full resolution, ±4 g
            .write(0x2C, Self.rates.code(rateHz)),  // BW_RATE: normal power
            .write(0x38, 0x00),  // FIFO_CTL: bypass empties it
            .write(0x38, 0x80 | UInt8(watermark & 0x1F)),  // FIFO_CTL: stream
            .write(0x2D, 0x08),  // POWER_CTL: measure
        ]
    }

    /// POWER_CTL standby.
    public let powerDown: [RegisterStep] = [.write(0x2D, 0x00)]

    /// INT_SOURCE with the overrun, which stands there without being enabled, then FIFO_STATUS.
    public let fifoStatus = [RegisterRead(0x30, count: 1), RegisterRead(0x39, count: 1)]
    public func fifoState(_ bytes: [UInt8]) -> FIFOState {
        FIFOState(level: bytes.byte(1) & 0x3F, isOverrun: bytes.byte(0) & 0x01 != 0)
    }

    /// One sample leaves the FIFO when all six data registers were read in one transfer; the next transfer's address
    /// gives it the 5 µs it needs.
    public func fifoReads(count: Int) -> [RegisterRead] { (0..<count).map { _ in RegisterRead(0x32, count: 6) } }

    /// At ±16 g, full resolution, 100 Hz (page 31). Table 1 gives the limits at 2.5 V; the upper ones are widened to those at 3.3 V by
    /// table 15 (× 1.77, for Z × 1.47).
    public var selfTest: SelfTest {
        SelfTest(
            first: [.write(0x38, 0x00), .write(0x2C, 0x0A), .write(0x31, 0x0B), .write(0x2D, 0x08)],
            second: [.write(0x31, 0x8B)], settleMillis: 50, periodMillis: 10, readings: 10,
            output: RegisterRead(0x32, count: 6), format: format, factory: [],
            limits: { axis, _ in [0.20...3.72, -3.72...(-0.20), 0.30...5.00][axis] })
    }

    /// Low power at 12.5 Hz; activity on any axis against the position at the start (ac-coupled) above 125 mg: two
    /// steps of 62.5 mg (THRESH_ACT). Switched on again it takes a new rest position.
    public var wake: [RegisterStep] {
        [
            .write(0x2D, 0x00),  // POWER_CTL: standby
            .write(0x38, 0x00),  // FIFO_CTL: bypass
            .write(0x2C, 0x17),  // BW_RATE: low power, 12.5 Hz
            .write(0x24, 2),  // THRESH_ACT
            .write(0x27, 0xF0),  // ACT_INACT_CTL: ac-coupled activity, X Y Z
            .write(0x2F, 0x00),  // INT_MAP: INT1
            .write(0x2D, 0x08),  // POWER_CTL: measure
            .write(0x2E, 0x10),  // INT_ENABLE: activity
            .touch(0x30),
        ]
    }
}
