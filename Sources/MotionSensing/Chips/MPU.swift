/// InvenSense MPU-6050 (register map RM-MPU-6000A rev 4.2) and MPU-6500 (RM-MPU-6500A rev 2.1); the gyroscope is off.
public struct MPU: AccelerometerChip {
    public enum Variant: Sendable {
        case mpu6050
        /// Also what the MPU-9250 and 9255 hold beside their compass.
        case mpu6500
    }

    private let variant: Variant

    public init(_ variant: Variant) { self.variant = variant }

    public var model: String { variant == .mpu6050 ? "MPU-6050" : "MPU-6500" }
    /// AD0 low, high.
    public let addresses: [UInt8] = [0x68, 0x69]
    /// WHO_AM_I.
    public let identityRegister: UInt8 = 0x75
    public var identities: [UInt8] { variant == .mpu6050 ? [0x68] : [0x70, 0x71, 0x73] }
    /// 1,024 and 512 bytes.
    public var fifoDepth: Int { variant == .mpu6050 ? 170 : 85 }
    /// ±4 g of ACCEL_CONFIG.
    public let format = SampleFormat(isBigEndian: true, countsPerG: 8_192)

    /// Rates, each with the low-pass filter next below half of it: 5, 10, 21, 44, 94 Hz.
    private static let rates = RateTable(rows: [(10, 6), (25, 5), (50, 4), (100, 3), (200, 2)])
    /// FIFO_R_W.
    private static let fifo: UInt8 = 0x74
    /// PWR_MGMT_2: the gyroscope stands by.
    private static let gyroscopeOff: UInt8 = 0x07

    public func rateHz(atLeast hertz: Double) -> Double { Self.rates.hertz(atLeast: hertz) }

    /// PWR_MGMT_1 DEVICE_RESET, which takes 100 ms, and out of its sleep.
    public var reset: [RegisterStep] {
        [.write(0x6B, 0x80), .pause(millis: 100), .write(0x6B, 0x00), .pause(millis: 30)]
    }

    /// The chip has no watermark that would call.
    public func configuration(rateHz: Double, watermark: Int) -> [RegisterStep] {
        let filter = Self.rates.code(rateHz)
        let divider = UInt8(max(0, min(255, Int((1_000 / max(rateHz, 4)).rounded()) - 1)))
        return [
            .write(0x38, 0x00),  // INT_ENABLE: none
            .write(0x37, 0x00),  // INT_PIN_CFG: no latch that the overflow could hold the line by
            .write(0x6B, 0x00),  // PWR_MGMT_1: awake, internal clock
            .write(0x6C, Self.gyroscopeOff),
            .write(0x1A, filter),  // CONFIG: DLPF_CFG, which also makes the base rate 1 kHz; the FIFO drops the oldest
            .write(0x19, divider),  // SMPLRT_DIV
            .write(0x1C, 0x08),  // ACCEL_CONFIG: ±4 g
        ] + (variant == .mpu6500 ? [.write(0x69, 0x00), .write(0x1D, filter)] : [])  // ACCEL_CONFIG 2: its filter
            + [
                .write(0x23, 0x00),  // FIFO_EN: nothing
                .write(0x6A, 0x04),  // USER_CTRL: FIFO_RESET
                .write(0x6A, 0x40),  // USER_CTRL: FIFO_EN
                .write(0x23, 0x08),  // FIFO_EN: acceleration
                .write(0x38, 0x10),  // INT_ENABLE: FIFO_OFLOW, so that INT_STATUS tells it
                .touch(0x3A),
            ]
    }

    /// PWR_MGMT_1 SLEEP.
    public let powerDown: [RegisterStep] = [.write(0x6B, 0x40)]

    /// INT_STATUS, then FIFO_COUNTH and FIFO_COUNTL.
    public let fifoStatus = [RegisterRead(0x3A, count: 1), RegisterRead(0x72, count: 2)]
    public func fifoState(_ bytes: [UInt8]) -> FIFOState {
        let stored = (bytes.byte(1) << 8 | bytes.byte(2)) & 0x1FFF
        return FIFOState(
            level: min(fifoDepth, stored / SampleFormat.bytesPerSample), isOverrun: bytes.byte(0) & 0x10 != 0)
    }
    public func fifoReads(count: Int) -> [RegisterRead] { burstReads(Self.fifo, samples: count) }

    public var selfTest: SelfTest { variant == .mpu6050 ? selfTest6050 : selfTest6500 }

    /// At ±8 g; the change is within 14 % of the factory's, 0.34 g · (0.92/0.34)^((code − 1)/30), with a code of five
    /// bits: three above in SELF_TEST_X, Y, Z and two below in SELF_TEST_A (register map §4.1).
    private var selfTest6050: SelfTest {
        SelfTest(
            first: [.write(0x23, 0x00), .write(0x1A, 0x00), .write(0x19, 0x07), .write(0x1C, 0x10)],
            second: [.write(0x1C, 0xF0)], settleMillis: 250, periodMillis: 10, readings: 10,
            output: RegisterRead(0x3B, count: 6), format: SampleFormat(isBigEndian: true, countsPerG: 4_096),
            factory: [RegisterRead(0x0D, count: 4)],
            limits: { axis, bytes in
                let code = (bytes.byte(axis) >> 5) << 2 | bytes.byte(3) >> (4 - 2 * axis) & 3
                // 1.03374 is (0.92/0.34)^(1/30).
                return code == 0 ? nil : Self.range(0.34 * Self.power(1.033_737, code - 1), 0.86, 1.14)
            })
    }

    /// At ±2 g behind 92 Hz; the change is between half and one and a half of the factory's, 2620 · 1.01^(code − 1)
    /// digits, with the codes in SELF_TEST_X, Y, Z_ACCEL; 225 to 675 mg where there is none (AN-MPU-9250A-03).
    private var selfTest6500: SelfTest {
        SelfTest(
            first: [
                .write(0x23, 0x00), .write(0x1A, 0x02), .write(0x1D, 0x02), .write(0x19, 0x00), .write(0x1C, 0x00),
            ], second: [.write(0x1C, 0xE0)], settleMillis: 50, periodMillis: 10, readings: 20,
            output: RegisterRead(0x3B, count: 6), format: SampleFormat(isBigEndian: true, countsPerG: 16_384),
            factory: [RegisterRead(0x0D, count: 3)],
            limits: { axis, bytes in
                let code = bytes.byte(axis)
                return code == 0 ? 0.225...0.675 : Self.range(2_620 / 16_384 * Self.power(1.01, code - 1), 0.5, 1.5)
            })
    }

    private static func range(_ value: Double, _ low: Double, _ high: Double) -> ClosedRange<Double> {
        value * low...value * high
    }

    private static func power(_ base: Double, _ exponent: Int) -> Double {
        (0..<max(0, exponent)).reduce(1) { product, _ in product * base }
    }

    /// Above 100 mg. MPU-6050: cycles at 20 Hz, MOT_THR of 50 steps of 2 mg behind a high-pass of 5 Hz. MPU-6500: cycles at
    /// 15.6 Hz and compares with the sample before, WOM_THR of 25 steps of 4 mg (product specification §5.1).
    public var wake: [RegisterStep] {
        let begin: [RegisterStep] = [
            .write(0x23, 0x00),  // FIFO_EN: nothing
            .write(0x6B, 0x00),  // PWR_MGMT_1: awake
            .write(0x37, 0x20),  // INT_PIN_CFG: latched until INT_STATUS is read
        ]
        let detect: [RegisterStep] =
            variant == .mpu6050
            ? [
                .write(0x1C, 0x09),  // ACCEL_CONFIG: ±4 g, high-pass 5 Hz
                .write(0x1F, 50),  // MOT_THR
                .write(0x20, 1),  // MOT_DUR: 1 ms
                .write(0x6C, 0x80 | Self.gyroscopeOff),  // PWR_MGMT_2: 20 Hz
            ]
            : [
                .write(0x1D, 0x01),  // ACCEL_CONFIG 2: 184 Hz
                .write(0x69, 0xC0),  // ACCEL_INTEL_CTRL: compare with the sample before
                .write(0x1F, 25),  // WOM_THR
                .write(0x1E, 6),  // LP_ACCEL_ODR: 15.6 Hz
                .write(0x6C, Self.gyroscopeOff),
            ]
        // INT_ENABLE: motion; PWR_MGMT_1: CYCLE.
        let end: [RegisterStep] = [.write(0x38, 0x40), .write(0x6B, 0x20), .touch(0x3A)]
        return begin + detect + end
    }
}
