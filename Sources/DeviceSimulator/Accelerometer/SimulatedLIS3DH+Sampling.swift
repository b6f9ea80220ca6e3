import TrackerModel

extension SimulatedLIS3DH {
    /// Bits of a sample (DocID17530, operating modes): LPen, neither, HR.
    enum Resolution: Int { case low = 8, normal = 10, high = 12 }

    var resolution: Resolution {
        if registers[Int(LIS3DHRegister.control1)] & 0x08 != 0 { return .low }
        return registers[Int(LIS3DHRegister.control4)] & 0x08 != 0 ? .high : .normal
    }

    /// CTRL_REG1 ODR 1…7: 1 to 400 Hz. 8 and 9 (above 1 kHz) are not modelled and sample at 400 Hz.
    var samplePeriodNanos: Int64? {
        let hertz: [Int64] = [0, 1, 10, 25, 50, 100, 200, 400, 400, 400]
        let code = Int(registers[Int(LIS3DHRegister.control1)] >> 4)
        guard code > 0, code < hertz.count else { return nil }
        return 1_000_000_000 / hertz[code]
    }

    /// FS of CTRL_REG4: 0…3 for ±2, 4, 8, 16 g.
    private var rangeCode: Int { Int(registers[Int(LIS3DHRegister.control4)] >> 4 & 3) }

    mutating func takeSample(at time: Instant) {
        let control2 = registers[Int(LIS3DHRegister.control2)]
        let measured = motion.acceleration(at: time).adding(selfTestForce)
        // HPCF: rate/50, /100, /200, /400 (ST AN3308, high-pass filter cut-off table).
        let filtered = filter.step(measured, ratio: 1 / Double(50 << (control2 >> 4 & 3)))
        let sample = quantised(control2 & 0x08 != 0 ? filtered : measured)
        let enabled = registers[Int(LIS3DHRegister.control1)] & 0x07
        overrunAxes |= unreadAxes & enabled
        unreadAxes |= enabled
        if isFifoActive {
            fifo.push(sample, dropsOldest: registers[Int(LIS3DHRegister.fifoControl)] & 0x80 != 0)
        } else {
            output = sample
        }
        judgeInterrupt(control2 & 0x01 != 0 ? filtered : measured)
    }

    /// ST1 and ST0 of CTRL_REG4: the self-test pushes the mass by half a g one way or the other.
    private var selfTestForce: Acceleration {
        let force = [0, 0.5, -0.5, 0][Int(registers[Int(LIS3DHRegister.control4)] >> 1 & 3)]
        return Acceleration(x: force, y: force, z: force)
    }

    /// Steps of 1, 2, 4, 12 mg in high resolution (DocID17530, mechanical characteristics), four times that in normal
    /// and sixteen times in low power, all left-justified in 16 bits; a disabled axis reads 0.
    private func quantised(_ value: Acceleration) -> RawSample {
        let milliG = [1.0, 2.0, 4.0, 12.0][rangeCode] * Double(1 << (12 - resolution.rawValue))
        let limit = Double(1 << (resolution.rawValue - 1))
        let enabled = registers[Int(LIS3DHRegister.control1)]
        func raw(_ g: Double, _ axis: UInt8) -> Int16 {
            guard enabled & axis != 0 else { return 0 }
            let digits = min(limit - 1, max(-limit, (g * 1_000 / milliG).rounded()))
            return Int16(digits) << Int16(16 - resolution.rawValue)
        }
        return RawSample(x: raw(value.x, 1), y: raw(value.y, 2), z: raw(value.z, 4))
    }

    /// INT1: a high event is a magnitude above the threshold (steps of 16, 32, 62, 186 mg by range), a low event one not
    /// above it; AOI asks for all enabled events instead of one. With 6D the sign tells high from low.
    private mutating func judgeInterrupt(_ value: Acceleration) {
        let config = registers[Int(LIS3DHRegister.int1Config)]
        let step = [0.016, 0.032, 0.062, 0.186][rangeCode]
        let threshold = Double(registers[Int(LIS3DHRegister.int1Threshold)] & 0x7F) * step
        var events: UInt8 = 0
        for (index, g) in [value.x, value.y, value.z].enumerated() {
            let isSigned = config & 0x40 != 0
            let isHigh = isSigned ? g > threshold : abs(g) > threshold
            let isLow = isSigned ? g < -threshold : !isHigh
            events |= ((isLow ? 1 : 0) | (isHigh ? 2 : 0)) << UInt8(index * 2)
        }
        let wanted = config & 0x3F
        let isMet = config & 0x80 != 0 ? wanted != 0 && events & wanted == wanted : events & wanted != 0
        int1Run = isMet ? int1Run + 1 : 0
        let fires = isMet && int1Run > Int(registers[Int(LIS3DHRegister.int1Duration)] & 0x7F)
        let isLatched = registers[Int(LIS3DHRegister.control5)] & 0x08 != 0
        if fires {
            int1Source = 0x40 | events & wanted
        } else if !isLatched || int1Source & 0x40 == 0 {
            int1Source = events & wanted
        }
    }
}
