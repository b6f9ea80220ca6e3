public import TrackerModel

/// One register to be written.
public struct RegisterWrite: Equatable, Sendable {
    public var register: UInt8
    public var value: UInt8
    public init(_ register: UInt8, _ value: UInt8) {
        self.register = register
        self.value = value
    }
}

/// The ST LIS3DH three-axis accelerometer at register level (data sheet DocID17530 rev 2): what to write, what the
/// bytes read mean. It does no transfers itself.
public enum LIS3DH {
    /// WHO_AM_I and its content.
    public static let identityRegister: UInt8 = 0x0F
    public static let identity: UInt8 = 0x33
    /// FIFO_SRC_REG.
    public static let fifoSourceRegister: UInt8 = 0x2F
    /// OUT_X_L with the auto-increment bit: reads of 6·n bytes drain n samples, the address rolls back to OUT_X_L.
    public static let outputRegister: UInt8 = 0x28 | 0x80
    public static let bytesPerSample = 6
    /// Samples that the FIFO holds.
    public static let fifoDepth = 32

    /// Output data rates of CTRL_REG1, table 31.
    private static let rateCodes: [(hertz: Int, code: UInt8)] = [
        (10, 2), (25, 3), (50, 4), (100, 5), (200, 6), (400, 7),
    ]

    /// The slowest rate of the chip that is not below the wish; 400 Hz at most.
    public static func rate(atLeast hertz: Int) -> Int {
        rateCodes.first { $0.hertz >= hertz }?.hertz ?? 400
    }

    /// Stream mode at `rateHz` (as `rate(atLeast:)` gives), ±4 g, high resolution, all axes, block data update.
    public static func configuration(rateHz: Int) -> [RegisterWrite] {
        let code = rateCodes.first { $0.hertz == rateHz }?.code ?? 4
        return [
            RegisterWrite(0x20, code << 4 | 0x07),  // CTRL_REG1: rate, normal power, X Y Z on
            RegisterWrite(0x23, 0x80 | 0x10 | 0x08),  // CTRL_REG4: BDU, ±4 g, high resolution
            RegisterWrite(0x24, 0x40),  // CTRL_REG5: FIFO on
            RegisterWrite(0x2E, 0x00),  // FIFO_CTRL: bypass empties it
            RegisterWrite(0x2E, 0x80),  // FIFO_CTRL: stream
        ]
    }

    /// CTRL_REG1 power-down.
    public static let powerDown = RegisterWrite(0x20, 0x00)

    /// What FIFO_SRC_REG says.
    public struct FIFOState: Equatable, Sendable {
        /// Samples waiting, 0…32.
        public var level: Int
        /// The FIFO was full: older samples are lost.
        public var isOverrun: Bool

        public init(source: UInt8) {
            isOverrun = source & 0x40 != 0
            let stored = Int(source & 0x1F)
            // FSS counts to 31; an overrun FIFO holds all 32.
            level = isOverrun ? LIS3DH.fifoDepth : stored
        }
    }

    /// Decodes FIFO content, oldest first.
    /// - Parameters:
    ///   - bytes: little-endian X, Y, Z words, 12 bits left-justified; an incomplete last sample is left out.
    ///   - newest: when the newest sample was taken; earlier ones are `periodNanos` apart.
    /// - Returns: samples in g; 2 mg a digit at ±4 g high resolution (data sheet table 4).
    public static func samples(_ bytes: [UInt8], newest: Instant, periodNanos: Int64) -> [MotionSample] {
        let count = bytes.count / bytesPerSample
        return (0..<count).map { index in
            func axis(_ offset: Int) -> Double {
                let at = index * bytesPerSample + offset
                let word = Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)
                return Double(word >> 4) * 0.002
            }
            let age = Int64(count - 1 - index) * periodNanos
            return MotionSample(instant: newest.advanced(byNanos: -age), x: axis(0), y: axis(2), z: axis(4))
        }
    }
}
