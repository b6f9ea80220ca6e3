/// Bosch BMI160 (data sheet BST-BMI160-DS000); the gyroscope stays suspended.
public struct BMI160: AccelerometerChip {
    public let model = "BMI160"
    /// SDO low, high.
    public let addresses: [UInt8] = [0x68, 0x69]
    /// CHIP_ID.
    public let identityRegister: UInt8 = 0x00
    public let identities: [UInt8] = [0xD1]
    /// 1,024 bytes.
    public let fifoDepth = 170
    /// ±4 g of ACC_RANGE.
    public let format = SampleFormat(countsPerG: 8_192)

    /// ACC_CONF acc_odr.
    private static let rates = RateTable(rows: [(12.5, 5), (25, 6), (50, 7), (100, 8), (200, 9), (400, 10)])
    /// CMD and what it takes.
    private static let command: UInt8 = 0x7E
    private static let softReset: UInt8 = 0xB6
    private static let accelerationNormal: UInt8 = 0x11
    private static let accelerationLowPower: UInt8 = 0x12
    private static let accelerationSuspend: UInt8 = 0x10
    private static let flushFIFO: UInt8 = 0xB0
    private static let resetInterrupts: UInt8 = 0xB1

    public init() {}

    public func rateHz(atLeast hertz: Double) -> Double { Self.rates.hertz(atLeast: hertz) }

    /// After a reset all is suspended; the accelerometer starts within 3.8 ms (table 2).
    public var reset: [RegisterStep] {
        [.write(Self.command, Self.softReset), .pause(millis: 10)] + Self.normal
    }

    private static let normal: [RegisterStep] = [.write(command, accelerationNormal), .pause(millis: 5)]

    public func configuration(rateHz: Double, watermark: Int) -> [RegisterStep] {
        Self.normal + [
            .write(0x50, 0x00),  // INT_EN_0: no interrupt
            .write(0x40, 0x20 | Self.rates.code(rateHz)),  // ACC_CONF: normal filter
            .write(0x41, 0x05),  // ACC_RANGE: ±4 g
            .write(0x45, 0x80),  // FIFO_DOWNS: filtered, at the full rate
            .write(0x46, UInt8(watermark * SampleFormat.bytesPerSample / 4 & 0xFF)),  // FIFO_CONFIG_0: in 4 bytes
            .write(0x47, 0x40),  // FIFO_CONFIG_1: acceleration, without headers
            .write(Self.command, Self.flushFIFO),
        ]
    }

    public var powerDown: [RegisterStep] { [.write(Self.command, Self.accelerationSuspend)] }

    /// FIFO_LENGTH. Without headers nothing tells of lost frames but that no other would fit.
    public let fifoStatus = [RegisterRead(0x22, count: 2)]
    public func fifoState(_ bytes: [UInt8]) -> FIFOState {
        let stored = (bytes.byte(1) << 8 | bytes.byte(0)) & 0x7FF
        return FIFOState(
            level: min(fifoDepth, stored / SampleFormat.bytesPerSample),
            isOverrun: stored > (fifoDepth - 1) * SampleFormat.bytesPerSample)
    }
    /// FIFO_DATA.
    public func fifoReads(count: Int) -> [RegisterRead] { burstReads(0x24, samples: count) }

    /// At ±8 g, ACC_CONF 0x2C, high amplitude: from the negative to the positive force every axis changes by at least
    /// 2 g, 50 ms after either (section 2.8.1).
    public var selfTest: SelfTest {
        SelfTest(
            first: Self.normal + [.write(0x41, 0x08), .write(0x40, 0x2C), .write(0x6D, 0x09)],
            second: [.write(0x6D, 0x0D)], settleMillis: 60, periodMillis: 10, readings: 5,
            output: RegisterRead(0x12, count: 6), format: SampleFormat(countsPerG: 4_096), factory: [],
            limits: { _, _ in 2...16 })
    }

    /// Low power at 12.5 Hz; any-motion on INT1, the slope between two samples above 102 mg: 13 steps of 7.81 mg
    /// (INT_MOTION_1 at ±4 g).
    public var wake: [RegisterStep] {
        Self.normal + [
            .write(0x41, 0x05),  // ACC_RANGE: ±4 g
            .write(0x5F, 0x00),  // INT_MOTION_0: one sample
            .write(0x60, 13),  // INT_MOTION_1
            .write(0x53, 0x0A),  // INT_OUT_CTRL: INT1, active high
            .write(0x54, 0x0F),  // INT_LATCH: until it is reset
            .write(0x55, 0x04),  // INT_MAP_0: any-motion
            .write(0x50, 0x07),  // INT_EN_0: any-motion X Y Z
            .write(0x40, 0x85),  // ACC_CONF: undersampling, 12.5 Hz
            .write(Self.command, Self.accelerationLowPower), .pause(millis: 5),
            .write(Self.command, Self.resetInterrupts),
        ]
    }
}
